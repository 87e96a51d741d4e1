package io.pmstore.proxy.facade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Stack;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Arguments that the JDK's classes refuse or accept: facades do the same as the class itself. */
class JdkExceptionsTest extends StoreTest {

  /** An object with a property of each class. */
  @Persistent(root = "shelf")
  @SuppressWarnings("JdkObsolete") // programs use them
  static class Shelf {
    private Vector<Object> vector = new Vector<>();
    private Stack<Object> stack = new Stack<>();
    private ArrayDeque<Object> arrayDeque = new ArrayDeque<>();
    private ConcurrentLinkedDeque<Object> linkedDeque = new ConcurrentLinkedDeque<>();
    private ConcurrentLinkedQueue<Object> linkedQueue = new ConcurrentLinkedQueue<>();
    private Hashtable<Object, Object> hashtable = new Hashtable<>();
    private Properties properties = new Properties();

    Vector<Object> getVector() {
      return vector;
    }

    Stack<Object> getStack() {
      return stack;
    }

    ArrayDeque<Object> getArrayDeque() {
      return arrayDeque;
    }

    ConcurrentLinkedDeque<Object> getLinkedDeque() {
      return linkedDeque;
    }

    ConcurrentLinkedQueue<Object> getLinkedQueue() {
      return linkedQueue;
    }

    Hashtable<Object, Object> getHashtable() {
      return hashtable;
    }

    Properties getProperties() {
      return properties;
    }
  }

  /** What a call returns or throws, and what is left then. */
  private static <T> String outcome(T collection, Function<T, @Nullable Object> call) {
    String result;
    try {
      result = Objects.toString(call.apply(collection));
    } catch (RuntimeException e) {
      result = e.getClass().getName();
    }
    return result + " " + (collection instanceof Map<?, ?> map ? new TreeMap<>(map) : collection);
  }

  private <T> void assertSame(
      Function<Shelf, T> property, String what, Function<T, @Nullable Object> call) {
    Shelf plain = new Shelf();
    Shelf stored = store().create(Shelf.class);
    for (Shelf shelf : List.of(plain, stored)) {
      T of = property.apply(shelf);
      if (of instanceof Map<?, ?>) {
        @SuppressWarnings("unchecked")
        Map<Object, Object> map = (Map<Object, Object>) of;
        map.put("k", "v");
      } else {
        @SuppressWarnings("unchecked")
        Collection<Object> elements = (Collection<Object>) of;
        elements.add("k");
      }
    }
    T ofPlain = property.apply(plain);
    String message = ofPlain.getClass().getSimpleName() + "." + what;
    assertEquals(outcome(ofPlain, call), outcome(property.apply(stored), call), message);
  }

  private void vector(Function<Shelf, Vector<Object>> property) {
    for (int index : new int[] {-1, 0, 1, 2, 9}) {
      assertSame(property, "addAll " + index, v -> v.addAll(index, List.of("x", "y")));
      assertSame(property, "addAll none " + index, v -> v.addAll(index, List.of()));
      assertSame(property, "add " + index, v -> add(v, index));
      assertSame(property, "get " + index, v -> v.get(index));
      assertSame(property, "remove " + index, v -> v.remove(index));
      assertSame(property, "set " + index, v -> v.set(index, "x"));
    }
  }

  private static @Nullable Object add(Vector<Object> vector, int index) {
    vector.add(index, "x");
    return null;
  }

  @Test
  void aVectorRefusesABadIndex() {
    vector(Shelf::getVector);
    vector(Shelf::getStack);
  }

  @Test
  void aVectorDoesNotHideAnExceptionOfTheElements() {
    Collection<Object> failing =
        new ArrayList<>() {
          private static final long serialVersionUID = 1L;

          @Override
          public Object[] toArray() {
            throw new IndexOutOfBoundsException("of the program");
          }

          @Override
          public java.util.Iterator<Object> iterator() {
            throw new IndexOutOfBoundsException("of the program");
          }
        };
    failing.add("x");
    assertSame(Shelf::getVector, "addAll that fails", v -> v.addAll(0, failing));
  }

  @SuppressWarnings("NullAway") // what the JDK does with null
  private void deque(Function<Shelf, Deque<Object>> property) {
    assertSame(property, "removeFirstOccurrence", d -> d.removeFirstOccurrence(null));
    assertSame(property, "removeLastOccurrence", d -> d.removeLastOccurrence(null));
    assertSame(property, "remove", d -> d.remove(null));
    assertSame(property, "contains", d -> d.contains(null));
    assertSame(property, "removeFirstOccurrence k", d -> d.removeFirstOccurrence("k"));
    assertSame(property, "removeLastOccurrence k", d -> d.removeLastOccurrence("k"));
    assertSame(property, "remove k", d -> d.remove("k"));
    assertSame(property, "remove z", d -> d.remove("z"));
  }

  @Test
  @SuppressWarnings("NullAway") // what the JDK does with null
  void aDequeRefusesNullAsTheClassDoes() {
    deque(Shelf::getArrayDeque);
    deque(Shelf::getLinkedDeque);
    assertSame(Shelf::getLinkedQueue, "remove", q -> q.remove(null));
    assertSame(Shelf::getLinkedQueue, "contains", q -> q.contains(null));
  }

  @SuppressWarnings("NullAway") // what the JDK does with null
  private void table(Function<Shelf, Map<Object, Object>> property) {
    for (String key : new String[] {"k", "z", null}) {
      assertSame(property, "remove of null " + key, m -> m.remove(key, null));
      assertSame(property, "remove " + key, m -> m.remove(key, "v"));
      assertSame(property, "merge " + key, m -> m.merge(key, "w", (a, b) -> a + "," + b));
      assertSame(property, "get " + key, m -> m.get(key));
      assertSame(property, "put null " + key, m -> m.put(key, null));
      assertSame(property, "putIfAbsent null " + key, m -> m.putIfAbsent(key, null));
      assertSame(property, "replace null " + key, m -> m.replace(key, null));
      assertSame(property, "replace from null " + key, m -> m.replace(key, null, "w"));
      assertSame(property, "replace to null " + key, m -> m.replace(key, "v", null));
      assertSame(property, "compute null " + key, m -> m.compute(key, (a, b) -> null));
    }
  }

  @Test
  void aTableTreatsNullAsTheClassDoes() {
    table(Shelf::getHashtable);
    table(Shelf::getProperties);
  }

  /**
   * Here the facade keeps to the contract of {@code Map}, which refuses null, and not to the JDK's
   * class, whose {@code merge} hands null to the function.
   */
  @Test
  @SuppressWarnings("NullAway") // refused
  void aHashtableRefusesToMergeNullWithoutCallingTheFunction() {
    Hashtable<Object, Object> table = store().root(Shelf.class).getHashtable();
    table.put("k", "v");
    for (String key : List.of("k", "z")) {
      assertThrows(
          NullPointerException.class,
          () ->
              table.merge(
                  key,
                  null,
                  (_, _) -> {
                    throw new AssertionError("called");
                  }));
    }
    assertEquals(Map.of("k", "v"), table);
  }

  @Test
  @SuppressWarnings("NullAway") // refused
  void theMessageForNullNamesTheClass() {
    Hashtable<Object, Object> table = store().root(Shelf.class).getHashtable();
    for (Runnable call : List.<Runnable>of(() -> table.get(null), () -> table.put("k", null))) {
      String message = assertThrows(NullPointerException.class, call::run).getMessage();
      assertTrue(message.contains("Hashtable"), message);
      assertFalse(message.contains("a concurrent map"), message);
    }
  }
}
