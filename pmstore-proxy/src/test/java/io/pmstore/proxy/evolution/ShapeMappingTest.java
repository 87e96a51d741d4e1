package io.pmstore.proxy.evolution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.FormerNames;
import io.pmstore.Persistent;
import io.pmstore.Removed;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A chain of several versions is read as one step. */
class ShapeMappingTest {
  private static final String NAME = "com.acme.Item";
  private final Versions versions = new Versions();

  @Persistent
  static class First {
    private int price;
    private int count;
    private String note = "";
    private byte code;
    private String date = "";
  }

  @Persistent
  @FormerNames(NAME)
  @Removed("note")
  static class Second {
    @FormerNames("price")
    private long cost;

    private int count;
    private short code;
    private long date;
  }

  @Persistent
  @FormerNames(NAME)
  @Removed("code")
  static class Third {
    private Object cost = "";
    private String note = "";
    private Long count = 0L;

    @FormerNames("date")
    private long day;
  }

  private Source source(ShapeMapping mapping, String property) {
    List<Property> properties = mapping.to().properties();
    for (int i = 0; i < properties.size(); i++) {
      if (properties.get(i).name().equals(property)) {
        assertSame(mapping.source(i), mapping.sourceAt(properties.get(i).offset()));
        assertEquals(properties.get(i), mapping.source(i).to());
        return mapping.source(i);
      }
    }
    throw new AssertionError(property);
  }

  private static void assertStored(Source source, String from, SlotKind boxAs) {
    Source.Stored stored = (Source.Stored) source;
    assertEquals(from, stored.from().toString());
    assertEquals(boxAs, stored.boxAs());
  }

  @Test
  void threeVersionsAreReadInOneStep() {
    Shape first = versions.store(First.class, NAME);
    versions.functions = (type, names, property) -> List.of("date", "day").contains(property);
    Shape second = versions.evolve(Second.class, NAME);
    Shape third = versions.evolve(Third.class, NAME);
    List<Shape> chain = new ArrayList<>(versions.catalogue.lineage(third));
    assertEquals(List.of(third, second, first), chain);

    ShapeMapping mapping = ShapeMapping.of(chain.reversed());
    assertEquals(first, mapping.from());
    assertEquals(third, mapping.to());
    assertStored(source(mapping, "cost"), "int price", SlotKind.LONG);
    assertStored(source(mapping, "count"), "int count", SlotKind.LONG);
    assertTrue(source(mapping, "note") instanceof Source.Initial, "the second had none");
    assertTrue(source(mapping, "day") instanceof Source.Function);
    assertTrue(mapping.needsFunction());

    ShapeMapping last = ShapeMapping.of(List.of(second, third));
    assertStored(source(last, "cost"), "long cost", SlotKind.LONG);
    assertStored(source(last, "day"), "long date", SlotKind.LONG);
    assertFalse(last.needsFunction());

    ShapeMapping before = ShapeMapping.of(List.of(first, second));
    assertStored(source(before, "code"), "byte code", SlotKind.BYTE);

    ShapeMapping none = ShapeMapping.of(List.of(third));
    assertStored(source(none, "note"), "java.lang.String note", SlotKind.CELL);
  }

  @Test
  void whereNoPropertyIsThereIsNoSource() {
    ShapeMapping mapping = ShapeMapping.of(List.of(versions.store(First.class, NAME)));
    assertThrows(IllegalArgumentException.class, () -> mapping.sourceAt(0));
  }
}
