package io.pmstore.proxy.facade;

import java.util.Collections;
import java.util.Enumeration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The methods that {@code Hashtable} adds to {@code Map}. */
final class HashtableExtras {
  private HashtableExtras() {}

  static boolean contains(Map<@Nullable Object, @Nullable Object> map, @Nullable Object value) {
    return map.containsValue(Objects.requireNonNull(value, "value"));
  }

  static Enumeration<@Nullable Object> keys(Map<@Nullable Object, @Nullable Object> map) {
    return Collections.enumeration(map.keySet());
  }

  static Enumeration<@Nullable Object> elements(Map<@Nullable Object, @Nullable Object> map) {
    return Collections.enumeration(map.values());
  }
}
