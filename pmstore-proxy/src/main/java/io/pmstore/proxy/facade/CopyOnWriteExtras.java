package io.pmstore.proxy.facade;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The differences between the JDK's copy-on-write collections and others: an iteration reads a
 * snapshot of the elements, and cannot change the collection.
 */
final class CopyOnWriteExtras {
  private CopyOnWriteExtras() {}

  /** Returns the current elements in an unmodifiable list. */
  static List<@Nullable Object> state(Collection<@Nullable Object> collection) {
    return Collections.unmodifiableList(Arrays.asList(collection.toArray()));
  }

  static Iterator<@Nullable Object> iterator(Collection<@Nullable Object> collection) {
    return state(collection).iterator();
  }

  static void forEach(
      Collection<@Nullable Object> collection, Consumer<? super @Nullable Object> action) {
    state(collection).forEach(action);
  }

  static Spliterator<@Nullable Object> spliterator(Collection<@Nullable Object> collection) {
    return state(collection).spliterator();
  }

  static Stream<@Nullable Object> stream(Collection<@Nullable Object> collection) {
    return state(collection).stream();
  }

  static Stream<@Nullable Object> parallelStream(Collection<@Nullable Object> collection) {
    return state(collection).parallelStream();
  }
}
