package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreDamagedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a large store is loaded: by several threads, and with word of how far it is. */
@Timeout(60)
class LoadTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void progressIsToldOnceASecondAndNotOfWhatIsShort() {
    AtomicLong clock = new AtomicLong(5);
    List<String> told = new ArrayList<>();
    LoadProgress progress = new LoadProgress(Path.of("orders"), 4000L << 20, clock::get, told::add);
    progress.add(1000 << 20);
    clock.addAndGet(SECOND - 1);
    progress.add(500 << 20);
    progress.done();
    assertEquals(List.of(), told);
    clock.addAndGet(1);
    progress.add(500 << 20);
    progress.add(100 << 20);
    assertEquals(List.of("loading the store in orders: 2,000 of 4,000 MiB"), told);
    clock.addAndGet(3 * SECOND / 2);
    progress.add(1900 << 20);
    progress.done();
    assertEquals(
        List.of(
            "loading the store in orders: 4,000 of 4,000 MiB",
            "the store in orders is loaded: 4,000 MiB in 2.5 s"),
        told.subList(1, told.size()));
  }

  @Test
  void littleIsLoadedByTheCallingThread() throws IOException {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (LoadTasks tasks = new LoadTasks(LoadTasks.PARALLEL_MIN - 1)) {
      for (int i = 0; i < 10; i++) {
        tasks.run(() -> threads.add(Thread.currentThread()));
      }
      tasks.await();
    }
    assertEquals(Set.of(Thread.currentThread()), threads);
  }

  @Test
  void muchIsLoadedByThreadsBesideEachOther() throws IOException {
    Assumptions.assumeTrue(Runtime.getRuntime().availableProcessors() > 1);
    CountDownLatch both = new CountDownLatch(2);
    AtomicInteger done = new AtomicInteger();
    try (LoadTasks tasks = new LoadTasks(LoadTasks.PARALLEL_MIN)) {
      for (int i = 0; i < 2; i++) {
        tasks.run(
            () -> {
              both.countDown();
              awaitUninterruptibly(both); // never, if one ran after the other
              done.incrementAndGet();
            });
      }
      tasks.await();
      assertEquals(2, done.get());
      tasks.run(
          () -> {
            throw new StoreDamagedException("a chunk");
          });
      assertThrows(StoreDamagedException.class, tasks::await);
    }
    assertTrue(both.getCount() == 0);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
