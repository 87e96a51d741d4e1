package io.pmstore.proxy.embedded;

import io.pmstore.proxy.path.Path;
import org.jspecify.annotations.Nullable;

/** Turns what a record or an array holds into what a store keeps. */
@FunctionalInterface
public interface Admission {
  /**
   * Admits one part.
   *
   * @param value the part, or null
   * @param path how it is reached
   * @return a value, a persistent object of the store, or null
   * @throws io.pmstore.NotPersistableException if it cannot be stored
   */
  @Nullable Object admit(@Nullable Object value, Path path);
}
