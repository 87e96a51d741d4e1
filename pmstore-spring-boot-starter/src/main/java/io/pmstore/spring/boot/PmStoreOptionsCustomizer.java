package io.pmstore.spring.boot;

import io.pmstore.PmStoreOptions;

/**
 * Changes the options with which the starter opens the application's store. Use it for options that
 * have no property, such as {@linkplain PmStoreOptions#valueType value types}. The starter calls
 * each bean of this type once, in the order of the beans, after it has applied the properties and
 * the {@link io.pmstore.Migration} beans.
 */
@FunctionalInterface
public interface PmStoreOptionsCustomizer {
  /**
   * Changes the options.
   *
   * @param options the options so far
   * @return the changed copy
   */
  PmStoreOptions customize(PmStoreOptions options);
}
