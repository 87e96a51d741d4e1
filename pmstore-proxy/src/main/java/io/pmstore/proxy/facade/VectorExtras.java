package io.pmstore.proxy.facade;

import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The methods that {@code Vector} adds to {@code List}, and its exception for a bad index. */
final class VectorExtras {
  private VectorExtras() {}

  private static <T extends @Nullable Object> T indexed(Supplier<T> operation) {
    try {
      return operation.get();
    } catch (IndexOutOfBoundsException e) {
      ArrayIndexOutOfBoundsException thrown = new ArrayIndexOutOfBoundsException(e.getMessage());
      thrown.initCause(e);
      throw thrown;
    }
  }

  private static void run(Runnable operation) {
    indexed(
        () -> {
          operation.run();
          return true;
        });
  }

  // -- by index

  static @Nullable Object get(List<@Nullable Object> list, int index) {
    return indexed(() -> list.get(index));
  }

  static @Nullable Object elementAt(List<@Nullable Object> list, int index) {
    return get(list, index);
  }

  static @Nullable Object set(List<@Nullable Object> list, int index, @Nullable Object element) {
    return indexed(() -> list.set(index, element));
  }

  static void setElementAt(List<@Nullable Object> list, @Nullable Object element, int index) {
    run(() -> list.set(index, element));
  }

  static void add(List<@Nullable Object> list, int index, @Nullable Object element) {
    run(() -> list.add(index, element));
  }

  static boolean addAll(View view, int index, Collection<?> elements) {
    return View.write(
        view,
        () -> {
          indexed(() -> Objects.checkIndex(index, View.list(view).size() + 1));
          return View.list(view).addAll(index, elements);
        });
  }

  static void insertElementAt(List<@Nullable Object> list, @Nullable Object element, int index) {
    add(list, index, element);
  }

  static @Nullable Object remove(List<@Nullable Object> list, int index) {
    return indexed(() -> list.remove(index));
  }

  static void removeElementAt(List<@Nullable Object> list, int index) {
    run(() -> list.remove(index));
  }

  static int indexOf(View view, @Nullable Object element, int from) {
    return View.read(
        view,
        () -> {
          int size = View.list(view).size();
          if (from >= size) {
            return -1;
          }
          int index = indexed(() -> View.list(view).subList(from, size).indexOf(element));
          return index < 0 ? -1 : from + index;
        });
  }

  static int lastIndexOf(View view, @Nullable Object element, int from) {
    return View.read(
        view,
        () -> {
          if (from < 0) {
            return -1;
          }
          Objects.checkIndex(from, View.list(view).size());
          return View.list(view).subList(0, from + 1).lastIndexOf(element);
        });
  }

  // -- the rest

  static void addElement(List<@Nullable Object> list, @Nullable Object element) {
    list.add(element);
  }

  static boolean removeElement(List<@Nullable Object> list, @Nullable Object element) {
    return list.remove(element);
  }

  static void removeAllElements(List<@Nullable Object> list) {
    list.clear();
  }

  static @Nullable Object firstElement(List<@Nullable Object> list) {
    return list.getFirst();
  }

  static @Nullable Object lastElement(List<@Nullable Object> list) {
    return list.getLast();
  }

  static int capacity(List<@Nullable Object> list) {
    return list.size();
  }

  static void copyInto(List<@Nullable Object> list, @Nullable Object[] array) {
    @Nullable Object[] elements = list.toArray();
    System.arraycopy(elements, 0, array, 0, elements.length);
  }

  static void setSize(View view, int size) {
    if (size < 0) {
      throw new ArrayIndexOutOfBoundsException(
          "a vector cannot have a size of " + size + "; expected 0 or more");
    }
    View.write(
        view,
        () -> {
          List<@Nullable Object> list = View.list(view);
          int now = list.size();
          if (size < now) {
            list.subList(size, now).clear();
          } else if (size > now) {
            list.addAll(Collections.nCopies(size - now, null));
          }
          return true;
        });
  }

  /** Iterates by index. So the caller may change the list meanwhile, as it may a plain vector. */
  @SuppressWarnings("JdkObsolete") // Vector.elements returns one
  static Enumeration<@Nullable Object> elements(List<@Nullable Object> list) {
    return new Enumeration<>() {
      private int next;

      @Override
      public boolean hasMoreElements() {
        return next < list.size();
      }

      @Override
      public @Nullable Object nextElement() {
        try {
          Object element = list.get(next);
          next++;
          return element;
        } catch (IndexOutOfBoundsException e) {
          throw new NoSuchElementException(
              "the vector has no element " + next + "; ask hasMoreElements first", e);
        }
      }
    };
  }
}
