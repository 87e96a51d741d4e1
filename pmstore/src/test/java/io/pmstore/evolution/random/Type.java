package io.pmstore.evolution.random;

/**
 * The type of a property.
 *
 * @param kind what it is
 * @param of the class, record or enum that it names; of collections what they hold, of sorted ones
 *     their keys; null if there is none
 */
record Type(Kind kind, Definition of) {
  static Type of(Kind kind) {
    return new Type(kind, null);
  }

  /** As it stands in the source. */
  String text() {
    String held = of == null ? "Object" : of.name;
    String key = of == null ? "String" : of.name;
    return switch (kind) {
      case ENUM, RECORD, CLASS -> of.name;
      case LIST, DEQUE, SET -> kind.text + "<" + held + ">";
      case MAP -> kind.text + "<Object, " + held + ">";
      case SORTED_MAP -> kind.text + "<" + key + ", Object>";
      case SORTED_SET -> kind.text + "<" + key + ">";
      default -> kind.text;
    };
  }
}
