package io.pmstore.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStore.TransactionBody;
import io.pmstore.PmStoreOptions;
import io.pmstore.logged.LoggedWarnings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What other threads write for a transaction is no part of it, and that is not silent. */
@Timeout(60)
class HelperWritesTest {
  @TempDir Path directory;
  private PmStore store;
  private Numbers numbers;
  private Map<Integer, Integer> map;

  private LoggedWarnings warnings;

  /** A root. */
  @Persistent(root = "numbers")
  public static class Numbers {
    private Map<Integer, Integer> map = new HashMap<>();
    private Part own = new Part();
    private Part helpers = new Part();

    public Map<Integer, Integer> getMap() {
      return map;
    }

    public Part getOwn() {
      return own;
    }

    public Part getHelpers() {
      return helpers;
    }
  }

  /** What one of two threads writes, so that they do not conflict. */
  @Persistent
  public static class Part {
    private Map<Integer, Integer> map = new HashMap<>();
    private int last;
    private long sum;

    public Map<Integer, Integer> getMap() {
      return map;
    }

    public int getLast() {
      return last;
    }

    public void setLast(int last) {
      this.last = last;
    }

    public long getSum() {
      return sum;
    }

    public void setSum(long sum) {
      this.sum = sum;
    }

    public void add(int i) {
      map.put(i, i);
      sum += i;
    }
  }

