package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SequencedCollection;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The operations of reversed lists and deques are atomic, as those of the collections are. */
class ReversedViewsTest {
  private final TestStore store = new TestStore();

  private static <C extends Collection<Integer>> C filled(C collection) {
    collection.addAll(IntStream.range(0, 20).boxed().toList());
    return collection;
  }

  private static void byAnotherThread(Runnable body) {
    Thread thread = Thread.ofVirtual().start(body);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<SequencedCollection<Integer>> collections() {
    return List.of(
        filled(store.newList()),
        filled(store.newDeque()),
        filled(store.<Integer>newDeque()).weaklyConsistent());
  }

  /** A collection that contains what a test accepts. */
  private static final class Accepted extends ArrayDeque<Integer> {
    private static final long serialVersionUID = 1L;
    private final transient Predicate<Object> test;

    Accepted(Predicate<Object> test) {
      this.test = test;
    }

    @Override
    public boolean contains(Object element) {
      return test.test(element);
    }
  }

  @Test
  void aRemovalOfSomeRemovesNoOtherWhenAnotherThreadInserts() {
    for (SequencedCollection<Integer> collection : collections()) {
      boolean[] inserted = new boolean[1];
      Predicate<Object> filter =
          element -> {
            if (element.equals(10) && !inserted[0]) {
              inserted[0] = true;
              byAnotherThread(() -> collection.addFirst(100));
            }
            return element.equals(10);
          };
      assertTrue(collection.reversed().removeAll(new Accepted(filter)));
      List<Integer> expected = filled(new ArrayList<>());
      expected.remove((Integer) 10);
      expected.addFirst(100);
      assertEquals(expected, List.copyOf(collection));
    }
  }

  @Test
  void anOperationThatThrowsChangesNothing() {
    Predicate<Object> throwing =
        element -> {
          if (element.equals(10)) {
            throw new IllegalStateException("as of a collection that refuses it");
          }
          return true;
        };
    for (SequencedCollection<Integer> collection : collections()) {
      List<Integer> before = List.copyOf(collection);
      SequencedCollection<Integer> reversed = collection.reversed();
      List<Runnable> operations =
          List.of(
              () -> reversed.removeIf(throwing),
              () -> reversed.removeAll(new Accepted(throwing)),
              () -> reversed.retainAll(new Accepted(throwing.negate())));
      for (Runnable operation : operations) {
        store.in(() -> assertThrows(IllegalStateException.class, operation::run));
        assertEquals(before, List.copyOf(collection));
      }
    }
  }
}
