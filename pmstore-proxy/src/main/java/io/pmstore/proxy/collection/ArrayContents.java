package io.pmstore.proxy.collection;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Hashes elements and values. Each read of an array gives a new copy, so arrays are equal if their
 * contents are, as {@link Objects#deepEquals} compares them.
 */
final class ArrayContents {
  private ArrayContents() {}

  /** Returns the hash code of a value; of an array, also in an entry, that of its contents. */
  static int hash(@Nullable Object value) {
    if (value instanceof Map.Entry<?, ?> entry) {
      return Objects.hashCode(entry.getKey()) ^ hash(entry.getValue());
    }
    return value != null && value.getClass().isArray()
        ? Arrays.deepHashCode(new Object[] {value})
        : Objects.hashCode(value);
  }
}
