package io.pmstore.evolution.random;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The values of the {@link Oracle}, which belong to no version's classes: boxes, strings and the
 * like are themselves; a constant is its {@link Member}, an object its {@link Entity}; lists and
 * deques are lists, sorted maps and sets are maps and sets.
 */
final class Values {
  /**
   * A record.
   *
   * @param type its record
   * @param parts the components by their numbers
   */
  record OfRecord(Definition type, Map<Integer, Object> parts) {}

  /**
   * An array.
   *
   * @param type of it, as Java names it
   * @param elements what is in it
   */
  record OfArray(String type, List<Object> elements) {}

  private Values() {}

  /** Whether each object has a value of its own, with an identity or a content that changes. */
  static boolean isOwn(Object value) {
    return value instanceof Collection || value instanceof Map || value instanceof OfArray;
  }

  /** A value in which everything is replaced, from the inside out; the collections are new. */
  static Object map(Object value, UnaryOperator<Object> replacement) {
    Object mapped =
        switch (value) {
          case null -> null;
          case OfRecord(Definition type, Map<Integer, Object> parts) -> {
            Map<Integer, Object> replaced = new HashMap<>();
            parts.forEach((number, part) -> replaced.put(number, map(part, replacement)));
            yield new OfRecord(type, replaced);
          }
          case List<?> list -> {
            List<Object> elements = new ArrayList<>();
            list.forEach(element -> elements.add(map(element, replacement)));
            yield elements;
          }
          case Set<?> set -> {
            Set<Object> elements = new HashSet<>();
            set.forEach(element -> elements.add(map(element, replacement)));
            yield elements;
          }
          case Map<?, ?> map -> {
            Map<Object, Object> entries = new HashMap<>();
            map.forEach((k, v) -> entries.put(map(k, replacement), map(v, replacement)));
            yield entries;
          }
          default -> value;
        };
    return mapped == null ? null : replacement.apply(mapped);
  }

  /** What a variable of a type has that was never assigned. */
  static Object zero(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> false;
      case CHAR -> (char) 0;
      case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> widened(0, type);
      default -> null;
    };
  }

  /** A value as one of a type to which its own can be assigned. */
  static Object widened(Object value, Type to) {
    if (value == null) {
      return null;
    }
    Number number = value instanceof Character character ? (int) character : null;
    number = value instanceof Number itself ? itself : number;
    return switch (to.kind()) {
      case BYTE, BOXED_BYTE -> number.byteValue();
      case SHORT, BOXED_SHORT -> number.shortValue();
      case INT, BOXED_INT -> number.intValue();
      case LONG, BOXED_LONG -> number.longValue();
      case FLOAT, BOXED_FLOAT -> number.floatValue();
      case DOUBLE, BOXED_DOUBLE -> number.doubleValue();
      default -> value;
    };
  }

  /** Java source for a value that a property of a type begins with. */
  static String source(Object value, Type type) {
    return switch (value) {
      case null -> type.kind().isPrimitive() ? zero(type) + "" : "null";
      case Boolean flag -> flag.toString();
      case Character character -> "(char) " + (int) character;
      case Byte number -> "(byte) " + number;
      case Short number -> "(short) " + number;
      case Integer number -> number.toString();
      case Long number -> number + "L";
      case Float number -> number + "f";
      case Double number -> number.toString();
      case String text -> '"' + text + '"';
      case BigDecimal number -> "new java.math.BigDecimal(\"" + number + "\")";
      case java.time.Instant time ->
          "java.time.Instant.ofEpochSecond(%dL)".formatted(time.getEpochSecond());
      case Member constant -> constantSource(constant, type);
      case OfRecord record -> recordSource(record);
      case OfArray array -> "new " + array.type() + " {" + elements(array.elements()) + "}";
      case List<?> list ->
          "new java.util.%s<>(java.util.List.of(%s))"
              .formatted(type.kind() == Kind.DEQUE ? "ArrayDeque" : "ArrayList", elements(list));
      case Set<?> set ->
          "new java.util.%s<>(java.util.List.of(%s))"
              .formatted(type.kind() == Kind.SORTED_SET ? "TreeSet" : "HashSet", elements(set));
      case Map<?, ?> _ ->
          "new java.util.%s<>()".formatted(type.kind() == Kind.SORTED_MAP ? "TreeMap" : "HashMap");
      default -> throw new AssertionError(value.getClass());
    };
  }

  private static String constantSource(Member constant, Type type) {
    return (type.of() == null ? constant.owner : type.of()).name + "." + constant.name;
  }

  private static String recordSource(OfRecord record) {
    List<String> parts = new ArrayList<>();
    for (Member component : record.type().members) {
      Object part = record.parts().get(component.number);
      parts.add(source(part, component.type));
    }
    return "new %s(%s)".formatted(record.type().name, String.join(", ", parts));
  }

  private static String elements(Collection<?> elements) {
    List<String> texts = new ArrayList<>();
    elements.forEach(element -> texts.add(source(element, Type.of(Kind.OBJECT))));
    return String.join(", ", texts);
  }
}
