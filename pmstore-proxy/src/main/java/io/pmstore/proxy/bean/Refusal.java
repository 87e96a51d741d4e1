package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Formulates the refusals of one class: the class, what is wrong and where, and what to change.
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

  /** Returns true if the author vouches that no other code uses the fields. */
  boolean trustsFields() {
    Persistent annotation = type.getAnnotation(Persistent.class);
    return annotation != null && annotation.trustFields();
  }

  /** Returns true for the name of the class or of a superclass. */
  boolean isInHierarchy(String name) {
    for (Class<?> k = type; k != null; k = k.getSuperclass()) {
      if (k.getName().equals(name)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns {@code " of Base"} for a member of another class than the refused one, else nothing.
   */
  String of(Class<?> owner) {
    return owner == type ? "" : " of " + owner.getName();
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
