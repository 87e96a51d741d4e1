package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BackoffTest {
  /** As many wait as there are carriers for virtual threads, and what they wait for needs one. */
  @Test
  void interruptedVirtualThreadsLetTheOneRunForWhomTheyWait() throws InterruptedException {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    AtomicBoolean condition = new AtomicBoolean();
    CountDownLatch waiting = new CountDownLatch(carriers);
    AtomicInteger stillInterrupted = new AtomicInteger();
    CountDownLatch satisfied = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                Thread.currentThread().interrupt();
                Backoff backoff = new Backoff();
                waiting.countDown();
                while (!condition.get()) {
                  backoff.pause();
                }
                if (Thread.currentThread().isInterrupted()) {
                  stillInterrupted.incrementAndGet();
                }
              }));
    }
    waiting.await();
    threads.add(
        Thread.startVirtualThread(
            () -> {
              condition.set(true);
              satisfied.countDown();
            }));
    boolean ran = satisfied.await(30, TimeUnit.SECONDS);
    condition.set(true); // so that the carriers are free for other tests
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(ran, "the waiting threads kept all carriers");
    assertEquals(carriers, stillInterrupted.get());
  }

  @Test
  void theOnlyWorkerOfAPoolMayWaitForAnotherTaskOfThePool() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    AtomicBoolean givenUp = new AtomicBoolean();
    try (ForkJoinPool pool = new ForkJoinPool(1)) {
      ForkJoinTask<?> waits =
          pool.submit(
              () -> {
                pool.submit(() -> done.set(true));
                Backoff backoff = new Backoff();
                while (!done.get() && !givenUp.get()) {
                  backoff.pause();
                }
                return done.get();
              });
      try {
        assertEquals(true, waits.get(30, TimeUnit.SECONDS));
      } finally {
        givenUp.set(true); // otherwise closing the pool would wait
      }
    }
  }
}
