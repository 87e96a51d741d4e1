package io.pmstore.proxy.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kind of property through every form of accessors: what was set is returned at once, in its
 * transaction, after a rollback and after reopening.
 */
public class AccessorsTest extends StoreTest {

  /** What a reference leads to. */
  public interface Named {
    /** The name. */
    String getName();
  }

  /** An object with equality of its own. */
  @Persistent
  public static class Item implements Named {
    private String name = "";

    @Override
    public String getName() {
      return name;
    }

    /** Sets the name. */
    public void setName(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Item item && item.getName().equals(name);
    }

    @Override
    public int hashCode() {
      return name.hashCode();
    }
  }

  /** A value of several parts. */
  public record Point(int x, @Nullable String label) {}

  /** A class with a type variable. */
  @Persistent
  public abstract static class Generic<T> {
    private @Nullable T value;

    /** The value. */
    public @Nullable T getValue() {
      return value;
    }

    /** Sets the value. */
    public void setValue(@Nullable T value) {
      this.value = value;
    }
  }

  /** A type of properties with two values. */
  record Kind(String type, Object first, Object second) {
    String id() {
      return type.replaceAll("\\W+", "_");
    }

    boolean isPrimitive() {
      return !type.contains(".");
    }
  }

  /** How a class or interface spells its accessors; the name, the value's type and its own name. */
  enum Form {
    BEAN(
        "class %1$s { private %2$s value; public %2$s getValue() { return value; }"
            + " public void setValue(%2$s value) { this.value = value; } }"),
    CHECKED(
        "class %1$s { private %2$s value; private int calls;"
            + " public %2$s getValue() { %2$s found = value; return calls > 0 ? found : value; }"
            + " public void setValue(%2$s value) { calls++; this.value = value; } }"),
    FLUENT(
        "class %1$s { private %2$s value; public %2$s value() { return value; }"
            + " public %1$s value(%2$s value) { this.value = value; return this; } }"),
    IS(
        "class %1$s { private %2$s value; public %2$s isValue() { return value; }"
            + " public void setValue(%2$s value) { this.value = value; } }"),
    INTERFACE("interface %1$s { %2$s getValue(); void setValue(%2$s value); }"),
    TYPE_VARIABLE("class %1$s extends AccessorsTest.Generic<%2$s> {}");

    private final String source;

    Form(String source) {
      this.source = source;
    }

    boolean isFor(Kind kind) {
      return switch (this) {
        case IS -> kind.first() instanceof Boolean;
        // What is declared as a type variable is kept as an Object.
        case TYPE_VARIABLE -> !kind.isPrimitive() && !kind.type().contains("[");
        default -> true;
      };
    }

