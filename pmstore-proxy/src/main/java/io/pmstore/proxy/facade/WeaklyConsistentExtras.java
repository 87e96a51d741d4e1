package io.pmstore.proxy.facade;

import io.pmstore.proxy.collection.PersistentDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How the JDK's concurrent queues and deques differ from others: whoever iterates may add and
 * remove elements meanwhile.
 */
final class WeaklyConsistentExtras {
  private WeaklyConsistentExtras() {}

  private static Deque<Object> weak(Deque<Object> deque) {
    return ((PersistentDeque<Object>) deque).weaklyConsistent();
  }

  static Iterator<Object> iterator(Deque<Object> deque) {
    return weak(deque).iterator();
  }

  static Iterator<Object> descendingIterator(Deque<Object> deque) {
    return weak(deque).descendingIterator();
  }

  static void forEach(Deque<Object> deque, Consumer<? super Object> action) {
    weak(deque).forEach(action);
  }

  static Spliterator<Object> spliterator(Deque<Object> deque) {
    return weak(deque).spliterator();
  }

  static Stream<Object> stream(Deque<Object> deque) {
    return weak(deque).stream();
  }

  static Stream<Object> parallelStream(Deque<Object> deque) {
    return weak(deque).parallelStream();
  }

  static boolean removeIf(Deque<Object> deque, Predicate<? super Object> filter) {
    return weak(deque).removeIf(filter);
  }

  static Deque<Object> reversed(Deque<Object> deque) {
    return weak(deque).reversed();
  }
}
