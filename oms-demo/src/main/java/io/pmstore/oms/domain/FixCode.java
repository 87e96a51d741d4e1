package io.pmstore.oms.domain;

/** A constant that stands for a value of a FIX field. */
public interface FixCode {
  /** The value of the FIX field. */
  char code();

  /**
   * Finds the constant of a value.
   *
   * @param field the name of the FIX field, for the message
   * @throws IllegalArgumentException if the order management system does not use the value
   */
  static <T extends FixCode> T find(T[] constants, char code, String field) {
    for (T constant : constants) {
      if (constant.code() == code) {
        return constant;
      }
    }
    throw new IllegalArgumentException(field + " '" + code + "' is not supported");
  }
}
