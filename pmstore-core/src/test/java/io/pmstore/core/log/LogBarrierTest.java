package io.pmstore.core.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.medium.IoAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which thread waits for which sync, and how many threads share one. */
@Timeout(60)
class LogBarrierTest {
  private final AtomicLong written = new AtomicLong();
  private final AtomicInteger syncs = new AtomicInteger();
  private final AtomicBoolean syncing = new AtomicBoolean();
  private final CountDownLatch inside = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private volatile long onDisk;
  private volatile IoAction during = () -> {};

  private final LogBarrier barrier =
      new LogBarrier(
          0,
          written::get,
          () -> {
            assertTrue(syncing.compareAndSet(false, true), "two syncs at once");
            syncs.incrementAndGet();
            long begin = written.get();
            try {
              during.run();
            } finally {
              syncing.set(false);
            }
            onDisk = begin;
          });

  /** From now on a sync says when it runs, and ends when it may. */
  private void holdSyncs() {
    during =
        () -> {
          inside.countDown();
          awaitUninterrupted(mayEnd);
        };
  }

  private void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertTrue(thread.isAlive());
      Thread.onSpinWait();
    }
  }

  @Test
  void aLoneCommitIsOneSync() throws IOException {
    for (int i = 1; i <= 10; i++) {
      barrier.await(written.incrementAndGet());
      assertEquals(i, syncs.get());
      assertEquals(i, barrier.durable());
    }
    barrier.await(5);
    assertEquals(10, syncs.get());
  }

  /** While one sync runs, four come: one more sync is enough for them, and no less would do. */
  @Test
  void whoComesDuringASyncSharesTheNext() throws Exception {
    holdSyncs();
    List<Thread> threads = new ArrayList<>();
    List<Throwable> thrown = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      long sequence = written.incrementAndGet();
      Thread thread =
          Thread.ofPlatform()
              .uncaughtExceptionHandler((t, e) -> thrown.add(e))
              .start(() -> awaitOrThrow(sequence));
      threads.add(thread);
      if (i == 0) {
        inside.await();
      } else {
        awaitWaiting(thread);
      }
    }
    mayEnd.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(List.of(), thrown);
    assertEquals(2, syncs.get());
    assertEquals(5, onDisk);
  }

  private void awaitOrThrow(long sequence) {
    try {
      barrier.await(sequence);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertTrue(onDisk >= sequence, "acknowledged " + sequence + ", on disk " + onDisk);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Some are interrupted, which nobody may notice but by the flag. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nobodyIsForgotten(boolean virtual) throws Exception {
    int threads = 40;
    int each = 2_000;
    during = () -> Thread.yield();
    ThreadFactory factory = virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService executor = Executors.newThreadPerTaskExecutor(factory)) {
      for (int t = 0; t < threads; t++) {
        ends.add(executor.submit(() -> commitMany(each)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals((long) threads * each, onDisk);
    assertTrue(syncs.get() < threads * each, "syncs: " + syncs);
  }

  private void commitMany(int count) {
    for (int i = 0; i < count; i++) {
      boolean interrupt = ThreadLocalRandom.current().nextInt(20) == 0;
      if (interrupt) {
        Thread.currentThread().interrupt();
      }
      awaitOrThrow(written.incrementAndGet());
      assertEquals(interrupt, Thread.interrupted());
    }
  }

  @Test
  void afterAFailedSyncThereIsNone() throws Exception {
    IOException cause = new IOException("device gone");
    barrier.await(written.incrementAndGet());
    holdSyncs();
    IoAction held = during;
    during =
        () -> {
          held.run();
          throw cause;
        };
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> leader = executor.submit(() -> awaitReporting(written.incrementAndGet()));
      inside.await();
      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        others.add(executor.submit(() -> awaitReporting(written.incrementAndGet())));
      }
      mayEnd.countDown();
      assertSame(cause, leader.get());
      for (Future<?> other : others) {
        assertSame(cause, other.get());
      }
    }
    assertEquals(2, syncs.get());
    barrier.await(1); // is durable
    assertSame(cause, awaitReporting(written.incrementAndGet()));
    assertEquals(2, syncs.get());
  }

  private Throwable awaitReporting(long sequence) {
    IOException thrown = assertThrows(IOException.class, () -> barrier.await(sequence));
    return thrown.getCause() == null ? thrown : thrown.getCause();
  }

  @Test
  void failingWaitsForTheSyncThatRuns() throws Exception {
    holdSyncs();
    IOException reason = new IOException("closed");
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      long first = written.incrementAndGet();
      Future<?> leader = executor.submit(() -> awaitOrThrow(first));
      inside.await();
      Thread failing = Thread.ofPlatform().start(() -> barrier.fail(reason));
      awaitWaiting(failing);
      Future<?> late = executor.submit(() -> awaitReporting(written.incrementAndGet()));
      assertFalse(leader.isDone());
      mayEnd.countDown();
      failing.join();
      leader.get(); // its sync was good
      assertSame(reason, late.get());
    }
    assertEquals(1, syncs.get());
  }
}
