package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.Random;
import java.util.SequencedCollection;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random calls of every method of the interfaces, on collections and on views of views of them, do
 * the same as on collections of the JDK: the same result or exception, and the same contents,
 * outside transactions and inside, and nothing if the transaction is rolled back: iterators from
 * before it go on. Iterators, entries, spliterators and streams do the same too, and both
 * collections are equal. If a function that is passed throws, nothing is changed.
 */
class ViewsModelTest {
  private static final int CALLS = Integer.getInteger("pmstore.views.calls", 3000);

  /** What promises nothing that could be compared. */
  private static final Set<String> LEFT_OUT = Set.of("comparator", "hashCode", "equals");

  /** Methods of lists that change nothing, so that all sublists stay valid. */
  private static final Set<String> READS =
      Set.of(
          "size",
          "isEmpty",
          "get",
          "getFirst",
          "getLast",
          "contains",
          "containsAll",
          "indexOf",
          "lastIndexOf",
          "toArray",
          "forEach",
          "stream",
          "parallelStream",
          "spliterator",
          "subList",
          "reversed");

  private static final List<Class<?>> INTERFACES =
      List.of(
          Collection.class,
          SequencedCollection.class,
          List.class,
          Queue.class,
          Deque.class,
          Set.class,
          SequencedSet.class,
          SortedSet.class,
          NavigableSet.class,
          Map.class,
          SequencedMap.class,
          SortedMap.class,
          NavigableMap.class);

  private enum Kind {
    LIST(true),
    DEQUE(false),
    LINKED_MAP(true),
    LINKED_SET(true),
    SORTED_MAP(false),
    REVERSE_MAP(false),
    SORTED_SET(false);

    private final boolean takesNull;

    Kind(boolean takesNull) {
      this.takesNull = takesNull;
    }

    Object plain() {
      return switch (this) {
        case LIST -> new ArrayList<>();
        case DEQUE -> new ArrayDeque<>();
        case LINKED_MAP -> new LinkedHashMap<>();
        case LINKED_SET -> new LinkedHashSet<>();
        case SORTED_MAP -> new TreeMap<>();
        case REVERSE_MAP -> new TreeMap<>(Comparator.<Integer>reverseOrder());
        case SORTED_SET -> new TreeSet<>();
      };
    }

    Object stored(TestStore store) {
      return switch (this) {
        case LIST -> store.newList();
        case DEQUE -> store.newDeque();
        case LINKED_MAP -> store.newLinkedMap();
        case LINKED_SET -> store.newLinkedSet();
        case SORTED_MAP, REVERSE_MAP ->
            store.<Integer, Integer>newSortedMap(
                this == SORTED_MAP ? null : Comparator.reverseOrder());
        case SORTED_SET -> store.<Integer>newSortedSet(null);
      };
    }
  }

  /** A collection or view of the JDK, and the one of the store that it is the model of. */
  private record Pair(Object plain, Object stored, String path) {}

  /** An exception that a call has thrown: what of it the two have in common. */
  private record Thrown(String what) {}

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class OfFunction extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final TestStore store = new TestStore();
  private final List<String> log = new ArrayList<>();
  private Random random = new Random();

