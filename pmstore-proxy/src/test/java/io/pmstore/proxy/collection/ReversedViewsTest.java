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

  @Test
  void aRemovalOfSomeRemovesNoOtherWhenAnotherThreadInserts() {
    for (SequencedCollection<Integer> collection : collections()) {
      boolean[] inserted = new boolean[1];
      Predicate<Integer> filter =
          element -> {
            if (element == 10 && !inserted[0]) {
              inserted[0] = true;
              byAnotherThread(() -> collection.addFirst(100));
            }
            return element == 10;
          };
      assertTrue(collection.reversed().removeIf(filter));
      assertEquals(20, collection.size());
      List<Integer> expected = filled(new ArrayList<>());
      expected.remove((Integer) 10);
      expected.addFirst(100);
      assertEquals(expected, List.copyOf(collection));
    }
  }

  @Test
  void anOperationThatThrowsChangesNothing() {
    for (SequencedCollection<Integer> collection : collections()) {
      List<Integer> before = List.copyOf(collection);
      SequencedCollection<Integer> reversed = collection.reversed();
      store.in(
          () -> {
            assertThrows(
                IllegalStateException.class,
                () ->
                    reversed.removeIf(
                        element -> {
                          if (element == 10) {
                            throw new IllegalStateException();
                          }
                          return true;
                        }));
            assertThrows(
                NullPointerException.class,
                () ->
                    reversed.removeAll(
                        new ArrayDeque<>(List.of(1)) {
                          private static final long serialVersionUID = 1L;

                          @Override
                          public boolean contains(Object element) {
                            if (element.equals(10)) {
                              throw new NullPointerException("as of a collection that refuses it");
                            }
                            return true;
                          }
                        }));
          });
      assertEquals(before, List.copyOf(collection));
    }
  }
}
