package io.pmstore.model.memory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Runs threads that start together. */
final class Threads {
  /** Work of one thread. */
  @FunctionalInterface
  interface Work {
    /** Works; what it returns is not used, but has to be computed. */
    long run(int thread) throws IOException;
  }

  private Threads() {}

  /** Returns the time in ns from the common start to the end of the last thread. */
  static double run(int count, Work work) throws IOException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(count);
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    AtomicInteger results = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform()
              .name("probe-" + i)
              .start(
                  () -> {
                    try {
                      ready.countDown();
                      start.await();
                      results.addAndGet((int) work.run(number));
                    } catch (Throwable e) {
                      failure.compareAndSet(null, e);
                    }
                  }));
    }
    ready.await();
    long began = System.nanoTime();
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    long nanos = System.nanoTime() - began;
    Throwable failed = failure.get();
    if (failed instanceof IOException e) {
      throw e;
    } else if (failed != null) {
      throw new IllegalStateException("a thread of the probe failed", failed);
    }
    return nanos;
  }

  /** Two threads wake each other in turn. Returns the time of all wakings in ns. */
  static double handOffs(int count) throws InterruptedException {
    AtomicInteger turn = new AtomicInteger();
    Thread here = Thread.currentThread();
    Thread other =
        Thread.ofPlatform()
            .name("probe-hand-off")
            .start(
                () -> {
                  for (int i = 1; i < count; i += 2) {
                    awaitTurn(turn, i);
                    turn.set(i + 1);
                    LockSupport.unpark(here);
                  }
                });
    long began = System.nanoTime();
    for (int i = 0; i < count; i += 2) {
      awaitTurn(turn, i);
      turn.set(i + 1);
      LockSupport.unpark(other);
    }
    awaitTurn(turn, count & ~1);
    long nanos = System.nanoTime() - began;
    other.join();
    return nanos;
  }

  private static void awaitTurn(AtomicInteger turn, int wanted) {
    while (turn.get() < wanted) {
      LockSupport.park(turn);
    }
  }
}