  @ParameterizedTest
  @EnumSource
  void viewsDoAsThoseOfTheJdk(Kind kind) {
    random = Seed.random("ViewsModelTest " + kind);
    Pair root = new Pair(kind.plain(), kind.stored(store), kind.toString());
    List<Pair> pairs = new ArrayList<>(List.of(root));
    for (int i = 0; i < CALLS; i++) {
      Pair pair = pairs.get(random.nextInt(pairs.size()));
      List<Method> methods = methods(pair);
      Method method = methods.get(random.nextInt(methods.size()));
      if (method.getName().equals("clear") && random.nextInt(20) > 0) {
        continue;
      }
      Supplier<@Nullable Object[]> arguments = arguments(kind, method, size(pair.plain));
      log.add(pair.path + "." + method.getName() + Arrays.deepToString(arguments.get()));
      if (random.nextInt(10) == 0) {
        Iterator<?> model = iterator(pair.plain);
        Iterator<?> iterator = iterator(pair.stored);
        for (int s = random.nextInt(5); s > 0 && model.hasNext(); s--) {
          assertEquals("" + model.next(), "" + iterator.next(), this::history);
        }
        changesNothing(root, () -> rolledBack(() -> call(pair.stored, method, arguments.get())));
        assertEquals(rest(model), rest(iterator), this::history);
      }
      if (random.nextInt(10) == 0 && takesFunction(method)) {
        changesNothing(root, () -> throwing(pair.stored, method));
      }
      String before = shown(root.plain);
      List<?> saved = elements(root.plain);
      long script = random.nextLong();
      boolean inTransaction = random.nextBoolean();
      Object expected = call(pair.plain, method, arguments.get());
      Object found =
          inTransaction
              ? store.heap.<Object, RuntimeException>transaction(
                  () -> call(pair.stored, method, arguments.get()))
              : call(pair.stored, method, arguments.get());
      if (isView(expected) && isView(found)) {
        if (pairs.size() < 8) {
          pairs.add(new Pair(expected, found, pair.path + "." + method.getName()));
        }
      }
      assertEquals(
          outcome(method, expected, new Random(script)),
          outcome(method, found, new Random(script)),
          this::history);
      boolean isRestored = false;
      if (expected instanceof Thrown) {
        assertEquals(before, shown(root.stored), this::history);
        isRestored = restore(root.plain, saved); // the JDK may have done a part of it
      }
      assertEquals(shown(root.plain), shown(root.stored), this::history);
      if (kind == Kind.LIST && (isRestored || !READS.contains(method.getName()))) {
        boolean ofPair = isRestored;
        pairs.removeIf(each -> each != root && (ofPair || each != pair)); // parts do not follow
      }
      for (Pair each : pairs) {
        assertEquals(shown(each.plain), shown(each.stored), () -> each.path + history());
        assertEquals(size(each.plain), size(each.stored), () -> each.path + history());
        if (hasEquality(each.plain)) {
          assertEquals(each.plain, each.stored, () -> each.path + history());
          assertEquals(each.stored, each.plain, () -> each.path + history());
          assertEquals(each.plain.hashCode(), each.stored.hashCode(), () -> each.path + history());
        }
      }
      if (random.nextInt(40) == 0) {
        pairs.retainAll(List.of(root));
      }
    }
  }

  private String history() {
    return "\n" + String.join("\n", log.subList(Math.max(0, log.size() - 12), log.size()));
  }

  private void changesNothing(Pair root, Runnable action) {
    String before = shown(root.stored);
    action.run();
    assertEquals(before, shown(root.stored), this::history);
  }

