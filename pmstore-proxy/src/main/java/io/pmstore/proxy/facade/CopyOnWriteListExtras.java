package io.pmstore.proxy.facade;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The methods that {@code CopyOnWriteArrayList} adds to {@code List}. */
final class CopyOnWriteListExtras {
  private CopyOnWriteListExtras() {}

  static boolean addIfAbsent(View view, @Nullable Object element) {
    return View.write(
        view, () -> !View.list(view).contains(element) && View.list(view).add(element));
  }

  /** Adds all at once, so that one that is refused adds none, and removes what it added twice. */
  static int addAllAbsent(View view, Collection<?> elements) {
    return View.write(
        view,
        () -> {
          List<@Nullable Object> list = View.list(view);
          List<@Nullable Object> absent = new ArrayList<>();
          for (Object element : elements) {
            if (!list.contains(element)) {
              absent.add(element);
            }
          }
          int before = list.size();
          list.addAll(absent);
          for (int i = list.size() - 1; i > before; i--) {
            int first = list.indexOf(list.get(i));
            if (first >= 0 && first < i) {
              list.remove(i);
            }
          }
          return list.size() - before;
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
}
