package io.pmstore.proxy.facade;

import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How {@code ConcurrentLinkedDeque} differs from other deques: it refuses to remove null. */
final class ConcurrentLinkedDequeExtras {
  private ConcurrentLinkedDequeExtras() {}

  static boolean remove(Deque<Object> deque, @Nullable Object element) {
    return removeFirstOccurrence(deque, element);
  }

  static boolean removeFirstOccurrence(Deque<Object> deque, @Nullable Object element) {
    return deque.removeFirstOccurrence(Objects.requireNonNull(element, "element"));
  }

  static boolean removeLastOccurrence(Deque<Object> deque, @Nullable Object element) {
    return deque.removeLastOccurrence(Objects.requireNonNull(element, "element"));
  }
}
