package io.pmstore.proxy.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.EvolutionReport.Kind;
import io.pmstore.Persistent;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every pair of property types: which values of one are values of the other. */
class TypeChangeTest {
  enum Side {
    BUY
  }

  enum Other {
    BUY
  }

  interface Party {}

  @Persistent
  static class Person implements Party {}

  @Persistent
  static class Child extends Person {}

  record Point(int x) implements Party {}

  private static final Map<Class<?>, SlotKind> TYPES = new HashMap<>();

  static {
    TYPES.put(boolean.class, SlotKind.BOOLEAN);
    TYPES.put(byte.class, SlotKind.BYTE);
    TYPES.put(short.class, SlotKind.SHORT);
    TYPES.put(char.class, SlotKind.CHAR);
    TYPES.put(int.class, SlotKind.INT);
    TYPES.put(long.class, SlotKind.LONG);
    TYPES.put(float.class, SlotKind.FLOAT);
    TYPES.put(double.class, SlotKind.DOUBLE);
    for (Class<?> cell :
        List.of(
            Integer.class,
            Long.class,
            Double.class,
            Number.class,
            Object.class,
            String.class,
            Party.class,
            Point.class,
            int[].class)) {
      TYPES.put(cell, SlotKind.CELL);
    }
    for (Class<?> reference :
        List.of(Person.class, Child.class, List.class, Set.class, Collection.class)) {
      TYPES.put(reference, SlotKind.REFERENCE);
    }
    TYPES.put(Side.class, SlotKind.ENUM);
    TYPES.put(Other.class, SlotKind.ENUM);
  }

  private static Kind change(Class<?> from, Class<?> to) {
    return TypeChange.of(property(from), property(to), to, TypeChangeTest::find);
  }

  private static Property property(Class<?> type) {
    SlotKind kind = TYPES.get(type);
    if (kind == null) {
      throw new AssertionError(type);
    }
    return new Property("p", kind, type.getName());
  }

  private static @Nullable Class<?> find(String name) {
    return TYPES.keySet().stream().filter(t -> t.getName().equals(name)).findFirst().orElse(null);
  }

  @Test
  void theTableOfAllPairs() {
    TreeSet<String> converted = new TreeSet<>();
    for (Class<?> from : TYPES.keySet()) {
      for (Class<?> to : TYPES.keySet()) {
        Kind kind = change(from, to);
        if (from == to) {
          assertEquals(Kind.KEPT, kind);
        } else if (kind != Kind.NEEDS_MIGRATION) {
          assertEquals(Kind.CONVERTED, kind);
          converted.add(from.getSimpleName() + " " + to.getSimpleName());
        }
      }
    }
    TreeSet<String> expected = new TreeSet<>();
    expect(expected, "boolean", "Object");
    expect(
        expected, "byte", "short", "int", "long", "float", "double", "Integer", "Long", "Double",
        "Number", "Object");
    expect(
        expected, "short", "int", "long", "float", "double", "Integer", "Long", "Double", "Number",
        "Object");
    expect(
        expected, "char", "int", "long", "float", "double", "Integer", "Long", "Double", "Object");
    expect(expected, "int", "long", "double", "Integer", "Long", "Double", "Number", "Object");
    expect(expected, "long", "Long", "Number", "Object");
    expect(expected, "float", "double", "Double", "Number", "Object");
    expect(expected, "double", "Double", "Number", "Object");
    for (String box : List.of("Integer", "Long", "Double")) {
      expect(expected, box, "Number", "Object");
    }
    for (String other : List.of("Number", "String", "Party", "int[]", "Collection", "Side")) {
      expect(expected, other, "Object");
    }
    expect(expected, "Other", "Object");
    expect(expected, "Point", "Party", "Object");
    expect(expected, "Person", "Party", "Object");
    expect(expected, "Child", "Person", "Party", "Object");
    expect(expected, "List", "Collection", "Object");
    expect(expected, "Set", "Collection", "Object");
    assertEquals(String.join("\n", expected), String.join("\n", converted));
  }

  private static void expect(Collection<String> pairs, String from, String... all) {
    for (String to : all) {
      pairs.add(from + " " + to);
    }
  }

  private static Kind former(SlotKind kind, Class<?> to, @Nullable Class<?> found) {
    return TypeChange.of(
        new Property("p", kind, "com.acme.Former"), property(to), to, name -> found);
  }

  @Test
  void aTypeThatWasRenamedIsTheSame() {
    assertEquals(Kind.RENAMED, former(SlotKind.REFERENCE, Person.class, Person.class));
    assertEquals(Kind.RENAMED, former(SlotKind.ENUM, Side.class, Side.class));
    assertEquals(Kind.RENAMED, former(SlotKind.CELL, Point.class, Point.class));
    assertEquals(Kind.CONVERTED, former(SlotKind.REFERENCE, Person.class, Child.class));
  }

  @Test
  void aTypeThatIsGoneOrIsNowOfAnotherKindNeedsAFunction() {
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.REFERENCE, Person.class, null));
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.CELL, Object.class, null));
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.ENUM, Object.class, Person.class));
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.CELL, Person.class, Person.class));
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.REFERENCE, Side.class, Side.class));
    assertEquals(Kind.NEEDS_MIGRATION, former(SlotKind.REFERENCE, Point.class, Point.class));
    assertEquals(
        Kind.NEEDS_MIGRATION,
        TypeChange.of(
            new Property("p", SlotKind.REFERENCE, Point.class.getName()),
            property(Point.class),
            Point.class,
            TypeChangeTest::find));
    assertEquals( // an interface is no longer persistent, but the classes that implement it are
        Kind.CONVERTED, former(SlotKind.REFERENCE, Party.class, Party.class));
    assertEquals(
        Kind.NEEDS_MIGRATION,
        TypeChange.of(
            new Property("p", SlotKind.REFERENCE, NavigableMap.class.getName()),
            property(List.class),
            List.class,
            name -> new ArrayList<>(List.of(NavigableMap.class)).getFirst()));
  }
}
