package io.pmstore.core.tx;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.tx.history.Attempt;
import io.pmstore.core.tx.history.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Random transactions of several threads on objects that gain elements, recorded: read-only ones,
 * snapshots, ones that roll back, ones inside others.
 *
 * <p>{@code -Dpmstore.history.transactions} makes it longer.
 */
public final class HistoryRun {
  private static final int THREADS = 6;
  private static final int TRANSACTIONS = Integer.getInteger("pmstore.history.transactions", 400);
  // At any time threads work on a window of objects, which moves on, so that none grows too long.
  private static final int WINDOW = 6;
  private static final int TRANSACTIONS_PER_OBJECT = 20;
  private static final int OBJECTS = TRANSACTIONS * THREADS / TRANSACTIONS_PER_OBJECT + WINDOW;

  private static final int KINDS = 10;
  private static final int READ_ONLY = 0;
  private static final int SNAPSHOT = 1;
  private static final int READING_MAX = 2;
  private static final int ROLLING_BACK = 9;

  /** An object of the store that gains elements. Its methods are called inside a transaction. */
  public interface Subject {
    /**
     * Adds an element.
     *
     * @param recorder is told of it
     */
    void add(Recorder recorder);

    /**
     * Reads all elements.
     *
     * @param recorder is told of it
     */
    void read(Recorder recorder);

    /**
     * Looks for an element, or reads all where that is the only way.
     *
     * @param recorder is told of it
     * @param random chooses the element
     */
    default void look(Recorder recorder, Random random) {
      read(recorder);
    }
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private final Heap heap;
  private final List<Subject> subjects = new ArrayList<>();
  private final AtomicInteger begun = new AtomicInteger();

  /**
   * Makes what the transactions are to work on.
   *
   * @param heap where
   * @param subject makes the n-th object, inside a transaction
   */
  public HistoryRun(Heap heap, IntFunction<Subject> subject) {
    this.heap = heap;
    for (int i = 0; i < OBJECTS; i++) {
      int n = i;
      subjects.add(heap.transaction(() -> subject.apply(n)));
    }
  }

  /**
   * Runs transactions on several threads.
   *
   * @param threads of which kind
   * @return all attempts, those that failed too, and a last one that reads everything
   * @throws Exception if a transaction throws
   */
  public List<Attempt> run(ThreadKind threads) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("HistoryRun: -Dpmstore.seed=" + seed);
    List<Attempt> history = new ArrayList<>();
    try (ExecutorService pool = threads.pool(THREADS)) {
      List<Future<Recorder>> parts = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        Recorder recorder = new Recorder("thread " + t);
        parts.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < TRANSACTIONS; i++) {
                    transaction(recorder, random);
                  }
                  return recorder;
                }));
      }
      for (Future<Recorder> part : parts) {
        history.addAll(part.get().attempts());
      }
    }
    if (history.size() == THREADS * TRANSACTIONS) {
      throw new AssertionError("no attempt ever failed: there was nothing to check");
    }
    Recorder end = new Recorder("the end");
    heap.read(
        () -> {
          end.begin();
          subjects.forEach(subject -> subject.read(end));
          return true;
        });
    end.committed();
    history.addAll(end.attempts());
    return history;
  }

  /** One transaction: what it does is fixed before its first attempt. */
  private void transaction(Recorder recorder, Random random) {
    int first = begun.getAndIncrement() / TRANSACTIONS_PER_OBJECT;
    int kind = random.nextInt(KINDS);
    List<Runnable> steps = new ArrayList<>();
    for (int n = random.nextInt(5); n >= 0; n--) {
      Subject subject = subjects.get(first + random.nextInt(WINDOW));
      long seed = random.nextLong();
      Runnable step =
          kind > READING_MAX && random.nextBoolean()
              ? () -> subject.add(recorder)
              : random.nextBoolean()
                  ? () -> subject.read(recorder)
                  : () -> subject.look(recorder, new Random(seed));
      steps.add(random.nextInt(4) > 0 ? step : () -> heap.transaction(() -> done(step)));
      if (random.nextBoolean()) {
        steps.add(() -> LockSupport.parkNanos(1)); // the others do come between
      }
    }
    if (kind == ROLLING_BACK) {
      steps.add(
          () -> {
            throw new RollBack();
          });
    }
    Runnable body = () -> steps.forEach(Runnable::run);
    Runnable attempt =
        () -> {
          recorder.begin();
          body.run();
        };
    try {
      if (kind == READ_ONLY) {
        heap.read(() -> done(attempt));
      } else if (kind == SNAPSHOT) {
        recorder.begin(); // its state is that of its opening, before the body runs
        heap.snapshot(() -> done(body));
      } else {
        heap.transaction(() -> done(attempt));
      }
      recorder.committed();
    } catch (RollBack expected) {
      recorder.rolledBack();
    }
  }

  private static boolean done(Runnable body) {
    body.run();
    return true;
  }
}