    String name(Kind kind) {
      return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT) + kind.id();
    }
  }

  private static Kind kind(String type, Object first, Object second) {
    return new Kind(type, first, second);
  }

  private static Kind kind(Class<?> type, Object first, Object second) {
    return new Kind(Objects.requireNonNull(type.getCanonicalName()), first, second);
  }

  private static Item item(String name) {
    Item item = new Item();
    item.setName(name);
    return item;
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    kinds.addAll(
        List.of(
            kind("boolean", true, false),
            kind("byte", (byte) -128, (byte) 127),
            kind("short", Short.MIN_VALUE, Short.MAX_VALUE),
            kind("char", '\uffff', 'x'),
            kind("int", Integer.MIN_VALUE, Integer.MAX_VALUE),
            kind("long", Long.MIN_VALUE, Long.MAX_VALUE),
            kind("float", Float.NaN, -0.0f),
            kind("double", Double.MIN_VALUE, -0.0)));
    kinds.addAll(
        List.of(
            kind(Boolean.class, true, false),
            kind(Byte.class, (byte) 1, (byte) -1),
            kind(Short.class, (short) 1, (short) -1),
            kind(Character.class, 'a', '\0'),
            kind(Integer.class, 1, -1),
            kind(Long.class, 1L, Long.MIN_VALUE),
            kind(Float.class, 1f, Float.NaN),
            kind(Double.class, 1d, -0.0)));
    kinds.addAll(
        List.of(
            kind(String.class, "a", "a longer text \u20ac that lies beside the object"),
            kind(BigDecimal.class, BigDecimal.ONE, new BigDecimal("12345678901234567890.50")),
            kind(BigInteger.class, BigInteger.TEN, BigInteger.TWO.pow(200)),
            kind(UUID.class, new UUID(1, 2), new UUID(-1, -2)),
            kind(DayOfWeek.class, DayOfWeek.MONDAY, DayOfWeek.SUNDAY),
            kind(Instant.class, Instant.EPOCH, Instant.MAX),
            kind(LocalDate.class, LocalDate.EPOCH, LocalDate.MAX),
            kind(
                ZonedDateTime.class,
                ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Berlin]"),
                ZonedDateTime.parse("2026-07-02T03:04:05.000000006Z"))));
    kinds.addAll(
        List.of(
            kind(Point.class, new Point(1, "one"), new Point(-1, null)),
            kind("long[]", new long[] {1, 2}, new long[] {}),
            kind("boolean[][]", new boolean[][] {{true}, {}}, new boolean[][] {{false, true}}),
            kind("java.lang.String[]", new String[] {"a", null}, new String[] {"b"}),
            kind("java.util.Optional<java.lang.String>", Optional.of("a"), Optional.empty()),
            kind(OptionalInt.class, OptionalInt.of(5), OptionalInt.empty())));
    kinds.addAll(
        List.of(
            kind("java.util.List<java.lang.String>", List.of("a", "b"), List.of()),
            kind("java.util.Set<java.lang.Integer>", Set.of(1, 2), Set.of(3)),
            kind("java.util.Map<java.lang.String,java.lang.Long>", Map.of("a", 1L), Map.of()),
            kind(
                "java.util.NavigableSet<java.lang.String>",
                new TreeSet<>(Set.of("b", "a")),
                new TreeSet<>()),
            kind(
                "java.util.SortedMap<java.lang.String,java.lang.String>",
                new TreeMap<>(Map.of("b", "a")),
                new TreeMap<>()),
            kind(
                "java.util.ArrayList<java.lang.String>",
                new ArrayList<>(List.of("a")),
                new ArrayList<>()),
            kind(
                "java.util.HashMap<java.lang.String,java.lang.String>",
                new HashMap<>(Map.of("a", "b")),
                new HashMap<>())));
    kinds.addAll(
        List.of(
            kind(Item.class, item("a"), item("b")),
            kind(Named.class, item("a"), item("b")),
            kind(Object.class, "text", item("b")),
            kind(Number.class, 1, new BigDecimal("2.5")),
            kind("java.lang.Comparable<?>", "text", DayOfWeek.FRIDAY)));
    return kinds;
  }

  static Stream<Object[]> kindsAndForms() {
    return kinds().stream()
        .flatMap(
            kind ->
                Arrays.stream(Form.values())
                    .filter(form -> form.isFor(kind))
                    .map(form -> new Object[] {kind, form}));
  }

  private static @Nullable URLClassLoader classes;

  @BeforeAll
  static void compile(@TempDir Path directory) throws IOException {
    StringBuilder source =
        new StringBuilder("package org.example; import io.pmstore.proxy.bytecode.AccessorsTest;\n");
    kindsAndForms()
        .forEach(
            both -> {
              Kind kind = (Kind) both[0];
              Form form = (Form) both[1];
              String type = form.source.formatted(form.name(kind), kind.type());
              source.append("@io.pmstore.Persistent ").append(type).append('\n');
            });
    Path file = Files.writeString(directory.resolve("All.java"), source);
    String classPath =
        Stream.of(AccessorsTest.class, Persistent.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .map(location -> Path.of(URI.create(location.toString())).toString())
            .collect(Collectors.joining(File.pathSeparator));
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-d",
                directory.toString(),
                "-cp",
                classPath,
                "-proc:none",
                "-nowarn",
                file.toString());
    assertEquals(0, failed, source::toString);
    classes =
        new URLClassLoader(
            new URL[] {directory.toUri().toURL()}, AccessorsTest.class.getClassLoader());
  }

  @AfterAll
  static void closeClasses() throws IOException {
    if (classes != null) {
      classes.close();
    }
  }

  @ParameterizedTest
  @MethodSource("kindsAndForms")
  void whatWasSetIsReturned(Kind kind, Form form) throws ReflectiveOperationException {
    Class<?> type = Class.forName("org.example." + form.name(kind), true, classes);
    Object bean = store().root("bean", type);
    set(bean, kind.first());
    isSame(kind.first(), get(bean), "after a transaction of its own");
    store()
        .<ReflectiveOperationException>transaction(
            () -> {
              set(bean, kind.second());
              isSame(kind.second(), get(bean), "in its transaction");
            });
    isSame(kind.second(), get(bean), "after the transaction");
    rolledBack(
        () -> {
          try {
            set(bean, kind.first());
          } catch (ReflectiveOperationException e) {
            throw new LinkageError("a setter cannot be called", e);
          }
        });
    isSame(kind.second(), get(bean), "after one that was rolled back");
    reopen();
    isSame(kind.second(), get(store().root("bean", type)), "reopened");
    if (!kind.isPrimitive()) {
      set(store().root("bean", type), null);
      assertNull(get(store().root("bean", type)));
      reopen();
      assertNull(get(store().root("bean", type)), "null, reopened");
    }
  }

  private static void isSame(Object expected, @Nullable Object actual, String when) {
    // What the store has knows how to compare itself with a plain object, but not the reverse.
    assertTrue(Objects.deepEquals(actual, expected), () -> when + ": " + actual);
  }

  private static @Nullable Object get(Object bean) throws ReflectiveOperationException {
    return accessor(bean, 0).invoke(bean);
  }

  private static void set(Object bean, @Nullable Object value) throws ReflectiveOperationException {
    try {
      accessor(bean, 1).invoke(bean, value);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Error again) { // runs the transaction again
        throw again;
      }
      throw e;
    }
  }

  /** The accessor as the generated class declares or inherits it. */
  private static Method accessor(Object bean, int parameters) {
    Method found =
        Arrays.stream(bean.getClass().getMethods())
            .filter(m -> m.getName().matches("value|(get|is|set)Value"))
            .filter(m -> m.getParameterCount() == parameters)
            .findFirst()
            .orElseThrow();
    assertFalse(found.isSynthetic());
    found.setAccessible(true);
    return found;
  }
}
