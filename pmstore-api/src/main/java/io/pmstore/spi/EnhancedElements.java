package io.pmstore.spi;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Dictionary;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The elements of {@link EnhancedCollection}s: which methods of the JDK's classes use them, and the
 * methods that enhanced code calls for a persistent object. Safe for use by any number of threads.
 */
public final class EnhancedElements {
  /** What an overriding method of the enhancer does if the object is persistent. */
  public enum Action {
    /** It calls the same method of the store's collection. */
    CALL,
    /** It calls the object's own {@code put} or {@code add} for each element, as the JDK's does. */
    EACH,
    /** It calls the object's own {@code put}, as the JDK's does, and then moves the entry. */
    PUT_AT_END,
    /** It removes a range of a list. */
    REMOVE_RANGE,
    /** It does nothing, because a persistent object has no hash table of the JDK's class. */
    NOTHING
  }

  /**
   * A method that the enhancer overrides. Immutable.
   *
   * @param method the method of the JDK's class, or of a superclass of it
   * @param action what the overriding method does if the object is persistent
   */
  public record Stub(Method method, Action action) {}

  /** The store's collection with the elements of an object. */
  public interface Shown {
    /**
     * Makes the iterators and views call methods of the object to change the elements, if those of
     * the JDK's class do.
     *
     * @param object the object
     */
    void pmstoreChangeThrough(EnhancedCollection object);
  }

  @SuppressWarnings("JdkObsolete") // programs extend them
  private static final Map<String, Class<?>> CLASSES =
      byName(
          ArrayList.class,
          LinkedList.class,
          Vector.class,
          Stack.class,
          HashMap.class,
          LinkedHashMap.class,
          TreeMap.class,
          Hashtable.class,
          HashSet.class,
          LinkedHashSet.class,
          TreeSet.class,
          ArrayDeque.class);

  // They only call other public methods of the object, which a class may have overridden.
  @SuppressWarnings("JdkObsolete")
  private static final Map<Class<?>, Set<String>> FORWARDERS =
      Map.of(
          ArrayList.class,
          Set.of("addFirst(Object)", "addLast(Object)"),
          LinkedList.class,
          Set.of(
              "push(Object)",
              "pop()",
              "offer(Object)",
              "offerFirst(Object)",
              "offerLast(Object)",
              "remove()",
              "element()",
              "removeFirstOccurrence(Object)"),
          Vector.class,
          Set.of("clear()", "add(int,Object)", "remove(Object)", "removeElement(Object)"),
          Stack.class,
          Set.of("push(Object)", "pop()", "peek()", "empty()", "search(Object)"),
          ArrayDeque.class,
          Set.of(
              "add(Object)",
              "offer(Object)",
              "offerFirst(Object)",
              "offerLast(Object)",
              "push(Object)",
              "pop()",
              "remove()",
              "remove(Object)",
              "poll()",
              "peek()",
              "element()",
              "removeFirst()",
              "removeLast()"));

  @SuppressWarnings("JdkObsolete")
  private static final Map<Class<?>, String> EACH =
      Map.of(
          TreeMap.class, "putAll",
          Hashtable.class, "putAll",
          TreeSet.class, "addAll",
          ArrayDeque.class, "addAll");

  private static final ClassValue<List<Stub>> STUBS =
      new ClassValue<>() {
        @Override
        protected List<Stub> computeValue(Class<?> type) {
          return stubsOf(type);
        }
      };

  private EnhancedElements() {}

  private static Map<String, Class<?>> byName(Class<?>... types) {
    Map<String, Class<?>> byName = new HashMap<>();
    for (Class<?> type : types) {
      byName.put(type.getName(), type);
    }
    return Map.copyOf(byName);
  }

  /**
   * Returns the classes of the JDK that an {@link EnhancedCollection} can extend.
   *
   * @return the classes, in no particular order; unmodifiable
   */
  public static Collection<Class<?>> superclasses() {
    return CLASSES.values();
  }

  /**
   * Returns one of the {@link #superclasses} by its name.
   *
   * @param name the binary name of the class
   * @return the class; null if it is not one of them
   */
  public static @Nullable Class<?> superclass(String name) {
    return CLASSES.get(name);
  }

  /**
   * Returns the methods of a JDK class that use the elements in its own fields, so that a class
   * that extends it must override them. Methods of {@code AbstractList} and the like and default
   * methods only call these methods.
   *
   * @param superclass one of the {@link #superclasses}
   * @return the methods in the running JDK; a later JDK may have more
   */
  public static List<Stub> stubs(Class<?> superclass) {
    return STUBS.get(superclass);
  }

  private static List<Stub> stubsOf(Class<?> superclass) {
    Map<String, Stub> stubs = new LinkedHashMap<>();
    for (Class<?> k = superclass; hasElements(k); k = k.getSuperclass()) {
      for (Method method : k.getDeclaredMethods()) {
        int modifiers = method.getModifiers();
        boolean isSeen = Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
        int fixed = Modifier.STATIC | Modifier.FINAL;
        if (isSeen && (modifiers & fixed) == 0 && !method.isBridge() && isOfElements(k, method)) {
          stubs.putIfAbsent(signature(method), new Stub(method, action(k, method)));
        }
      }
    }
    return List.copyOf(stubs.values());
  }

