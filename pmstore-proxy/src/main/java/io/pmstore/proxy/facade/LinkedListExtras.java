package io.pmstore.proxy.facade;

import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The {@code Deque} methods of {@code LinkedList}. */
final class LinkedListExtras {
  private LinkedListExtras() {}

  private static @Nullable Object orNull(
      View view, Function<List<@Nullable Object>, @Nullable Object> end) {
    List<@Nullable Object> list = View.list(view);
    return list.isEmpty() ? null : end.apply(list);
  }

  // -- the ends

  static boolean offer(List<@Nullable Object> list, @Nullable Object element) {
    return list.add(element);
  }

  static boolean offerFirst(List<@Nullable Object> list, @Nullable Object element) {
    list.addFirst(element);
    return true;
  }

  static boolean offerLast(List<@Nullable Object> list, @Nullable Object element) {
    list.addLast(element);
    return true;
  }

  static void push(List<@Nullable Object> list, @Nullable Object element) {
    list.addFirst(element);
  }

  static @Nullable Object element(List<@Nullable Object> list) {
    return list.getFirst();
  }

  static @Nullable Object remove(List<@Nullable Object> list) {
    return list.removeFirst();
  }

  static @Nullable Object pop(List<@Nullable Object> list) {
    return list.removeFirst();
  }

  static @Nullable Object peek(View view) {
    return peekFirst(view);
  }

  static @Nullable Object peekFirst(View view) {
    return View.read(view, () -> orNull(view, List::getFirst));
  }

  static @Nullable Object peekLast(View view) {
    return View.read(view, () -> orNull(view, List::getLast));
  }

  static @Nullable Object poll(View view) {
    return pollFirst(view);
  }

  static @Nullable Object pollFirst(View view) {
    return View.write(view, () -> orNull(view, List::removeFirst));
  }

  static @Nullable Object pollLast(View view) {
    return View.write(view, () -> orNull(view, List::removeLast));
  }

  // -- the rest

  static boolean removeFirstOccurrence(List<@Nullable Object> list, @Nullable Object element) {
    return list.remove(element);
  }

  static boolean removeLastOccurrence(View view, @Nullable Object element) {
    return View.write(
        view,
        () -> {
          int index = View.list(view).lastIndexOf(element);
          if (index >= 0) {
            View.list(view).remove(index);
          }
          return index >= 0;
        });
  }

  static Iterator<@Nullable Object> descendingIterator(List<@Nullable Object> list) {
    return list.reversed().iterator();
  }

  static Object reversed(View view) {
    return FacadeClass.reversed(view);
  }
}