  private void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            store.in(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  // ---- methods and arguments

  private static List<Method> methods(Pair pair) {
    Map<String, Method> methods = new LinkedHashMap<>();
    for (Class<?> type : INTERFACES) {
      if (type.isInstance(pair.plain) && type.isInstance(pair.stored)) {
        for (Method method : type.getMethods()) {
          if (!Modifier.isStatic(method.getModifiers())
              && !LEFT_OUT.contains(method.getName())
              && !method.isBridge()) {
            methods.putIfAbsent(
                method.getName() + Arrays.toString(method.getParameterTypes()), method);
          }
        }
      }
    }
    return methods.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .toList();
  }

  private static boolean takesFunction(Method method) {
    return Arrays.stream(method.getParameterTypes())
        .anyMatch(type -> type.isAnnotationPresent(FunctionalInterface.class));
  }

  /** Calls a method with functions that throw at once or later; it throws that, or needs none. */
  private void throwing(Object stored, Method method) {
    int[] calls = {random.nextInt(4)};
    Supplier<Integer> result =
        () -> {
          if (calls[0]-- == 0) {
            throw new OfFunction();
          }
          return calls[0];
        };
    @Nullable Object[] arguments = arguments(Kind.DEQUE, method, size(stored)).get();
    for (int i = 0; i < arguments.length; i++) {
      arguments[i] =
          switch (arguments[i]) {
            case UnaryOperator<?> _ -> (UnaryOperator<Object>) one -> result.get();
            case Function<?, ?> _ -> (Function<Object, Object>) one -> result.get();
            case BiFunction<?, ?, ?> _ ->
                (BiFunction<Object, Object, Object>) (a, b) -> result.get();
            case Predicate<?> _ -> (Predicate<Object>) one -> result.get() > -9;
            case Consumer<?> _ -> (Consumer<Object>) one -> assertNotNull(result.get());
            case BiConsumer<?, ?> _ ->
                (BiConsumer<Object, Object>) (a, b) -> assertNotNull(result.get());
            case Comparator<?> _ -> (Comparator<Object>) (a, b) -> result.get();
            case null, default -> arguments[i];
          };
    }
    // In a transaction that goes on after the exception: it commits nothing of the call.
    String before = shown(stored);
    try {
      store.in(
          () -> {
            if (!new Thrown("OfFunction").equals(call(stored, method, arguments))) {
              throw new RollBack(); // it has called the functions too seldom
            }
            assertEquals(before, shown(stored), this::history);
          });
    } catch (RollBack e) {
      assertEquals(before, shown(stored), this::history);
    }
  }

  private @Nullable Integer element(Kind kind) {
    return kind.takesNull && random.nextInt(12) == 0 ? null : random.nextInt(24);
  }

  /** Returns what makes the same arguments each time. */
  private Supplier<@Nullable Object[]> arguments(Kind kind, Method method, int size) {
    Class<?>[] types = method.getParameterTypes();
    // Some views of the JDK's map refuse to add nothing, and others do not.
    int least = kind == Kind.LINKED_MAP && method.getName().equals("addAll") ? 1 : 0;
    List<Supplier<@Nullable Object>> makers = new ArrayList<>();
    for (Class<?> type : types) {
      makers.add(argument(kind, type, size, least));
    }
    return () -> makers.stream().map(Supplier::get).toArray();
  }

  private Supplier<@Nullable Object> argument(Kind kind, Class<?> type, int size, int least) {
    int number = random.nextInt(24);
    if (type == int.class) {
      int index = random.nextInt(size + 2) - random.nextInt(2);
      return () -> index;
    }
    if (type == boolean.class) {
      boolean flag = random.nextBoolean();
      return () -> flag;
    }
    if (type == Object.class) {
      Integer element = element(kind);
      return () -> element;
    }
    if (type == Object[].class) {
      int length = random.nextInt(2 * size + 2);
      return () -> {
        Object[] array = new Object[length];
        Arrays.fill(array, -7);
        return array;
      };
    }
    if (type == Collection.class || type == Map.class) {
      List<@Nullable Integer> elements = new ArrayList<>();
      for (int i = Math.max(least, random.nextInt(12)); i > 0; i--) {
        elements.add(element(kind));
      }
      if (type == Map.class) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        elements.forEach(element -> map.put(element, number));
        return () -> map;
      }
      boolean isSet = random.nextBoolean();
      return () -> isSet ? new LinkedHashSet<>(elements) : elements;
    }
    if (type == IntFunction.class) {
      return () -> (IntFunction<Object[]>) Integer[]::new;
    }
    if (type == Comparator.class) {
      boolean none = !kind.takesNull && random.nextBoolean();
      return () ->
          none
              ? null
              : Comparator.nullsFirst(
                  Comparator.<Integer>comparingInt(i -> i % 5).thenComparing(i -> -i));
    }
    if (type == Predicate.class) {
      return () -> (Predicate<@Nullable Object>) one -> mixed(one, number) % 3 == 0;
    }
    if (type == Consumer.class) {
      return () -> (Consumer<@Nullable Object>) one -> {};
    }
    if (type == BiConsumer.class) {
      return () -> (BiConsumer<@Nullable Object, @Nullable Object>) (one, other) -> {};
    }
    if (type == UnaryOperator.class) {
      return () -> (UnaryOperator<@Nullable Object>) one -> mixed(one, number) % 24;
    }
    if (type == Function.class) {
      return () ->
          (Function<@Nullable Object, @Nullable Object>)
              one -> mixed(one, number) % 4 == 0 ? null : mixed(one, number) % 24;
    }
    if (type == BiFunction.class) {
      boolean mayBeNull = random.nextBoolean();
      return () ->
          (BiFunction<@Nullable Object, @Nullable Object, @Nullable Object>)
              (one, other) ->
                  mayBeNull && mixed(one, number) % 4 == 0
                      ? null
                      : (mixed(one, number) + mixed(other, 1)) % 24;
    }
    throw new AssertionError("no argument of " + type);
  }

  private static int mixed(@Nullable Object one, int number) {
    int hash = (one instanceof Map.Entry<?, ?> entry ? entry.toString() : "" + one).hashCode();
    return Math.abs((hash + number) * 0x9e3779b9 >>> 5);
  }

  // ---- results

