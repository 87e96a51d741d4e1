package io.pmstore.spring.boot;

import io.pmstore.PmStoreOptions;

/**
 * Changes the options with which the application's store is opened, for what no property says:
 * {@linkplain PmStoreOptions#valueType value types}, for instance. Every bean of this type is
 * called once, in their order, after the properties and the {@link io.pmstore.Migration} beans.
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
