package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A deque whose elements are read as new objects each time, which are not equal to each other. */
class DequeOfValuesTest extends StoreTest {

  /** Two of the same contents are not equal, since arrays are not. */
  record Line(int[] counts) {}

  /** The root. */
  @Persistent(root = "lines")
  static class Lines {
    private Deque<Line> all = new ArrayDeque<>();

    Deque<Line> getAll() {
      return all;
    }

    void setAll(Deque<Line> all) {
      this.all = all;
    }
  }

  private Deque<Line> lines(int count) {
    Deque<Line> lines = store().root(Lines.class).getAll();
    for (int i = 0; i < count; i++) {
      lines.add(new Line(new int[] {i}));
    }
    return lines;
  }

  private static List<Integer> numbers(Deque<Line> lines) {
    List<Integer> numbers = new ArrayList<>();
    lines.forEach(line -> numbers.add(line.counts()[0]));
    return numbers;
  }

  private void removeTheThird(Function<Deque<Line>, Iterator<Line>> iterator, int expected) {
    Deque<Line> lines = lines(100);
    Iterator<Line> all = iterator.apply(lines);
    all.next();
    all.next();
    assertEquals(expected, all.next().counts()[0]);
    all.remove();
    List<Integer> left = numbers(lines);
    assertEquals(99, left.size());
    assertEquals(-1, left.indexOf(expected));
  }

  @Test
  void anIteratorRemovesTheElementThatItReturned() {
    removeTheThird(Deque::iterator, 2);
  }

  @Test
  void aDescendingIteratorRemovesTheElementThatItReturned() {
    removeTheThird(Deque::descendingIterator, 97);
  }

  @Test
  void anIteratorThatRemovesAllLeavesNone() {
    Deque<Line> lines = lines(100);
    store()
        .transaction(
            () -> {
              Iterator<Line> all = lines.iterator();
              for (int i = 0; all.hasNext(); i++) {
                assertEquals(i, all.next().counts()[0]);
                all.remove();
              }
            });
    assertEquals(0, lines.size());
  }

  @Test
  void anIterationGoesOnWithWhatItHasReadBeforeAnotherThreadAdded() throws InterruptedException {
    Deque<Line> lines = lines(10);
    List<Integer> seen = new ArrayList<>();
    Iterator<Line> all = lines.iterator();
    for (int i = 0; all.hasNext(); i++) {
      seen.add(all.next().counts()[0]);
      if (i == 4) {
        Thread other = new Thread(() -> lines.addFirst(new Line(new int[] {-1})));
        other.start();
        other.join();
      }
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), seen);
  }
}