  private static @Nullable Object call(Object object, Method method, @Nullable Object[] arguments) {
    try {
      return method.invoke(object, arguments);
    } catch (InvocationTargetException e) {
      return new Thrown(
          switch (e.getCause()) {
            case IndexOutOfBoundsException _, IllegalArgumentException _ -> "bad argument";
            case ClassCastException _, UnsupportedOperationException _ -> "unsupported";
            case RuntimeException thrown -> thrown.getClass().getSimpleName();
            case null, default -> throw new AssertionError(e);
          });
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }

  private static List<?> elements(Object collection) {
    return collection instanceof Map<?, ?> map
        ? map.entrySet().stream().map(HashMap.SimpleImmutableEntry::new).toList()
        : new ArrayList<>((Collection<?>) collection);
  }

  @SuppressWarnings("unchecked") // it had these elements
  private static boolean restore(Object plain, List<?> elements) {
    if (elements.equals(elements(plain))) {
      return false;
    }
    if (plain instanceof Map<?, ?> map) {
      map.clear();
      elements.forEach(
          each ->
              ((Map<Object, Object>) map)
                  .put(((Map.Entry<?, ?>) each).getKey(), ((Map.Entry<?, ?>) each).getValue()));
    } else {
      ((Collection<?>) plain).clear();
      ((Collection<Object>) plain).addAll(elements);
    }
    return true;
  }

  private static boolean isView(@Nullable Object result) {
    return result instanceof Collection || result instanceof Map;
  }

  private static int size(Object collection) {
    return collection instanceof Map<?, ?> map ? map.size() : ((Collection<?>) collection).size();
  }

  private static boolean hasEquality(Object collection) {
    return collection instanceof List || collection instanceof Set || collection instanceof Map;
  }

  private static Iterator<?> iterator(Object collection) {
    return collection instanceof Map<?, ?> map
        ? map.entrySet().iterator()
        : ((Collection<?>) collection).iterator();
  }

  private static String rest(Iterator<?> iterator) {
    List<String> rest = new ArrayList<>();
    iterator.forEachRemaining(element -> rest.add("" + element));
    return rest.toString();
  }

  private static String shown(@Nullable Object result) {
    return switch (result) {
      case Map<?, ?> map -> shown(new ArrayList<>(map.entrySet()));
      case Collection<?> collection -> new ArrayList<>(collection).toString();
      case Object[] array -> array.getClass().getComponentType() + Arrays.toString(array);
      case null, default -> "" + result;
    };
  }

  /** What a result does, as what the method returns it; random numbers say what is tried. */
  private static String outcome(Method method, @Nullable Object result, Random random) {
    Class<?> type = method.getReturnType();
    if (type == Iterator.class || type == ListIterator.class) {
      return result instanceof Iterator<?> iterator
          ? iterated(iterator, type == ListIterator.class, random)
          : shown(result);
    }
    return switch (result) {
      case Spliterator<?> parts when type == Spliterator.class -> split(parts, random);
      case BaseStream<?, ?> stream -> streamed(stream);
      case null, default -> shown(result);
    };
  }

  private static String streamed(BaseStream<?, ?> stream) {
    List<@Nullable Object> elements = new ArrayList<>();
    stream.sequential().iterator().forEachRemaining(elements::add);
    return elements.toString();
  }

  private static String split(Spliterator<?> parts, Random random) {
    List<@Nullable Object> elements = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      parts.tryAdvance(elements::add);
    }
    Spliterator<?> first = parts.trySplit();
    if (first != null) {
      first.forEachRemaining(elements::add);
    }
    parts.forEachRemaining(elements::add);
    return elements + " " + parts.tryAdvance(elements::add);
  }

  @SuppressWarnings("unchecked") // all elements are integers
  private static String entered(Map.Entry<?, ?> entry, Random random) {
    StringBuilder seen = new StringBuilder("" + entry + entry.hashCode());
    seen.append(entry.equals(new HashMap.SimpleEntry<>(entry)));
    if (random.nextInt(3) == 0) {
      try {
        int value = random.nextInt(24);
        seen.append(((Map.Entry<Object, @Nullable Object>) entry).setValue(value));
        seen.append(entry.getValue());
      } catch (UnsupportedOperationException e) {
        seen.append("unsupported");
      }
    }
    return seen.toString();
  }

  @SuppressWarnings("unchecked") // all elements are integers
  private static String iterated(Iterator<?> iterator, boolean isOfList, Random random) {
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      int what = random.nextInt(12);
      try {
        if (isOfList) {
          ListIterator<@Nullable Object> both = (ListIterator<@Nullable Object>) iterator;
          seen.add(both.nextIndex() + "/" + both.previousIndex() + "/" + both.hasPrevious());
          switch (what) {
            case 0 -> both.add(random.nextInt(24));
            case 1 -> both.set(random.nextInt(24));
            case 2, 3, 4 -> seen.add("" + both.previous());
            default -> {}
          }
        }
        if (what == 5) {
          iterator.remove();
          seen.add("removed");
        } else if (what == 6 && random.nextInt(8) == 0) {
          iterator.forEachRemaining(element -> seen.add("" + element));
        } else if (what > 5) {
          seen.add("" + iterator.hasNext());
          Object next = iterator.next();
          seen.add(next instanceof Map.Entry<?, ?> entry ? entered(entry, random) : "" + next);
        }
      } catch (RuntimeException e) {
        seen.add(e.getClass().getSimpleName());
      }
    }
    return seen.toString();
  }
}
