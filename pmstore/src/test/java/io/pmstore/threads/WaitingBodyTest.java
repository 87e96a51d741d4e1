package io.pmstore.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A body that waits for what another thread writes neither hangs nor starves anybody. */
@Timeout(60)
class WaitingBodyTest {
  private static final int TOGETHER = 8; // so many attempts before a transaction runs alone

  @TempDir Path directory;
  private PmStore shared;
  private Sums sums;

  /** A map to conflict in. */
  @Persistent(root = "sums")
  public static class Sums {
    private Map<String, Integer> map = new HashMap<>();

    public Map<String, Integer> getMap() {
      return map;
    }
  }

  @BeforeEach
  void open() {
    PmStoreOptions relaxed =
        PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofSeconds(10)));
    shared = PmStore.open(directory.resolve("store"), relaxed);
    sums = shared.root(Sums.class);
  }

  @AfterEach
  void close() {
    shared.close();
  }

  private interface Waits {
    void forWriteOf(PmStore store, Map<String, Integer> map, String key) throws Exception;
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.start();
    thread.join();
  }

  /** Each attempt meets the write that it waits for itself, so no attempt can commit. */
  @Test
  void whatWaitsForWhatItConflictsWithIsGivenUp() throws Exception {
    List<Waits> kinds =
        List.of(
            (store, map, key) ->
                join(Thread.ofPlatform().unstarted(() -> map.merge(key, 1, Integer::sum))),
            (store, map, key) ->
                join(Thread.ofVirtual().unstarted(() -> map.merge(key, 1, Integer::sum))),
            (store, map, key) ->
                CompletableFuture.runAsync(() -> map.merge(key, 1, Integer::sum)).join(),
            (store, map, key) -> {
              CountDownLatch written = new CountDownLatch(1);
              Thread.startVirtualThread(
                  () -> {
                    try {
                      store.transaction(() -> map.merge(key, 1, Integer::sum));
                    } finally {
                      written.countDown();
                    }
                  });
              written.await();
            });
    try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < kinds.size(); i++) {
        Waits waits = kinds.get(i);
        String key = "key" + i;
        running.add(
            each.submit(
                () -> {
                  // Each in a store of its own: a turn holds all of a store.
                  try (PmStore own = PmStore.open(directory.resolve(key))) {
                    checkGivenUp(own, key, waits);
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  private static void checkGivenUp(PmStore store, String key, Waits waits) {
    Map<String, Integer> map = store.root(Sums.class).getMap();
    AtomicInteger attempts = new AtomicInteger();
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () ->
                store.transaction(
                    () -> {
                      attempts.incrementAndGet();
                      int before = map.getOrDefault(key, 0);
                      waits.forWriteOf(store, map, key);
                      map.put(key, before + 1_000);
                    }));
    assertTrue(
        refused.getMessage().contains("WaitingBodyTest.java:"), () -> key + refused.getMessage());
    assertTrue(attempts.get() <= TOGETHER + 2 * 3, () -> attempts + " attempts");
    assertEquals(attempts.get(), map.get(key), "nothing of the transaction itself, all of others");
  }

  /** It waits for what is none of its business, so it goes on once others do. */
  @Test
  void whatWaitsForAnotherWriteOnlyCommits() throws Exception {
    Map<String, Integer> map = sums.getMap();
    Map<String, Integer> other = shared.root("other", Sums.class).getMap();
    AtomicInteger attempts = new AtomicInteger();
    shared.transaction(
        () -> {
          Map<String, Integer> written = attempts.incrementAndGet() <= TOGETHER ? map : other;
          int before = map.getOrDefault("a", 0);
          join(Thread.ofVirtual().unstarted(() -> written.put("a", 1)));
          map.put("a", before + 1);
        });
    assertEquals(Map.of("a", 2), Map.copyOf(map));
    assertEquals(Map.of("a", 1), Map.copyOf(other));
    assertEquals(TOGETHER + 1, attempts.get());
  }

  /** A slow body, a call of another service in it, say, gets its turn in the end. */
  @Test
  void aBodyThatOnlySleepsIsNotGivenUp() throws Exception {
    Map<String, Integer> map = sums.getMap();
    map.put("hot", 0);
    AtomicInteger attempts = new AtomicInteger();
    CompletableFuture<Void> done = new CompletableFuture<>();
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicInteger increments = new AtomicInteger();
      Future<?> other =
          others.submit(
              () -> {
                while (!done.isDone()) {
                  map.merge("hot", 1, Integer::sum);
                  increments.incrementAndGet();
                }
              });
      try {
        shared.transaction(
            () -> {
              attempts.incrementAndGet();
              int before = map.get("hot");
              Thread.sleep(attempts.get() <= TOGETHER ? 5 : 250);
              map.put("hot", before + 1);
            });
      } finally {
        done.complete(null);
      }
      other.get();
      assertEquals(increments.get() + 1, map.get("hot"));
    }
    assertTrue(attempts.get() <= TOGETHER + 3, () -> attempts + " attempts");
  }

  /** A stream's tasks run on several threads, which conflict with each other and with the body. */
  @Test
  void aParallelStreamThatWritesEnds() {
    Map<String, Integer> map = sums.getMap();
    for (int i = 0; i < 50; i++) {
      String key = "sum" + i;
      try {
        shared.transaction(
            () -> IntStream.range(0, 100).parallel().forEach(n -> map.merge(key, n, Integer::sum)));
      } catch (IllegalStateException refused) {
        return;
      }
    }
  }
}
