package io.pmstore.proxy.evolution;

import java.util.Set;

/** Knows the migration functions of the program. Implementations are thread-safe. */
@FunctionalInterface
public interface Functions {
  /**
   * Returns true if there is a function for a property.
   *
   * @param type the class as it is now
   * @param classNames the names that the class has or had
   * @param property the name of the property in today's class
   */
  boolean has(Class<?> type, Set<String> classNames, String property);
}
