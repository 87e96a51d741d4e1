package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A deque does what an {@link ArrayDeque} does. */
class PersistentDequeModelTest extends ModelRun {
  private PersistentDeque<Object> deque = store.newDeque();
  private Deque<Object> model = new ArrayDeque<>();

  @Test
  void behavesAsAnArrayDeque() {
    run(Seed.random("PersistentDequeModelTest"), 800, 120);
  }

  @Override
  Runnable remember() {
    Deque<Object> before = new ArrayDeque<>(model);
    return () -> model = before;
  }

  @Override
  void find() {
    deque = new PersistentDeque<>(store.space, store.heap.object(TestStore.address(deque)));
  }

  @Override
  void compare() {
    assertEquals(List.of(model.toArray()), List.of(deque.toArray()));
    assertEquals(model.size(), deque.size());
    assertEquals(model.isEmpty(), deque.isEmpty());
    assertEquals(model.toString(), deque.toString());
    assertEquals(new ArrayList<>(model), new ArrayList<>(deque.reversed().reversed()));
    List<Object> backwards = new ArrayList<>();
    deque.descendingIterator().forEachRemaining(backwards::add);
    assertEquals(new ArrayList<>(model.reversed()), backwards);
    DequeCheck.check(store, deque);
  }

  @Override
  void steps(Random random, int count) {
    // Growing or shrinking for a while, at both ends or at one.
    int growing = 2 + random.nextInt(7);
    int atLast = List.of(0, 5, 10).get(random.nextInt(3));
    for (int i = 0; i < count; i++) {
      boolean last = random.nextInt(10) < atLast;
      if (random.nextInt(30) == 0) {
        rare(random);
      } else if (random.nextInt(10) < growing) {
        add(random, last);
      } else {
        take(random, random.nextInt(4) == 0 ? last : !last);
      }
      assertEquals(model.peekFirst(), deque.peekFirst());
      assertEquals(model.peekLast(), deque.peekLast());
    }
  }

  private static Object element(Random random) {
    return random.nextBoolean()
        ? Integer.valueOf(random.nextInt(100))
        : "element " + random.nextInt(100);
  }

  private void add(Random random, boolean last) {
    Object element = element(random);
    switch (random.nextInt(3)) {
      case 0 -> {
        if (last) {
          model.addLast(element);
          deque.addLast(element);
        } else {
          model.addFirst(element);
          deque.addFirst(element);
        }
      }
      case 1 -> {
        if (last) {
          model.add(element);
          assertEquals(true, deque.add(element));
        } else {
          model.push(element);
          deque.push(element);
        }
      }
      default -> {
        if (last) {
          model.offer(element);
          assertEquals(true, deque.offer(element));
        } else {
          model.offerFirst(element);
          assertEquals(true, deque.offerFirst(element));
        }
      }
    }
  }

  private void take(Random random, boolean last) {
    if (model.isEmpty()) {
      assertThrows(NoSuchElementException.class, last ? deque::removeLast : deque::removeFirst);
      assertThrows(NoSuchElementException.class, last ? deque::getLast : deque::getFirst);
      assertThrows(NoSuchElementException.class, deque::element);
    }
    @Nullable Object expected = last ? model.pollLast() : model.pollFirst();
    if (expected != null && random.nextBoolean()) {
      assertEquals(expected, last ? deque.removeLast() : deque.remove());
    } else {
      assertEquals(expected, last ? deque.pollLast() : deque.poll());
    }
  }

  private void rare(Random random) {
    Object element = element(random);
    switch (random.nextInt(8)) {
      case 0 -> assertEquals(model.remove(element), deque.remove(element));
      case 1 ->
          assertEquals(model.removeLastOccurrence(element), deque.removeLastOccurrence(element));
      case 2 -> {
        int modulus = 2 + random.nextInt(10);
        assertEquals(
            model.removeIf(e -> e.hashCode() % modulus == 0),
            deque.removeIf(e -> e.hashCode() % modulus == 0));
      }
      case 3 -> {
        List<Object> more = new ArrayList<>();
        for (int i = random.nextInt(100); i > 0; i--) {
          more.add(element(random));
        }
        assertEquals(model.addAll(more), deque.addAll(more));
      }
      case 4 -> {
        if (random.nextInt(4) == 0) {
          model.clear();
          deque.clear();
        }
      }
      case 5 -> assertEquals(model.contains(element), deque.contains(element));
      case 6 -> assertThrows(NullPointerException.class, () -> deque.add(nothing()));
      default -> iterate(random);
    }
  }

  @SuppressWarnings("NullAway") // what the test is about
  private static Object nothing() {
    return null;
  }

  /** Visits all, one way or the other, and removes some on the way. */
  private void iterate(Random random) {
    boolean backwards = random.nextBoolean();
    int modulus = 1 + random.nextInt(6);
    Iterator<Object> expected = backwards ? model.descendingIterator() : model.iterator();
    Iterator<Object> actual = backwards ? deque.descendingIterator() : deque.iterator();
    while (expected.hasNext()) {
      assertEquals(expected.next(), actual.next());
      if (random.nextInt(modulus) == 0) {
        expected.remove();
        actual.remove();
        assertThrows(IllegalStateException.class, actual::remove);
      }
    }
    assertEquals(false, actual.hasNext());
    assertThrows(NoSuchElementException.class, actual::next);
  }
}
