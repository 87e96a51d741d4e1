package io.pmstore.proxy.facade;

import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.ListIterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The methods that {@code CopyOnWriteArrayList} adds to {@code List}. */
final class CopyOnWriteListExtras {
  private CopyOnWriteListExtras() {}

  static boolean addIfAbsent(View view, @Nullable Object element) {
    return View.write(
        view, () -> !View.list(view).contains(element) && View.list(view).add(element));
  }

  /** Adds all at once, so that one that is refused adds none. */
  static int addAllAbsent(View view, Collection<?> elements) {
    return View.write(
        view,
        () -> {
          List<@Nullable Object> absent = new ArrayList<>();
          for (Object element : elements) {
            if (!View.list(view).contains(element)
                && absent.stream().noneMatch(other -> isEqual(element, other))) {
              absent.add(element);
            }
          }
          View.list(view).addAll(absent);
          return absent.size();
        });
  }

  /**
   * Compares as the list does: a persistent object is asked, since the code of a plain one would
   * read its unused fields.
   */
  private static boolean isEqual(@Nullable Object one, @Nullable Object other) {
    return PersistentObject.isPersistent(other)
        ? Objects.equals(other, one)
        : Objects.deepEquals(one, other);
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
