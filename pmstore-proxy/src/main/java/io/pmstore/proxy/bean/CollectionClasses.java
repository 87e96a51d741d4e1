package io.pmstore.proxy.bean;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Properties;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Collectors;

/**
 * The JDK's collection classes that a property can be declared as. Such a property is stored as one
 * that is declared with an interface; a reader gets an object of the declared class.
 */
public final class CollectionClasses {
  @SuppressWarnings("JdkObsolete") // programs have them
  private static final Map<Class<?>, Class<?>> INTERFACES =
      Map.ofEntries(
          Map.entry(ArrayList.class, List.class),
          Map.entry(LinkedList.class, List.class),
          Map.entry(Vector.class, List.class),
          Map.entry(Stack.class, List.class),
          Map.entry(CopyOnWriteArrayList.class, List.class),
          Map.entry(HashMap.class, Map.class),
          Map.entry(Hashtable.class, Map.class),
          Map.entry(Properties.class, Map.class),
          Map.entry(LinkedHashMap.class, SequencedMap.class),
          Map.entry(TreeMap.class, NavigableMap.class),
          Map.entry(HashSet.class, Set.class),
          Map.entry(LinkedHashSet.class, SequencedSet.class),
          Map.entry(CopyOnWriteArraySet.class, SequencedSet.class),
          Map.entry(TreeSet.class, NavigableSet.class),
          Map.entry(ArrayDeque.class, Deque.class),
          Map.entry(ConcurrentLinkedDeque.class, Deque.class),
          Map.entry(ConcurrentLinkedQueue.class, Deque.class));

  private static final Set<String> NAMES =
      INTERFACES.keySet().stream().map(Class::getName).collect(Collectors.toUnmodifiableSet());

  private CollectionClasses() {}

  /** Returns all of them, as an unmodifiable set. */
  public static Set<Class<?>> all() {
    return INTERFACES.keySet();
  }

  /**
   * Returns true if a declared type is one of them. Interfaces, other classes and subclasses are
   * not.
   */
  public static boolean contains(Class<?> type) {
    return INTERFACES.containsKey(type);
  }

  /** Returns true if a class of this name is one of them. */
  static boolean contains(String name) {
    return NAMES.contains(name);
  }

  /**
   * Returns the type as which the store knows a property: for one of these classes, and for one of
   * {@link ImmutableClasses}, its interface, otherwise the declared type itself. So a class and its
   * interface are the same to evolution.
   */
  public static Class<?> storedAs(Class<?> declared) {
    Class<?> known = INTERFACES.get(declared);
    return known != null
        ? known
        : ImmutableClasses.contains(declared) ? ImmutableClasses.storedAs(declared) : declared;
  }
}
