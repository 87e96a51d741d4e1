package io.pmstore.proxy.upgrade;

import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Unmodifiable stand-ins for new collections where nothing can be stored. */
final class Unmodifiable {
  private Unmodifiable() {}

  /** Returns an unmodifiable collection of the same kind as an empty one; null if there is none. */
  static @Nullable Object empty(Object made) {
    return switch (made) {
      case Map<?, ?> map when !map.isEmpty() -> null;
      case NavigableMap<?, ?> map -> Collections.unmodifiableNavigableMap(map);
      case Map<?, ?> map -> Collections.unmodifiableMap(map);
      case Collection<?> collection when !collection.isEmpty() -> null;
      case Deque<?> _ -> null; // the JDK has no unmodifiable one
      case List<?> list -> Collections.unmodifiableList(list);
      case NavigableSet<?> set -> Collections.unmodifiableNavigableSet(set);
      case Set<?> set -> Collections.unmodifiableSet(set);
      default -> null;
    };
  }
}