  @BeforeEach
  void open() {
    PmStoreOptions relaxed =
        PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofSeconds(10)));
    store = PmStore.open(directory.resolve("store"), relaxed);
    numbers = store.root(Numbers.class);
    map = numbers.getMap();
    warnings = new LoggedWarnings("io.pmstore.core.tx.HelperWrites");
  }

  @AfterEach
  void close() {
    warnings.close();
    store.close();
  }

  /** A write of one element, in the ways that a program may write. */
  enum Write {
    PUT {
      @Override
      void write(PmStore store, Part part, int i) {
        part.getMap().put(i, i);
      }
    },
    SET_WHAT_WAS_WRITTEN_BEFORE {
      @Override
      void write(PmStore store, Part part, int i) {
        part.setLast(i);
      }
    },
    METHOD {
      @Override
      void write(PmStore store, Part part, int i) {
        part.add(i);
      }
    },
    TRANSACTION {
      @Override
      void write(PmStore store, Part part, int i) {
        store.transaction(() -> part.getMap().put(i, i));
      }
    },
    TRANSACTION_WITH_A_METHOD {
      @Override
      void write(PmStore store, Part part, int i) {
        store.transaction(() -> part.add(i));
      }
    };

    abstract void write(PmStore store, Part part, int i);
  }

  /** A stream of two elements, the second of which a helper writes when the first is written. */
  private final class TwoElements {
    final Write write;
    volatile CountDownLatch helped;
    volatile boolean written;
    volatile boolean ended;
    final AtomicInteger runs = new AtomicInteger();

    TwoElements(Write write) {
      this.write = write;
    }

    Void body() {
      runs.incrementAndGet();
      numbers.getOwn().setLast(-1);
      helped = new CountDownLatch(1);
      written = false;
      ended = false;
      Thread own = Thread.currentThread();
      try {
        IntStream.range(0, 2).parallel().forEach(i -> element(own, i));
      } finally {
        ended = true;
      }
      return null;
    }

    private void element(Thread own, int i) {
      if (Thread.currentThread() == own) {
        await(helped);
        write.write(store, numbers.getOwn(), i);
        written = true;
      } else {
        helped.countDown();
        while (!ended && !(written && own.getState() == Thread.State.WAITING)) {
          Thread.onSpinWait();
        }
        write.write(store, numbers.getHelpers(), i);
      }
    }
  }

  /** The thread of the transaction has written its part when the first helper writes. */
  @ParameterizedTest
  @EnumSource(Write.class)
  void aParallelStreamThatWritesInATransactionIsRefused(Write write) {
    TwoElements elements = new TwoElements(write);
    assertRefused(() -> store.transaction(elements::body));
    assertEquals(2, elements.runs.get(), "runs of the body");
    assertTrue(isWarned(), () -> warnings.messages().toString());
  }

  @Test
  void soIsOneThatAThreadOfAPoolOrAVirtualThreadBegins() throws Exception {
    try (ForkJoinPool pool = new ForkJoinPool(2);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (ExecutorService executor : List.of(pool, threads)) {
        Callable<Void> transaction = () -> store.transaction(new TwoElements(Write.PUT)::body);
        assertRefused(() -> executor.submit(transaction).get());
      }
    }
  }

  /**
   * Helpers write while the thread of the transaction is in its task and before it writes: one run
   * is enough.
   */
  @Test
  void aParallelStreamIsRefusedAtTheFirstWriteAfterThoseOfHelpers() {
    CountDownLatch inTask = new CountDownLatch(1);
    CountDownLatch helped = new CountDownLatch(1);
    AtomicInteger runs = new AtomicInteger();
    Thread own = Thread.currentThread();
    TransactionBody<RuntimeException> body =
        () -> {
          runs.incrementAndGet();
          IntStream.range(0, 10_000)
              .parallel()
              .forEach(
                  i -> {
                    if (Thread.currentThread() == own) {
                      inTask.countDown();
                      await(helped);
                    } else {
                      await(inTask);
                    }
                    map.put(i, i);
                    if (Thread.currentThread() != own) {
                      helped.countDown();
                    }
                  });
        };
    assertRefused(() -> store.transaction(body));
    assertEquals(1, runs.get(), "runs of the body");
  }

  @Test
  void aBodyThatCatchesTheRefusalIsRolledBack() {
    TwoElements elements = new TwoElements(Write.PUT);
    assertRefused(
        () ->
            store.transaction(
                () -> {
                  try {
                    elements.body();
                  } catch (IllegalStateException e) {
                    map.put(100, 100);
                  }
                }));
    assertNull(map.get(100));
  }

  private boolean isWarned() {
    return warnings.messages().stream()
        .anyMatch(warning -> warning.contains("HelperWritesTest.java:"));
  }

  private static void assertRefused(Executable transaction) {
    Exception thrown = assertThrows(Exception.class, transaction);
    Throwable refused = thrown instanceof ExecutionException ? thrown.getCause() : thrown;
    assertInstanceOf(IllegalStateException.class, refused);
    assertTrue(refused.toString().contains("task of a fork-join pool"), refused.toString());
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS), "no other thread took a task");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Runnable action) throws InterruptedException {
    Thread thread = Thread.startVirtualThread(action);
    thread.join();
  }

  /** Writes when the thread of the transaction waits. */
  private void putLate(Thread own, int key) {
    while (own.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait();
    }
    map.put(key, key);
  }

  @Test
  void aTaskThatTheBodyWaitsForIsWarnedOfOnce() throws Exception {
    Thread own = Thread.currentThread();
    for (int round = 0; round < 3; round++) {
      int key = round;
      store.transaction(() -> CompletableFuture.runAsync(() -> putLate(own, key)).join());
    }
    assertEquals(3, map.size());
    assertEquals(1, warnings.messages().size(), () -> warnings.messages().toString());
    assertTrue(
        warnings.messages().getFirst().contains("CompletableFuture.join"),
        "where it waits: " + warnings.messages().getFirst());
  }

  @Test
  void aWarningIsAnEventOfFlightRecorderToo() throws Exception {
    Thread own = Thread.currentThread();
    Path file = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("pmstore.WriteBesideTransaction");
      recording.start();
      store.transaction(() -> CompletableFuture.runAsync(() -> putLate(own, 1)).join());
      recording.dump(file);
    }
    List<RecordedEvent> events =
        RecordingFile.readAllEvents(file).stream()
            .filter(each -> each.getEventType().getName().equals("pmstore.WriteBesideTransaction"))
            .toList(); // those of transactions are on by themselves
    assertEquals(1, events.size(), events::toString);
    RecordedEvent event = events.getFirst();
    assertEquals(own.threadId(), event.getThread("holder").getJavaThreadId());
    assertTrue(event.getThread().getJavaThreadId() != own.threadId(), event::toString);
    assertTrue(event.getString("place").contains(".putLate("), event::toString);
    assertTrue(event.getString("holderPlace").contains("CompletableFuture.join"), event::toString);
  }

  @Test
  void aStartedThreadThatTheBodyWaitsForIsWarnedOf() throws Exception {
    Thread own = Thread.currentThread();
    store.transaction(() -> join(() -> putLate(own, 1)));
    assertEquals(1, warnings.messages().size(), () -> warnings.messages().toString());
  }

  /** A stream that only computes is right in a transaction, whatever streams of others do. */
  @Test
  void aStreamThatComputesIsNotRefusedForAnothersWrites() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    AtomicInteger others = new AtomicInteger();
    Runnable writer =
        () -> {
          while (!ended.get()) {
            IntStream.range(0, 100)
                .parallel()
                .forEach(i -> map.put(-1 - i, others.incrementAndGet()));
          }
        };
    Thread other = Thread.startVirtualThread(writer);
    try {
      for (int i = 0; i < 200 || others.get() < 1_000; i++) {
        int key = i;
        store.transaction(
            () -> {
              runs.incrementAndGet();
              int sum = IntStream.range(0, 20_000).parallel().map(n -> n % 3).sum();
              map.put(key, sum);
            });
        assertEquals(19_999, map.get(key));
      }
    } finally {
      ended.set(true);
      other.join();
    }
  }

  /** Parallel streams that only compute, in transactions, beside workers that write outside. */
  @Test
  void nothingIsRefusedOrWarnedOfThatIsRight() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    AtomicInteger sums = new AtomicInteger();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ForkJoinPool pool = new ForkJoinPool(2)) {
      for (int t = 0; t < 2; t++) {
        int from = t * 1_000;
        running.add(
            threads.submit(
                () -> {
                  for (int i = from; i < from + 200; i++) {
                    int key = i;
                    store.transaction(
                        () -> {
                          int sum = IntStream.range(0, 1_000).parallel().map(n -> n % 3).sum();
                          sums.addAndGet(sum);
                          map.put(key, sum);
                        });
                  }
                }));
      }
      for (int t = 2; t < 4; t++) {
        running.add(pool.submit(new Writer(map, t * 1_000)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertEquals(800, map.size());
    assertTrue(warnings.messages().isEmpty(), () -> warnings.messages().toString());
    assertTrue(sums.get() > 0);
  }
}

/** Work that has nothing to do with anybody's transaction. */
record Writer(Map<Integer, Integer> map, int from) implements Runnable {
  @Override
  public void run() {
    for (int i = from; i < from + 200; i++) {
      map.put(i, i);
    }
  }
}
