package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;

/**
 * Words the refusals of one class alike: which class, what is wrong and where, and what to change.
 */
record Refusal(Class<?> type) {
  /**
   * Makes the exception.
   *
   * @param what what was found, and where
   * @param remedy what to change
   */
  ClassRefusedException because(String what, String remedy) {
    return new ClassRefusedException(
        (type.isInterface() ? "interface " : "class ")
            + type.getName()
            + " cannot be kept in a store: "
            + what
            + "; "
            + remedy);
  }
}
