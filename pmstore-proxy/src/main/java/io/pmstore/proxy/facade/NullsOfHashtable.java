package io.pmstore.proxy.facade;

import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What {@code Hashtable} does with null, other than {@code Properties} and concurrent maps. */
final class NullsOfHashtable {
  private NullsOfHashtable() {}

  @SuppressWarnings("unchecked") // the target of a Hashtable is a map
  private static Map<@Nullable Object, @Nullable Object> map(View view) {
    return (Map<@Nullable Object, @Nullable Object>) view.pmstoreTarget();
  }

  static boolean remove(View view, @Nullable Object key, @Nullable Object value) {
    return map(view).remove(key, Objects.requireNonNull(value, "a Hashtable has no null value"));
  }

  /** Lets the function combine a value with null, and puts nothing if there is no value. */
  static @Nullable Object merge(
      View view,
      @Nullable Object key,
      @Nullable Object value,
      BiFunction<Object, @Nullable Object, @Nullable Object> function) {
    Objects.requireNonNull(function, "function");
    return value == null
        ? map(view).computeIfPresent(key, (of, present) -> function.apply(present, null))
        : map(view).merge(key, value, function);
  }
}
