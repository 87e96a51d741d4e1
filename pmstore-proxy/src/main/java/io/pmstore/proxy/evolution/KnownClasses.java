package io.pmstore.proxy.evolution;

import org.jspecify.annotations.Nullable;

/** The classes of the program by the names that a store has for them. */
@FunctionalInterface
public interface KnownClasses {
  /**
   * Finds the class that goes by a name, or did so before it was renamed.
   *
   * @param name a binary name
   * @return the class, or null if the program has none
   * @throws io.pmstore.ClassRefusedException if two classes claim the name
   */
  @Nullable Class<?> lookUp(String name);
}
