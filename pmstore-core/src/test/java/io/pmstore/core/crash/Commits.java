package io.pmstore.core.crash;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The commits of a run, and so what must be found after a crash: the oracle.
 *
 * <p>Each thread numbers its changes, and each change writes its number to the thread's {@link
 * #marker}. So a heap reveals which changes it holds, and everything that must be in it. A change
 * is begun; then its commit returns its position; then a sync of its position or a later one
 * acknowledges it. After a crash the heap must hold a prefix of the order of commits, with
 * everything that was acknowledged and nothing that was not begun; after a kill of the process,
 * with everything that returned.
 */
final class Commits {
  private static final long MARKERS = Engine.RESERVED;
  private static final int MODELS_KEPT = 64;

  /**
   * What a heap holds.
   *
   * @param position the engine's position
   * @param numbers for each thread the number of its last change
   * @param heapSize in bytes
   */
  record Found(long position, List<Long> numbers, long heapSize) {}

  private final int threads;
  private final HeapModel base; // what was there when the store was last opened
  private final long basePosition;
  private final long[] baseNumbers;
  private final List<List<Change>> changes = new ArrayList<>();
  private final Map<List<Long>, HeapModel> models = new HashMap<>();
  private long synced;
  // Between which the heap's size is.
  private long least;
  private long most;
  private long promises;

  /** Starts with an empty heap. */
  Commits(int threads) {
    this(threads, new HeapModel(), 0, new long[threads], 0, Long.MAX_VALUE, 0);
  }

  private Commits(
      int threads,
      HeapModel base,
      long position,
      long[] numbers,
      long least,
      long most,
      long promises) {
    this.threads = threads;
    this.base = base;
    this.basePosition = position;
    this.baseNumbers = numbers;
    this.synced = position;
    this.least = least;
    this.most = most;
    this.promises = promises;
    for (int t = 0; t < threads; t++) {
      changes.add(new ArrayList<>());
    }
  }

  /** Where a thread's change writes its number. */
  static long marker(int thread) {
    return MARKERS + 64L * thread;
  }

  int threads() {
    return threads;
  }

  long promises() {
    return promises;
  }

  // ---- what the run does

  long nextNumber(int thread) {
    return baseNumbers[thread] + changes.get(thread).size() + 1;
  }

  void begun(Change change) {
    if (change.number() != nextNumber(change.thread())) {
      throw new IllegalArgumentException(change + " is not the next");
    }
    changes.get(change.thread()).add(change);
    promises++;
  }

  void returned(Change change, long position) {
    change.setPosition(position);
    promises++;
  }

  void synced(long position) {
    synced = Math.max(synced, position);
    promises++;
  }

  /** The heap is about to grow; engines may allocate ahead of need. */
  void growing() {
    most = Long.MAX_VALUE;
    promises++;
  }

  void grown(long size) {
    least = Math.max(least, size);
    promises++;
  }

  /** The heap is about to shrink; all commits have returned. */
  void shrinking(long size) {
    least = Math.min(least, size);
    promises++;
  }

  /** What goes on when the heap has shrunk: that is durable, and all commits before it. */
  Commits shrunk(long size) {
    long[] numbers = new long[threads];
    long position = basePosition;
    for (int t = 0; t < threads; t++) {
      numbers[t] = nextNumber(t) - 1;
      position += numbers[t] - baseNumbers[t];
    }
    HeapModel model = model(Arrays.stream(numbers).boxed().toList()).copy().cut(size);
    return new Commits(threads, model, position, numbers, size, size, promises + 1);
  }

  // ---- what is found

  /**
   * Finds out what a heap holds.
   *
   * @param usedPages those of its pages that may hold something else than zeros
   * @throws AssertionError if it is not exactly some changes
   */
  Found read(HeapMemory memory, long position, Set<Long> usedPages) {
    List<Long> numbers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      long number = memory.getLong(marker(t));
      if (number < baseNumbers[t] || number >= nextNumber(t)) {
        throw new AssertionError(
            "thread %d has made changes %d to %d here; the heap says %d"
                .formatted(t, baseNumbers[t] + 1, nextNumber(t) - 1, number));
      }
      numbers.add(number);
    }
    model(numbers).check(memory, usedPages);
    return new Found(position, numbers, memory.writableBytes());
  }

  private HeapModel model(List<Long> numbers) {
    HeapModel model = models.get(numbers);
    if (model == null) {
      if (models.size() >= MODELS_KEPT) {
        models.clear();
      }
      model = base.copy();
      for (Change change : held(numbers)) {
        change.applyTo(model);
      }
      models.put(numbers, model);
    }
    return model;
  }

  /**
   * The changes up to some numbers, in their order. Those whose commit has not returned come last:
   * no later change touched the same bytes.
   */
  private List<Change> held(List<Long> numbers) {
    List<Change> held = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      held.addAll(changes.get(t).subList(0, (int) (numbers.get(t) - baseNumbers[t])));
    }
    held.sort(Comparator.comparingLong(c -> c.position() == 0 ? Long.MAX_VALUE : c.position()));
    return held;
  }

  /** Compares with what is promised if the power is cut now. */
  void check(Found found) {
    check(found, synced);
  }

  /** Compares with what is promised if the process is killed now. */
  void checkKilled(Found found) {
    long last = synced;
    for (List<Change> mine : changes) {
      for (Change change : mine) {
        last = Math.max(last, change.position());
      }
    }
    check(found, last);
  }

  private void check(Found found, long leastPosition) {
    long held = basePosition;
    for (int t = 0; t < threads; t++) {
      held += found.numbers.get(t) - baseNumbers[t];
      for (Change change : changes.get(t)) {
        boolean there = change.number() <= found.numbers.get(t);
        if (change.position() != 0 && there != (change.position() <= found.position)) {
          throw new AssertionError(
              "%s at position %d is %s a store of position %d"
                  .formatted(
                      change, change.position(), there ? "in" : "missing from", found.position));
        }
      }
    }
    if (found.position < leastPosition) {
      throw new AssertionError(
          "the store has position %d; %d was acknowledged"
              .formatted(found.position, leastPosition));
    }
    if (found.position != held) {
      throw new AssertionError(
          "the store has position %d and holds %d changes".formatted(found.position, held));
    }
    if (found.heapSize < least || found.heapSize > most) {
      throw new AssertionError(
          "the heap has %d bytes, not between %d and %d".formatted(found.heapSize, least, most));
    }
  }

  /** What goes on from what was found, after a crash. */
  Commits after(Found found) {
    long[] numbers = new long[threads];
    Arrays.setAll(numbers, found.numbers::get);
    return new Commits(
        threads,
        model(found.numbers).copy().cut(found.heapSize),
        found.position,
        numbers,
        found.heapSize,
        found.heapSize,
        0);
  }
}
