package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.proxy.fixture.StoreTest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import java.util.Spliterator;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random calls of every public method of the JDK's classes have the same effect on a facade as on a
 * plain object: the same result, exception and contents. Now and then a transaction is rolled back,
 * or the store is reopened.
 */
@SuppressWarnings("JdkObsolete") // programs have them
final class FacadeModelTest extends StoreTest {
  private static final int CALLS = Integer.getInteger("pmstore.facade.calls", 800);

  /** What promises nothing that could be compared; and files of properties. */
  private static final Set<String> LEFT_OUT =
      Set.of(
          "getClass",
          "notify",
          "notifyAll",
          "wait",
          "capacity",
          "clone",
          "hashCode",
          "list",
          "load",
          "loadFromXML",
          "save",
          "store",
          "storeToXML");

  /** Those that refuse null, but not in each case in which they could. */
  private static final Set<Class<?>> NO_NULL =
      Set.of(
          Hashtable.class,
          Properties.class,
          TreeMap.class,
          TreeSet.class,
          ArrayDeque.class,
          ConcurrentLinkedDeque.class,
          ConcurrentLinkedQueue.class);

  private final long seed = Long.getLong("pmstore.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private Depot depot() {
    return store().root(Depot.class);
  }

  @Test
  void randomCallsDoTheSame() {
    System.err.println("FacadeModelTest: -Dpmstore.seed=" + seed);
    Depot plain = new Depot();
    Map<Class<?>, List<Method>> methods = new HashMap<>();
    Set<String> returned = new HashSet<>();
    plain.all().keySet().forEach(type -> methods.put(type, methods(type)));
    for (int round = 0; round < 8; round++) {
      plain
          .all()
          .forEach(
              (type, model) -> {
                Object facade = depot().all().get(type);
                assertNotNull(facade);
                List<Method> of = methods.get(type);
                boolean takesNull = !NO_NULL.contains(type);
                for (int i = 0; i < CALLS / 8; i++) {
                  Method method = of.get(random.nextInt(of.size()));
                  if (random.nextInt(5) == 0) {
                    rolledBack(() -> call(facade, method, arguments(method, 20, takesNull)));
                  }
                  @Nullable Object[] arguments = arguments(method, size(model) + 1, takesNull);
                  Object expected = call(model, method, arguments);
                  Object found = call(facade, method, arguments);
                  String what = type.getSimpleName() + "." + method + Arrays.toString(arguments);
                  if (!(expected instanceof Thrown)) {
                    returned.add(type.getSimpleName() + "." + method);
                  }
                  assertEquals(expected, found, () -> what + ", seed " + seed);
                  assertEquals(shown(model), shown(facade), () -> what + ", seed " + seed);
                }
              });
      reopen();
      plain
          .all()
          .forEach((type, model) -> assertEquals(shown(model), shown(depot().all().get(type))));
    }
    Set<String> never = new TreeSet<>();
    methods.forEach(
        (type, of) -> of.forEach(method -> never.add(type.getSimpleName() + "." + method)));
    int all = never.size();
    never.removeAll(returned);
    if (CALLS >= 800) {
      assertTrue(never.size() < all / 3, () -> "never returned: " + never);
    }
  }

  private static int size(Object collection) {
    return collection instanceof Map<?, ?> map ? map.size() : ((Collection<?>) collection).size();
  }

  private static List<Method> methods(Class<?> type) {
    List<Method> methods = new ArrayList<>(List.of(type.getMethods()));
    methods.removeIf(
        method ->
            Modifier.isStatic(method.getModifiers())
                || method.isBridge()
                || LEFT_OUT.contains(method.getName()));
    methods.sort(Comparator.comparing(Method::toString)); // so that a seed means the same
    return methods;
  }

  // -- arguments

  private @Nullable Object[] arguments(Method method, int bound, boolean nulls) {
    return Arrays.stream(method.getParameterTypes())
        .map(type -> argument(type, bound, nulls))
        .toArray();
  }

