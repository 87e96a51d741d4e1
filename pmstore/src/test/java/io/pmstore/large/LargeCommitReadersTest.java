package io.pmstore.large;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.pmdk.Program;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A snapshot, snapshots that open all the time, and backups, beside large commits: each shows one
 * state. The Java heap is small, and the process takes little memory beside it, however much is
 * written: more than it may take, page by page. -Dpmstore.large.commits says how often.
 */
@Timeout(300)
class LargeCommitReadersTest {
  private static final int COMMITS = Integer.getInteger("pmstore.large.commits", 16);
  private static final int BACKUPS = 2;
  private static final long ANONYMOUS_MAX_KB = 320 << 10;

  @TempDir Path temporary;

  /** The arguments: the directory of a store, the one for backups. */
  static final class Readers {
    private static final AtomicInteger snapshots = new AtomicInteger();
    private static final AtomicInteger backups = new AtomicInteger();
    private static final CountDownLatch ended = new CountDownLatch(1);

    private Readers() {}

    public static void main(String[] args) {
      PmStoreOptions options =
          PmStoreOptions.defaults().storage(Storage.FILE).logSegmentSize(2 << 20);
      try (PmStore store = PmStore.open(Path.of(args[0]), options)) {
        Depot depot = store.root(Depot.class);
        LargeCommits.commit(store, depot, 1);
        Executor threads = action -> new Thread(action).start();
        CompletableFuture<?> reads =
            CompletableFuture.allOf(
                CompletableFuture.runAsync(() -> readLong(store, depot), threads),
                CompletableFuture.runAsync(() -> readOften(store, depot), threads),
                CompletableFuture.runAsync(() -> backUp(store, Path.of(args[1])), threads));
        long most = 0;
        try {
          for (int i = 2; !reads.isDone() && (i <= COMMITS || backups.get() < BACKUPS); i++) {
            LargeCommits.commit(store, depot, i);
            most = Math.max(most, anonymousKb());
          }
        } finally {
          ended.countDown();
        }
        reads.join();
        System.out.printf(
            "%d commits, %d snapshots, %d backups; at most %d KiB of anonymous memory%n",
            LargeCommits.held(depot), snapshots.get(), backups.get(), most);
        assertTrue(most < ANONYMOUS_MAX_KB, "KiB of memory: " + most);
      }
    }

    private static void awaitEnd() {
      try {
        ended.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** One snapshot for as long as there are commits. */
    private static void readLong(PmStore store, Depot depot) {
      store.snapshot(
          () -> {
            int held = LargeCommits.held(depot);
            awaitEnd();
            assertEquals(held, LargeCommits.held(depot));
          });
    }

    private static void readOften(PmStore store, Depot depot) {
      int before = 0;
      while (ended.getCount() > 0) {
        int held = store.snapshot(() -> LargeCommits.held(depot));
        assertTrue(held >= before, held + " after " + before);
        before = held;
        snapshots.incrementAndGet();
      }
    }

    private static void backUp(PmStore store, Path parent) {
      while (ended.getCount() > 0) {
        store.backup(parent.resolve("backup-" + backups.get()));
        backups.incrementAndGet();
      }
    }

    /** The process's memory that is no file's: the Java heap, changed pages, the JVM's own. */
    private static long anonymousKb() {
      try {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("RssAnon:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
            .findFirst()
            .orElseThrow();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void readersSeeOneStateEachAndMemoryIsBounded() throws IOException {
    Path directory = temporary.resolve("store");
    new Program(Readers.class, directory, temporary)
        .with("-Xmx128m", "-XX:+ExitOnOutOfMemoryError")
        .run()
        .forEach(line -> System.out.println("LargeCommitReadersTest: " + line));
    for (int i = 0; i < BACKUPS; i++) {
      Path backup = temporary.resolve("backup-" + i);
      assertTrue(PmStore.verify(backup).isSound());
      try (PmStore store = PmStore.open(backup)) {
        assertTrue(LargeCommits.held(store.root(Depot.class)) > 0);
      }
    }
  }
}