  /**
   * Returns the methods that a class inherits from {@code AbstractList} and the like and from
   * interfaces. They call methods of the class, some of them several times.
   *
   * @param superclass one of the {@link #superclasses}
   * @return the methods in the running JDK
   */
  public static List<Method> inherited(Class<?> superclass) {
    return Stream.of(superclass.getMethods())
        .filter(method -> (method.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == 0)
        .filter(method -> !method.isBridge() && !hasElements(method.getDeclaringClass()))
        .filter(method -> method.getDeclaringClass() != Object.class)
        .toList();
  }

  private static boolean hasElements(Class<?> type) {
    return type != Object.class
        && type != Dictionary.class
        && !type.isInterface()
        && !type.getSimpleName().startsWith("Abstract");
  }

  private static boolean isOfElements(Class<?> type, Method method) {
    String key =
        method.getName()
            + Stream.of(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(",", "(", ")"));
    boolean forwards = FORWARDERS.getOrDefault(type, Set.of()).contains(key);
    boolean isHook = method.getName().equals("removeEldestEntry");
    return !forwards && !isHook && !key.equals("clone()"); // the enhancer sees to clones
  }

  private static Action action(Class<?> type, Method method) {
    if (method.getName().equals(EACH.get(type)) && method.getParameterCount() == 1) {
      return Action.EACH;
    }
    return switch (method.getName()) {
      case "putFirst", "putLast" -> Action.PUT_AT_END;
      case "removeRange" -> Action.REMOVE_RANGE;
      case "rehash" -> Action.NOTHING;
      default -> Action.CALL;
    };
  }

  private static String signature(Method method) {
    StringBuilder signature = new StringBuilder(method.getName());
    for (Class<?> parameter : method.getParameterTypes()) {
      signature.append(' ').append(parameter.getName());
    }
    return signature.append(' ').append(method.getReturnType().getName()).toString();
  }

  /**
   * Returns a method of the JDK's class that an enhanced class does not override, because it was
   * enhanced on an older JDK.
   *
   * @param type the enhanced class that extends the JDK's class directly
   * @return the method; empty if there is none
   */
  public static Optional<Method> missing(Class<?> type) {
    for (Stub stub : stubs(type.getSuperclass())) {
      Method method = stub.method();
      try {
        Method _ = type.getDeclaredMethod(method.getName(), method.getParameterTypes());
      } catch (NoSuchMethodException e) {
        return Optional.of(method);
      }
    }
    return Optional.empty();
  }

  // -- called by enhanced code

  /**
   * Returns the elements of a persistent object, after a check. Enhanced code calls this method
   * after it has read them.
   *
   * @param object the object
   * @param elements the value of the property {@link EnhancedCollection#ELEMENTS}, or null
   * @return the elements
   * @throws IllegalStateException if they are null
   */
  public static Object present(EnhancedCollection object, @Nullable Object elements) {
    if (elements == null) {
      throw new IllegalStateException(
          "the stored object of class "
              + object.getClass().getName()
              + " has no elements: it was stored when the class extended no collection; have an"
              + " upgrade of the store assign the property "
              + EnhancedCollection.ELEMENTS);
    }
    if (elements instanceof Shown shown) {
      shown.pmstoreChangeThrough(object);
    }
    return elements;
  }

  /**
   * Puts each entry of another map into a map, with the {@code put} method of that map.
   *
   * @param map the map that is changed
   * @param other the map with the entries
   */
  @SuppressWarnings("unchecked") // as the caller promises
  public static void putAll(Map<?, ?> map, Map<?, ?> other) {
    for (Map.Entry<?, ?> entry : other.entrySet()) {
      ((Map<@Nullable Object, @Nullable Object>) map).put(entry.getKey(), entry.getValue());
    }
  }

  /**
   * Adds each element of another collection to a collection, with the {@code add} method of that
   * collection.
   *
   * @param collection the collection that is changed
   * @param other the collection with the elements
   * @return true if this method has changed the collection
   */
  @SuppressWarnings("unchecked") // as the caller promises
  public static boolean addAll(Collection<?> collection, Collection<?> other) {
    boolean changed = false;
    for (Object element : other) {
      changed |= ((Collection<@Nullable Object>) collection).add(element);
    }
    return changed;
  }

  /**
   * Puts an entry into a map with the {@code put} method of the map, and moves it to the beginning.
   *
   * @param map the map
   * @param elements the store's map, which has the elements
   * @param key the key
   * @param value the value
   * @return the value before; null if there was none
   */
  public static @Nullable Object putFirst(
      Map<?, ?> map, Map<?, ?> elements, @Nullable Object key, @Nullable Object value) {
    return putAtEnd(map, elements, key, value, SequencedMap::putFirst);
  }

  /**
   * Puts an entry into a map with the {@code put} method of the map, and moves it to the end.
   *
   * @param map the map
   * @param elements the store's map, which has the elements
   * @param key the key
   * @param value the value
   * @return the value before; null if there was none
   */
  public static @Nullable Object putLast(
      Map<?, ?> map, Map<?, ?> elements, @Nullable Object key, @Nullable Object value) {
    return putAtEnd(map, elements, key, value, SequencedMap::putLast);
  }

  /** A method of a map. */
  private interface Put {
    @Nullable Object put(
        SequencedMap<@Nullable Object, @Nullable Object> map,
        @Nullable Object key,
        @Nullable Object value);
  }

  @SuppressWarnings("unchecked") // as the caller promises
  private static @Nullable Object putAtEnd(
      Map<?, ?> map, Map<?, ?> elements, @Nullable Object key, @Nullable Object value, Put atEnd) {
    Object before = ((Map<@Nullable Object, @Nullable Object>) map).put(key, value);
    if (elements.containsKey(key)) { // the map's own method may have put another one
      atEnd.put(
          (SequencedMap<@Nullable Object, @Nullable Object>) elements, key, elements.get(key));
    }
    return before;
  }

  /**
   * Removes a range of a list.
   *
   * @param list the list
   * @param from the index of the first element to remove
   * @param to the index after the last element to remove
   * @throws IndexOutOfBoundsException if the range is not in the list
   */
  public static void removeRange(List<?> list, int from, int to) {
    list.subList(from, to).clear();
  }
}
