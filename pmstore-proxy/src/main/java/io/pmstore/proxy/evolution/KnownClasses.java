package io.pmstore.proxy.evolution;

import org.jspecify.annotations.Nullable;

/** Finds the classes of the program by the names that a store has for them. */
@FunctionalInterface
public interface KnownClasses {
  /**
   * Returns the class that has a name or had it before it was renamed; null if the program has
   * none.
   *
   * @param name a binary name
   * @throws io.pmstore.ClassRefusedException if two classes claim the name
   */
  @Nullable Class<?> lookUp(String name);
}
