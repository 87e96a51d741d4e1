package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.core.heap.NoObjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Money moves between accounts and none is made or lost: not in the end, not inside any
 * transaction, not for anybody who looks on from outside.
 */
@ParameterizedClass
@CsvSource({
  "PLATFORM, MEMORY",
  "VIRTUAL, MEMORY",
  "PLATFORM, FILE",
  "VIRTUAL, FILE",
  "PLATFORM, PERSISTENT_MEMORY",
  "VIRTUAL, PERSISTENT_MEMORY",
})
@Timeout(120)
class BankTest {
  private static final int SHAPE = 3;
  private static final int THREADS = 8;
  private static final int EACH = 2_000;
  private static final long TOTAL = 10_000;

  // An account; the bank has the first account in NEXT, and counts the moves in MOVES.
  private static final int NEXT = 8;
  private static final int BALANCE = 16;
  private static final int MOVES = 24;
  private static final int SIZE = 32;

  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;
  }

  @Parameter(0)
  ThreadKind threads;

  @Parameter(1)
  EngineKind engines;

  private EngineKind.Opened opened;
  private Heap heap;
  private long bank;
  // Known to all threads as Java objects, as a program's own maps would know them.
  private final List<HeapObject> accounts = new CopyOnWriteArrayList<>();
  private final AtomicLong moves = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void open() throws Exception {
    opened = engines.openNew();
    heap = new Heap(opened.engine(), Durability.SYNC, h -> new NoObjects());
    bank = heap.transaction(() -> heap.allocate(SHAPE, SIZE));
    accounts.add(
        heap.transaction(
            () -> {
              HeapObject first = heap.newObject(SHAPE, SIZE);
              first.putLong(BALANCE, TOTAL);
              heap.putLong(bank, NEXT, first.address());
              return first;
            }));
  }

  @AfterEach
  void close() throws Exception {
    heap.close();
    opened.close();
  }

  @Test
  void noMoneyIsMadeOrLost() throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("BankTest: -Dpmstore.seed=" + seed);
    AtomicInteger running = new AtomicInteger(THREADS);
    try (ExecutorService pool = threads.pool(THREADS + 2)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        Random random = new Random(seed + t);
        futures.add(
            pool.submit(
                () -> {
                  try {
                    for (int i = 0; i < EACH; i++) {
                      act(random);
                    }
                  } finally {
                    running.decrementAndGet();
                  }
                  return null;
                }));
      }
      futures.add(pool.submit(() -> audit(running, false)));
      futures.add(pool.submit(() -> audit(running, true)));
      for (Future<?> future : futures) {
        future.get();
      }
    }
    assertEquals(List.of(), wrong.stream().limit(3).toList());
    assertEquals(TOTAL, total());
    assertEquals(moves.get(), heap.counter(bank, MOVES));
    assertTrue(accounts.size() > 10, accounts.size() + " accounts");
  }

  private Object audit(AtomicInteger running, boolean acknowledged) {
    do {
      if (acknowledged) {
        heap.transaction(this::look);
      } else {
        heap.read(this::look);
      }
      ThreadKind.giveWay();
    } while (running.get() > 0);
    return null;
  }

  private long total() {
    long total = 0;
    for (long at = heap.getLong(bank, NEXT); at != 0; at = heap.getLong(at, NEXT)) {
      total += heap.getLong(at, BALANCE);
    }
    return total;
  }

  /**
   * Looks at everything inside a transaction. What is wrong is kept outside it: an exception
   * because of a state that is gone would be forgotten.
   */
  private Object look() {
    long total = 0;
    long sides = 0;
    for (long at = heap.getLong(bank, NEXT); at != 0; at = heap.getLong(at, NEXT)) {
      total += heap.getLong(at, BALANCE);
      sides += heap.getLong(at, MOVES);
      if (sides % 7 == 0) {
        Thread.yield();
      }
    }
    long counted = heap.counter(bank, MOVES);
    if (total != TOTAL || sides != 2 * counted) {
      wrong.add("a total of %d, %d moves and %d sides".formatted(total, counted, sides));
    }
    return this;
  }

  private HeapObject any(Random random) {
    return accounts.get(random.nextInt(accounts.size()));
  }

  private void act(Random random) {
    HeapObject from = any(random);
    HeapObject to = any(random);
    long amount = random.nextInt(1, 50);
    int kind = random.nextInt(10);
    if (from == to || kind == 0) {
      open(from, amount);
      return;
    }
    try {
      boolean audited = random.nextInt(20) == 0;
      heap.transaction(
          () -> {
            move(from, to, amount, kind == 1);
            if (audited) {
              look();
            }
            return null;
          });
      moves.incrementAndGet();
    } catch (Refused expected) {
      // The half that was done is undone.
    }
  }

  private void move(HeapObject from, HeapObject to, long amount, boolean refuse) throws Refused {
    from.putLong(BALANCE, from.getLong(BALANCE) - amount);
    from.putLong(MOVES, from.getLong(MOVES) + 1);
    Thread.yield();
    if (refuse) {
      throw new Refused();
    }
    heap.transaction(
        () -> {
          to.putLong(BALANCE, to.getLong(BALANCE) + amount);
          to.putLong(MOVES, to.getLong(MOVES) + 1);
          heap.addToCounter(bank, MOVES, 1);
          return null;
        });
  }

  /** A new account, with money from another one. */
  private void open(HeapObject from, long amount) {
    if (accounts.size() < 100) {
      accounts.add(
          heap.transaction(
              () -> {
                HeapObject made = heap.newObject(SHAPE, SIZE);
                made.putLong(BALANCE, amount);
                from.putLong(BALANCE, from.getLong(BALANCE) - amount);
                made.putLong(NEXT, heap.getLong(bank, NEXT));
                heap.putLong(bank, NEXT, made.address());
                return made;
              }));
    }
  }
}
