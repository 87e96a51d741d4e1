package io.pmstore.proxy.facade;

import java.util.EmptyStackException;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The methods that {@code Stack} adds to {@code Vector}. */
final class StackExtras {
  private StackExtras() {}

  static @Nullable Object push(List<@Nullable Object> list, @Nullable Object element) {
    list.add(element);
    return element;
  }

  static @Nullable Object pop(List<@Nullable Object> list) {
    try {
      return list.removeLast();
    } catch (NoSuchElementException e) {
      throw empty(e);
    }
  }

  static @Nullable Object peek(List<@Nullable Object> list) {
    try {
      return list.getLast();
    } catch (NoSuchElementException e) {
      throw empty(e);
    }
  }

  private static EmptyStackException empty(NoSuchElementException cause) {
    EmptyStackException thrown = new EmptyStackException();
    thrown.initCause(cause);
    return thrown;
  }

  static boolean empty(List<@Nullable Object> list) {
    return list.isEmpty();
  }

  static int search(View view, @Nullable Object element) {
    List<@Nullable Object> list = View.list(view);
    return View.read(
        view,
        () -> {
          int index = list.lastIndexOf(element);
          return index < 0 ? -1 : list.size() - index;
        });
  }
}
