package io.pmstore.proxy.facade;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of null by {@code Hashtable}, which differs from that of {@code Properties} and
 * concurrent maps.
 */
final class NullsOfHashtable {
  private NullsOfHashtable() {}

  static boolean remove(
      Map<@Nullable Object, @Nullable Object> map, @Nullable Object key, @Nullable Object value) {
    return map.remove(key, Objects.requireNonNull(value, "a Hashtable has no null value"));
  }
}
