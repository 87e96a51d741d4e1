package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Words the refusals of one class alike: which class, what is wrong and where, and what to change.
 *
 * @param type the class
 * @param found takes the refusals that {@link #report} gets, so that all can be told; null to throw
 *     the first one
 * @param warnings takes what {@link #warn} gets; null to drop it
 */
record Refusal(Class<?> type, @Nullable Set<String> found, @Nullable Set<String> warnings) {
  /** Refuses a class at its first fault. */
  Refusal(Class<?> type) {
    this(type, null, null);
  }

  /** Notes faults. */
  Refusal(Class<?> type, Set<String> found) {
    this(type, found, null);
  }

  /**
   * Makes the exception of a fault after which nothing more can be looked at.
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

  /**
   * Refuses the class, or notes that and returns.
   *
   * @param what what was found, and where
   * @param remedy what to change
   * @throws ClassRefusedException unless all faults are looked for
   */
  void report(String what, String remedy) {
    ClassRefusedException refused = because(what, remedy);
    if (found == null) {
      throw refused;
    }
    found.add(String.valueOf(refused.getMessage()));
  }

  /**
   * Says what of a class may not do what its author wants, though it is accepted.
   *
   * @param what what was found, where, and what to do
   */
  void warn(String what) {
    if (warnings != null) {
      warnings.add("class " + type.getName() + ": " + what);
    }
  }
}
