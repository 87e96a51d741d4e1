package io.pmstore.proxy.slot;

import io.pmstore.proxy.path.Path;
import org.jspecify.annotations.Nullable;

/** Converts the parts of a record or array to what the store keeps. */
@FunctionalInterface
public interface Admission {
  /**
   * Converts one part.
   *
   * @param value the part, or null
   * @param path leads to the part
   * @return a value, a persistent object of the store, or null
   * @throws io.pmstore.NotPersistableException if it cannot be stored
   */
  @Nullable Object admit(@Nullable Object value, Path path);
}
