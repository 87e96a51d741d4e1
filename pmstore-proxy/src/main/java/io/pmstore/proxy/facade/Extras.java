package io.pmstore.proxy.facade;

import io.pmstore.PmStoreException;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.collection.PersistentLinkedMap;
import io.pmstore.proxy.collection.PersistentLinkedSet;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The methods of facades that no collection interface has. Each static method implements the method
 * of the JDK's class with its name and with its parameters after the first. The first parameter is
 * the facade, as a {@link View}, or else the persistent collection. Generated code calls these
 * methods.
 */
final class Extras {
  /** Returns the object that is serialized in place of a facade. */
  static final Method SERIALIZED = Methods.ofExtras("serialized");

  private Extras() {}

  /** Returns the classes that have the methods for a class of the JDK. The first match wins. */
  @SuppressWarnings("JdkObsolete") // programs use them
  static List<Class<?>> of(Class<?> type) {
    List<Class<?>> extras = new ArrayList<>();
    if (type == LinkedList.class) {
      extras.add(LinkedListExtras.class);
    } else if (type == Stack.class) {
      extras.add(StackExtras.class);
    } else if (type == CopyOnWriteArrayList.class) {
      extras.add(CopyOnWriteListExtras.class);
    } else if (type == ConcurrentLinkedDeque.class) {
      extras.add(ConcurrentLinkedDequeExtras.class);
    } else if (type == Hashtable.class) {
      extras.add(NullsOfHashtable.class);
    } else if (type == Properties.class) {
      extras.add(PropertiesExtras.class);
    }
    if (Hashtable.class.isAssignableFrom(type)) {
      extras.add(HashtableExtras.class);
    }
    if (Vector.class.isAssignableFrom(type)) {
      extras.add(VectorExtras.class);
    }
    if (List.class.isAssignableFrom(type)) {
      extras.add(ListExtras.class);
    }
    if (CollectionClasses.storedAs(type) == Deque.class) {
      extras.add(DequeExtras.class);
    }
    extras.add(Extras.class);
    return extras;
  }

  @SuppressWarnings("ReferenceEquality") // an object is equal to itself
  static boolean equals(View view, @Nullable Object other) {
    return view == other || view.pmstoreTarget().equals(other);
  }

  static String toString(Object target) {
    return target.toString();
  }

  /** Returns the current elements in an unmodifiable list. */
  static List<@Nullable Object> state(Collection<@Nullable Object> collection) {
    return Collections.unmodifiableList(Arrays.asList(collection.toArray()));
  }

  static Object clone(View view) {
    return plainCopy(view);
  }

  /** Returns a plain copy, or the facade itself to one who looks for it. */
  static Object serialized(View view) {
    return Facades.isLookedFor() ? view : plainCopy(view);
  }

  /**
   * Returns a plain object of the JDK's class with the same contents, read in one consistent view.
   */
  @SuppressWarnings("unchecked") // the copy is of the same kind, and empty
  static Object plainCopy(View view) {
    Object from = view.pmstoreTarget();
    return View.read(
        view,
        () -> {
          Object copy = newPlain(view.getClass().getSuperclass(), from);
          // One by one into a tree, which trusts the order of a sorted source: that of enum
          // constants may have changed since they were put.
          if (from instanceof SortedMap<?, ?> map) {
            map.forEach(((Map<@Nullable Object, @Nullable Object>) copy)::put);
          } else if (from instanceof SortedSet<?> set) {
            set.forEach(((Collection<@Nullable Object>) copy)::add);
          } else if (from instanceof Map<?, ?> map) {
            ((Map<@Nullable Object, @Nullable Object>) copy).putAll(map);
          } else {
            ((Collection<@Nullable Object>) copy).addAll((Collection<?>) from);
          }
          return copy;
        });
  }

  /**
   * Makes an empty plain object of a JDK collection class, with the comparator of {@code like} if
   * it is sorted.
   */
  @SuppressWarnings("unchecked") // it compares the same elements
  static Object newPlain(Class<?> type, Object like) {
    if (type == TreeMap.class) {
      return new TreeMap<>(((SortedMap<@Nullable Object, ?>) like).comparator());
    }
    if (type == TreeSet.class) {
      return new TreeSet<>(((SortedSet<@Nullable Object>) like).comparator());
    }
    if (like instanceof PersistentLinkedMap && type == HashMap.class) {
      return new LinkedHashMap<>(); // a property declared as HashMap may hold a LinkedHashMap
    }
    if (like instanceof PersistentLinkedSet && type == HashSet.class) {
      return new LinkedHashSet<>();
    }
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new PmStoreException(
          "an empty %s cannot be made: %s; please report this".formatted(type.getName(), e), e);
    }
  }
}
