package io.pmstore.proxy.evolution;

import java.util.Set;

/** Which migration functions the program has given. Safe for use by any number of threads. */
@FunctionalInterface
public interface Functions {
  /**
   * Says whether there is a function for a property.
   *
   * @param type the class as it is now
   * @param classNames the names that the class has or had
   * @param property the name of the property in today's class
   * @return true if a function makes its values from old objects
   */
  boolean has(Class<?> type, Set<String> classNames, String property);
}
