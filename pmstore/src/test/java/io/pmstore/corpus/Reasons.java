package io.pmstore.corpus;

import java.util.LinkedHashMap;
import java.util.Map;

/** What became of a class, in few words: the rows of the table. */
final class Reasons {
  static final String EQUAL = "kept, and equal after reopening";
  static final String REFUSED = "refused: ";

  private static final Map<String, String> REFUSALS = new LinkedHashMap<>();

  static {
    REFUSALS.put("it is final", "the class is final");
    REFUSALS.put("Cloneable", "the class is Cloneable");
    REFUSALS.put("which another run could not find", "a comparator without a name");
    REFUSALS.put("is not private", "a field is not private");
    REFUSALS.put("declare it as", "a property is declared as a class of collections");
    REFUSALS.put(
        "which is neither a value type", "a property of a type that the store does not know");
    REFUSALS.put("a constructor", "a constructor uses fields of other objects");
    REFUSALS.put("static", "a static method uses fields of an object");
    REFUSALS.put("is final, so", "a final method uses fields");
    REFUSALS.put("calls a private method", "another class of the nest uses the fields");
    REFUSALS.put(" directly", "another class of the nest uses the fields");
  }

  private Reasons() {}

  /** The row that an outcome counts in. */
  static String of(String outcome) {
    if (outcome.startsWith(REFUSED)) {
      for (Map.Entry<String, String> reason : REFUSALS.entrySet()) {
        if (outcome.contains(reason.getKey())) {
          return REFUSED + reason.getValue();
        }
      }
      return REFUSED + "other";
    }
    int end = outcome.indexOf(':');
    return end < 0 ? outcome : outcome.substring(0, end);
  }

  /** Says whether the class is kept as it is, or refused in words. */
  static boolean isSound(String outcome) {
    return outcome.equals(EQUAL) || outcome.startsWith(REFUSED);
  }
}
