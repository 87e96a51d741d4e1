package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Formulates the refusals of one class alike: the class, what is wrong and where, and what to
 * change.
 *
 * @param type the class
 * @param found takes the refusals that {@link #report} gets, so that all can be told; null to throw
 *     the first one
 * @param warnings takes what {@link #warn} gets; null to drop it
 */
record Refusal(Class<?> type, @Nullable Set<String> found, @Nullable Set<String> warnings) {
  /** Throws at the first fault. */
  Refusal(Class<?> type) {
    this(type, null, null);
  }

  /** Collects all faults. */
  Refusal(Class<?> type, Set<String> found) {
    this(type, found, null);
  }

  /**
   * Returns the exception for a fault that ends the examination. {@code what} says what was found
   * and where, {@code remedy} what to change.
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
   * Refuses the class, or collects the fault and returns.
   *
   * @throws ClassRefusedException unless faults are collected
   */
  void report(String what, String remedy) {
    ClassRefusedException refused = because(what, remedy);
    if (found == null) {
      throw refused;
    }
    found.add(String.valueOf(refused.getMessage()));
  }

  /**
   * Collects a warning about an accepted class: what may surprise its author, where, and what to
   * do.
   */
  void warn(String what) {
    if (warnings != null) {
      warnings.add("class " + type.getName() + ": " + what);
    }
  }
}
