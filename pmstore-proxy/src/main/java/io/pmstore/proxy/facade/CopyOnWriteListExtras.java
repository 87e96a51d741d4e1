package io.pmstore.proxy.facade;

import java.util.Collection;
import java.util.List;
import java.util.ListIterator;
import org.jspecify.annotations.Nullable;

/** The methods that {@code CopyOnWriteArrayList} adds to {@code List}. */
final class CopyOnWriteListExtras {
  private CopyOnWriteListExtras() {}

  static boolean addIfAbsent(View view, @Nullable Object element) {
    return View.write(
        view, () -> !View.list(view).contains(element) && View.list(view).add(element));
  }

  static int addAllAbsent(View view, Collection<?> elements) {
    return View.write(
        view,
        () -> {
          int added = 0;
          for (Object element : elements) {
            added += addIfAbsent(view, element) ? 1 : 0;
          }
          return added;
        });
  }

  static int indexOf(View view, @Nullable Object element, int from) {
    return VectorExtras.indexOf(view, element, from);
  }

  static int lastIndexOf(View view, @Nullable Object element, int from) {
    return VectorExtras.lastIndexOf(view, element, from);
  }

  static Object subList(View view, int from, int to) {
    return FacadeClass.part(view, from, to);
  }

  static Object reversed(View view) {
    return FacadeClass.reversed(view);
  }

  static ListIterator<@Nullable Object> listIterator(List<@Nullable Object> list) {
    return CopyOnWriteExtras.state(list).listIterator();
  }

  static ListIterator<@Nullable Object> listIterator(List<@Nullable Object> list, int index) {
    return CopyOnWriteExtras.state(list).listIterator(index);
  }
}
