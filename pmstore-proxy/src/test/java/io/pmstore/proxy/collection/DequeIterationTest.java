package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Iterators of deques remove the element that they have returned, and no equal one. */
class DequeIterationTest {
  private final TestStore store = new TestStore();

  private static void byAnotherThread(Runnable body) {
    Thread thread = Thread.ofVirtual().start(body);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private PersistentDeque<Integer> dequeOf(int size) {
    PersistentDeque<Integer> deque = store.newDeque();
    deque.addAll(IntStream.range(0, size).boxed().toList());
    return deque;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 40})
  void anEqualElementThatCameLaterStays(int size) {
    for (boolean last : new boolean[] {true, false}) {
      PersistentDeque<Integer> deque = dequeOf(size);
      Iterator<Integer> iterator = last ? deque.iterator() : deque.descendingIterator();
      IntStream.range(0, size).forEach(i -> iterator.next());
      byAnotherThread(
          () -> {
            if (last) {
              deque.addLast(deque.removeLast());
            } else {
              deque.addFirst(deque.removeFirst());
            }
          });
      iterator.remove();
      assertEquals(IntStream.range(0, size).boxed().toList(), List.copyOf(deque));
      DequeCheck.check(store, deque);
    }
  }

  /** The transaction has taken the element and added an equal one before the iterator reads. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 40})
  void anEqualElementOfATransactionThatBeganEarlierStays(int size) {
    for (boolean last : new boolean[] {true, false}) {
      for (int taken = 1; taken <= Math.min(size, 3); taken++) {
        int times = taken;
        PersistentDeque<Integer> deque = dequeOf(size);
        List<Iterator<Integer>> iterators = new ArrayList<>();
        store.in(
            () -> {
              iterators.clear();
              replaceEnds(deque, last, times);
              byAnotherThread(
                  () -> {
                    for (int i = 0; i < times; i++) {
                      Iterator<Integer> iterator =
                          last ? deque.descendingIterator() : deque.iterator();
                      IntStream.rangeClosed(0, i).forEach(step -> iterator.next());
                      iterators.add(iterator);
                    }
                  });
            });
        for (Iterator<Integer> iterator : iterators) {
          byAnotherThread(iterator::remove);
        }
        assertEquals(IntStream.range(0, size).boxed().toList(), List.copyOf(deque));
        DequeCheck.check(store, deque);
      }
    }
  }

  private static void replaceEnds(Deque<Integer> deque, boolean last, int times) {
    Deque<Integer> taken = new ArrayDeque<>();
    for (int i = 0; i < times; i++) {
      taken.push(last ? deque.removeLast() : deque.removeFirst());
    }
    for (Integer element : taken) {
      if (last) {
        deque.addLast(element);
      } else {
        deque.addFirst(element);
      }
    }
  }

  @Test
  void anEqualElementThatCameAfterAClearStays() {
    PersistentDeque<Integer> deque = dequeOf(40);
    for (int round = 0; round < 5; round++) {
      Iterator<Integer> iterator = deque.iterator();
      IntStream.range(0, 40).forEach(i -> iterator.next());
      boolean polled = round % 2 == 0;
      byAnotherThread(
          () -> {
            if (polled) {
              while (deque.pollLast() != null) {}
            } else {
              deque.clear();
            }
            deque.addAll(IntStream.range(0, 40).boxed().toList());
          });
      iterator.remove();
      assertEquals(IntStream.range(0, 40).boxed().toList(), List.copyOf(deque));
      DequeCheck.check(store, deque);
    }
  }

  /** An element of the model: elements that are equal for the deque are not for the model. */
  private record Token(int value, int number) {}

  /**
   * Iterators stand at elements, the deque changes at random, and then they remove: what was
   * returned is removed if it is still there, and nothing else.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void removesWhatItReturned(boolean weaklyConsistent) {
    Random random = Seed.random("DequeIterationTest " + weaklyConsistent);
    for (int round = 0; round < 30; round++) {
      PersistentDeque<Integer> made = store.newDeque();
      PersistentDeque<Integer> deque = weaklyConsistent ? made.weaklyConsistent() : made;
      Deque<Token> model = new ArrayDeque<>();
      int[] number = new int[1];
      int sizeMax = 1 + random.nextInt(80);
      for (int step = 0; step < 60; step++) {
        List<Iterator<Integer>> iterators = new ArrayList<>();
        List<Token> returned = new ArrayList<>();
        for (int i = 0; i < 4 && !model.isEmpty(); i++) {
          boolean forwards = random.nextBoolean();
          int steps = 1 + random.nextInt(model.size());
          Iterator<Integer> iterator = forwards ? deque.iterator() : deque.descendingIterator();
          Iterator<Token> tokens = forwards ? model.iterator() : model.descendingIterator();
          Token token = null;
          for (int s = 0; s < steps; s++) {
            token = tokens.next();
            assertEquals(token.value, iterator.next());
          }
          iterators.add(iterator);
          returned.add(token);
        }
        byAnotherThread(
            () -> {
              int changes = random.nextInt(sizeMax);
              for (int i = 0; i < changes; i++) {
                change(random, deque, model, number, sizeMax);
              }
            });
        Set<Token> removed = new HashSet<>();
        for (int i = 0; i < iterators.size(); i++) {
          Iterator<Integer> iterator = iterators.get(i);
          byAnotherThread(iterator::remove);
          removed.add(returned.get(i));
        }
        model.removeIf(removed::contains);
        assertEquals(model.stream().map(Token::value).toList(), List.copyOf(deque));
        assertEquals(model.size(), deque.size());
      }
      DequeCheck.check(store, deque);
    }
  }

  private static void change(
      Random random, Deque<Integer> deque, Deque<Token> model, int[] number, int sizeMax) {
    int value = random.nextInt(2);
    int what = random.nextInt(model.size() < sizeMax ? 8 : 16);
    switch (what) {
      case 0, 1 -> {
        deque.addFirst(value);
        model.addFirst(new Token(value, number[0]++));
      }
      case 2, 3, 4 -> {
        deque.addLast(value);
        model.addLast(new Token(value, number[0]++));
      }
      case 5 -> {
        deque.removeFirstOccurrence(value);
        Iterator<Token> tokens = model.iterator();
        while (tokens.hasNext()) {
          if (tokens.next().value == value) {
            tokens.remove();
            break;
          }
        }
      }
      case 6 -> {
        if (random.nextInt(10) == 0) {
          deque.clear();
          model.clear();
        }
      }
      case 7, 9, 10, 11 -> {
        deque.pollFirst();
        model.pollFirst();
      }
      default -> {
        deque.pollLast();
        model.pollLast();
      }
    }
  }
}