  private @Nullable Object argument(Class<?> type, int bound, boolean nulls) {
    if (type == int.class) {
      return random.nextInt(Math.min(bound, 20) + 2) - 1;
    }
    if (type == boolean.class) {
      return random.nextBoolean();
    }
    if (type == String.class) {
      return "name " + random.nextInt(12);
    }
    if (type == Object[].class) {
      return new Object[random.nextInt(20)];
    }
    if (type == Collection.class || type == Map.class) {
      Map<Object, Object> some = new TreeMap<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        some.put(random.nextInt(12), random.nextInt(12));
      }
      return type == Map.class ? some : new LinkedHashSet<>(some.values());
    }
    if (type == Predicate.class) {
      return (Predicate<Object>) value -> value != null && value.hashCode() % 5 == 0;
    }
    if (type == UnaryOperator.class) {
      return (UnaryOperator<@Nullable Object>) value -> value == null ? 1 : value.hashCode() % 12;
    }
    if (type == Function.class) {
      return (Function<@Nullable Object, Object>) value -> value == null ? 1 : value.hashCode() % 7;
    }
    if (type == BiFunction.class) {
      return (BiFunction<@Nullable Object, @Nullable Object, @Nullable Object>)
          (one, other) -> other == null || one == null ? null : (one.hashCode() + 1) % 12;
    }
    if (type == IntFunction.class) {
      return (IntFunction<Object[]>) Object[]::new;
    }
    if (type == Consumer.class) {
      return (Consumer<Object>) value -> {};
    }
    if (type == BiConsumer.class) {
      return (BiConsumer<Object, Object>) (key, value) -> {};
    }
    if (type == Comparator.class) {
      return Comparator.nullsFirst(Comparator.comparing(Object::hashCode));
    }
    assertEquals(Object.class, type, "an argument of a type that the test does not know");
    return nulls && random.nextInt(15) == 0 ? null : (Object) random.nextInt(12);
  }

  // -- results

  /** An exception that was thrown; one that extends what the JDK throws would do. */
  private record Thrown(Class<?> type) {}

  private static @Nullable Object call(Object on, Method method, @Nullable Object[] arguments) {
    try {
      Object[] own = arguments.clone();
      for (int i = 0; i < own.length; i++) {
        if (own[i] instanceof Object[] array) {
          own[i] = array.clone();
        }
      }
      Object result = method.invoke(on, own);
      boolean hasOrder = on instanceof SequencedSet || !(on instanceof Set);
      return result instanceof Object[] array && !hasOrder
          ? sorted(Arrays.asList(array))
          : shown(result);
    } catch (InvocationTargetException e) {
      return new Thrown(kind(e.getCause()));
    } catch (IllegalAccessException e) {
      throw new AssertionError(method.toString(), e);
    }
  }

  private static Class<?> kind(Throwable thrown) {
    return thrown instanceof IndexOutOfBoundsException
        ? IndexOutOfBoundsException.class // System.arraycopy has one of its own
        : thrown.getClass();
  }

  /** What can be compared: what was returned, with what it holds. */
  private static @Nullable Object shown(@Nullable Object result) {
    return switch (result) {
      case null -> null;
      case Object[] array -> Arrays.asList(array);
      case BaseStream<?, ?> stream -> list(stream.iterator()).size();
      case Spliterator<?> spliterator -> {
        List<Object> elements = new ArrayList<>();
        spliterator.forEachRemaining(elements::add);
        yield elements.size();
      }
      case Enumeration<?> enumeration -> sorted(Collections.list(enumeration));
      case Iterator<?> iterator -> list(iterator).size();
      case SequencedMap<?, ?> map -> list(map.entrySet().iterator());
      case Map<?, ?> map -> new HashMap<>(map);
      case SequencedSet<?> set -> list(set.iterator());
      case Set<?> set -> new HashSet<>(set);
      case List<?> list -> list(list.iterator());
      case Collection<?> collection ->
          sorted(list(collection.iterator())); // values of a map have no order
      case Comparator<?> _ -> "comparator";
      case String text -> text.length();
      default -> result;
    };
  }

  private static List<?> sorted(List<?> elements) {
    elements.sort(Comparator.comparing(String::valueOf));
    return elements;
  }

  private static List<Object> list(Iterator<?> iterator) {
    List<Object> elements = new ArrayList<>();
    iterator.forEachRemaining(elements::add);
    return elements;
  }
}
