package io.pmstore.evolution.random;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Draws types and values for a program. */
final class Draw {
  private static final Kind[] KINDS = Kind.values();

  private final Program program;
  private final Oracle oracle;
  private final Random random;

  Draw(Program program, Oracle oracle) {
    this.program = program;
    this.oracle = oracle;
    this.random = program.random;
  }

  /** A type for a new property of a class. */
  Type propertyType() {
    return type(KINDS[random.nextInt(KINDS.length)]);
  }

  /** A type for a new component: without collections, which are not values. */
  Type componentType() {
    Kind kind;
    do {
      kind = KINDS[random.nextInt(KINDS.length)];
    } while (kind.text.startsWith("java.util.") || kind.text.endsWith("[]") || kind == Kind.RECORD);
    return type(kind);
  }

  private Type type(Kind kind) {
    Definition of =
        switch (kind) {
          case ENUM -> program.pick(program.enums);
          case RECORD -> program.pick(program.records);
          case CLASS -> program.pick(program.classes);
          case LIST, DEQUE, MAP, SET -> random.nextBoolean() ? program.pick(program.classes) : null;
          case SORTED_MAP, SORTED_SET -> random.nextBoolean() ? program.key : null;
          default -> null;
        };
    if (of != null && of.isClass()) {
      of.isUsedAsType = true;
    }
    return new Type(kind, of);
  }

  /** What a new property of a type begins with: a value that source can be written for. */
  Object initial(Type type) {
    if (random.nextInt(3) == 0) {
      return Values.zero(type);
    }
    return switch (type.kind()) {
      case CLASS -> null;
      case LIST, DEQUE ->
          random.nextBoolean() || type.of() != null ? new ArrayList<>() : listOf("first", 2);
      case SET ->
          random.nextBoolean() || type.of() != null ? new HashSet<>() : new HashSet<>(Set.of("in"));
      case SORTED_SET ->
          random.nextBoolean() || type.of() != null ? new HashSet<>() : new HashSet<>(Set.of("in"));
      case MAP, SORTED_MAP -> new HashMap<>();
      case THING -> program.pick(program.pick(program.enums).members);
      case OBJECT -> program.pick(List.of("any", 7, 8L));
      case RECORD -> record(type.of(), false);
      default -> value(type);
    };
  }

  private static List<Object> listOf(Object... elements) {
    return new ArrayList<>(List.of(elements));
  }

  Object value(Type type) {
    return value(type, true);
  }

  private Object value(Type type, boolean withObjects) {
    int number = random.nextInt(200) - 50;
    if (!type.kind().isPrimitive() && random.nextInt(6) == 0) {
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN, BOXED_BOOLEAN -> number > 0;
      case BYTE, BOXED_BYTE -> (byte) number;
      case SHORT, BOXED_SHORT -> (short) (number * 100);
      case CHAR, BOXED_CHAR -> (char) (number + 60);
      case INT, BOXED_INT -> number * 1_000_003;
      case LONG, BOXED_LONG -> (long) number << 33;
      case FLOAT, BOXED_FLOAT -> number / 7f;
      case DOUBLE, BOXED_DOUBLE -> number / 7.0;
      case NUMBER ->
          program.<Object>pick(List.of(number, (long) number, BigDecimal.valueOf(number)));
      case STRING -> "text".repeat(random.nextInt(9)) + number;
      case DECIMAL -> BigDecimal.valueOf(number, 3);
      case INSTANT -> Instant.ofEpochSecond(number);
      case INTS -> new Values.OfArray("int[]", listOf(number, -number));
      case STRINGS -> new Values.OfArray("String[]", listOf("x" + number, ""));
      case LIST, DEQUE -> list(type);
      case SET -> new HashSet<>(elements(type, true));
      case MAP -> map(type);
      case SORTED_SET -> new HashSet<>(keys(type));
      case SORTED_MAP -> {
        Map<Object, Object> map = new HashMap<>();
        keys(type).forEach(key -> map.put(key, element(false)));
        yield map;
      }
      case ENUM -> program.pick(type.of().members);
      case RECORD -> record(type.of(), withObjects);
      case CLASS -> withObjects ? entity(type.of()) : null;
      case THING -> withObjects ? thing() : null;
      case OBJECT ->
          withObjects && random.nextInt(4) == 0 ? list(type) : withObjects ? element(false) : "any";
    };
  }

  private Object thing() {
    Entity entity = entity(program.base);
    return random.nextBoolean() && entity != null
        ? entity
        : program.pick(program.pick(program.enums).members);
  }

  private Entity entity(Definition type) {
    List<Entity> fitting = oracle.listed().stream().filter(e -> e.type.isA(type)).toList();
    return fitting.isEmpty() ? null : program.pick(fitting);
  }

  /** A record; it has no collections, with which it could be no key. */
  Values.OfRecord record(Definition type, boolean withObjects) {
    Map<Integer, Object> parts = new HashMap<>();
    for (Member component : type.members) {
      Object value =
          component.type.kind() == Kind.OBJECT && withObjects
              ? element(true)
              : value(component.type, withObjects);
      boolean needed = component.isFixed && value == null;
      // Keys compare by such components only: a sorted map keeps one of two that are equal there.
      parts.put(component.number, needed ? "needed" + random.nextInt(1_000_000) : value);
    }
    return new Values.OfRecord(type, parts);
  }

  private List<Object> list(Type type) {
    return new ArrayList<>(elements(type, false));
  }

  private List<Object> elements(Type type, boolean hashable) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      elements.add(element(type, hashable));
    }
    elements.removeIf(element -> element == null);
    return elements;
  }

  private Map<Object, Object> map(Type type) {
    Map<Object, Object> map = new HashMap<>();
    elements(Type.of(Kind.SET), true).forEach(key -> map.put(key, element(type, false)));
    return map;
  }

  private List<Object> keys(Type type) {
    List<Object> keys = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      keys.add(type.of() == null ? "k" + random.nextInt(20) : record(type.of(), true));
    }
    return keys;
  }

  /** Something that a collection of a type can hold. */
  Object element(Type type, boolean hashable) {
    return switch (type.kind()) {
      case SORTED_SET, SORTED_MAP ->
          type.of() == null ? "k" + random.nextInt(20) : record(type.of(), true);
      default -> type.of() == null ? element(hashable) : entity(type.of());
    };
  }

  private Object element(boolean hashable) {
    int number = random.nextInt(20);
    Object element =
        switch (random.nextInt(hashable ? 5 : 7)) {
          case 0 -> number;
          case 1 -> "e" + number;
          case 2 -> record(program.key, true);
          case 3 -> program.pick(program.pick(program.enums).members);
          case 4 -> entity(program.base);
          case 5 -> record(program.pick(program.records), true);
          default -> (long) number;
        };
    return element == null ? "none" : element;
  }
}
