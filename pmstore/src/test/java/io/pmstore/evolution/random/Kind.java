package io.pmstore.evolution.random;

import java.util.List;

/** What a property can be declared as. */
enum Kind {
  BOOLEAN("boolean"),
  BYTE("byte"),
  SHORT("short"),
  CHAR("char"),
  INT("int"),
  LONG("long"),
  FLOAT("float"),
  DOUBLE("double"),
  BOXED_BOOLEAN("Boolean"),
  BOXED_BYTE("Byte"),
  BOXED_SHORT("Short"),
  BOXED_CHAR("Character"),
  BOXED_INT("Integer"),
  BOXED_LONG("Long"),
  BOXED_FLOAT("Float"),
  BOXED_DOUBLE("Double"),
  NUMBER("Number"),
  STRING("String"),
  DECIMAL("java.math.BigDecimal"),
  INSTANT("java.time.Instant"),
  INTS("int[]"),
  STRINGS("String[]"),
  LIST("java.util.List"),
  DEQUE("java.util.Deque"),
  SET("java.util.Set"),
  MAP("java.util.Map"),
  /** Its keys are of one type: records if the type has any, else strings. */
  SORTED_MAP("java.util.SortedMap"),
  /** As with the map. */
  SORTED_SET("java.util.NavigableSet"),
  /** The enum that the type names. */
  ENUM(""),
  /** The record that the type names. */
  RECORD(""),
  /** The class that the type names. */
  CLASS(""),
  /** An interface of all classes and enums of a program. */
  THING("Thing"),
  OBJECT("Object");

  private static final int PRIMITIVES = 8;

  final String text;

  Kind(String text) {
    this.text = text;
  }

  boolean isPrimitive() {
    return ordinal() < PRIMITIVES;
  }

  /** The box of a primitive kind. */
  Kind boxed() {
    return values()[ordinal() + PRIMITIVES];
  }

  /** The primitive kinds that have room for all values of this one. */
  List<Kind> wider() {
    return switch (this) {
      case BYTE -> List.of(SHORT, INT, LONG, FLOAT, DOUBLE);
      case SHORT -> List.of(INT, LONG, FLOAT, DOUBLE);
      case CHAR -> List.of(INT, LONG, FLOAT, DOUBLE);
      case INT -> List.of(LONG, DOUBLE);
      case FLOAT -> List.of(DOUBLE);
      default -> List.of();
    };
  }

  /** Whether a value of the kind is a number, also when it is boxed. */
  boolean isNumeric() {
    return switch (this) {
      case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> true;
      case BOXED_BYTE, BOXED_SHORT, BOXED_INT, BOXED_LONG, BOXED_FLOAT, BOXED_DOUBLE -> true;
      default -> false;
    };
  }
}
