package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReadConsistency;
import io.pmstore.ReplicationStatus.Role;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.StoreLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A copy of the leader's heap takes the place of a node's heap. If the node cannot open it, the
 * node fails with the reason, and can be closed and opened again.
 */
@Timeout(120)
class HeapReplacementTest {
  private static final int READS = 100; // while a copy waits
  private static final long SNAPSHOT_MILLIS = 900; // longer than the first hold
  private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(30);

  @TempDir Path root;
  private Cluster cluster;
  private String away;
  private PmStore store;
  private final ExecutorService readers = Executors.newCachedThreadPool();

  /** A node lacks what the others have dropped from their logs, and cannot write a copy yet. */
  @BeforeEach
  void open() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").with(s -> s.logEntries(20)).openAll();
    cluster.onLeader(all -> all.root(Bank.class).getNotes().put("k", "v"));
    cluster.assertAllEqual();
    away = cluster.follower();
    cluster.close(away);
    cluster.outgrowLogs();
    Files.createSymbolicLink(copy(), root.resolve("missing"));
    store = cluster.open(away);
  }

  @AfterEach
  void close() {
    readers.shutdownNow();
    cluster.close();
  }

  private Path copy() {
    return new NodeFiles(cluster.directory(away)).newHeap();
  }

  @Test
  void aNodeThatCannotOpenTheCopyFailsAndIsOpenedAgain() throws Exception {
    Bank[] before = new Bank[1];
    StoreLock lock =
        store.<StoreLock, Exception>snapshot(
            ReadConsistency.LOCAL,
            () -> {
              before[0] = store.root(Bank.class);
              Files.delete(copy());
              return lockOfCopy(); // it takes the place of the heap when the snapshot ends
            });
    StoreFailedException failed = awaitFailure();
    assertTrue(failed.getMessage().contains("the node " + away), failed::getMessage);
    assertTrue(failed.getMessage().contains("copy of the leader's heap"), failed::getMessage);
    assertTrue(failed.getMessage().contains("is open already"), failed::getMessage); // the reason
    assertTrue(failed.getMessage().contains("open it again"), failed::getMessage);
    assertThrows(StoreFailedException.class, () -> before[0].getNotes());
    assertThrows(StoreFailedException.class, () -> store.transaction(() -> {}));
    assertEquals(Role.STOPPED, cluster.status(away).role());

    lock.release();
    cluster.close(away);
    awaitEnd(away + "@"); // threads of Ratis
    awaitEnd("pmstore-raft-copy"); // threads of the node
    assertTrue(Files.exists(copy()), "the former heap was not kept");
    cluster.open(away);
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    cluster.assertAllEqual();
  }

  @Test
  void anObjectOfAReplacedHeapSaysWhereToReadItAgain() throws Exception {
    Bank before =
        store.<Bank, RuntimeException>snapshot(ReadConsistency.LOCAL, () -> store.root(Bank.class));
    Files.delete(copy());
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    assertReadAgain(before::getNotes);
    assertReadAgain(() -> store.<Object, RuntimeException>snapshot(before::getNotes));
  }

  /**
   * A body waits for another thread, which uses the store too. Were that held back until the body
   * ends, none of them would end.
   */
  @Test
  void aSnapshotThatWaitsForAnotherReaderEnds() throws Exception {
    store.<@Nullable Object, Exception>snapshot(
        ReadConsistency.LOCAL,
        () -> {
          Files.delete(copy());
          for (int reads = 0; reads < READS; ) {
            reads += isWaiting() ? 1 : 0;
            assertEquals("v", CompletableFuture.supplyAsync(this::note, readers).join());
          }
          return null;
        });
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    cluster.assertAllEqual();
  }

  /** The readers take turns, each longer than the first time for which new ones are held back. */
  @Test
  void aCopyTakesThePlaceOfAHeapWhoseSnapshotsOverlapAllTheTime() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long begin = i * SNAPSHOT_MILLIS / 4;
      running.add(
          readers.submit(
              () -> {
                Thread.sleep(begin); // how the snapshots overlap is what the test is about
                while (!ended.get()) {
                  store.<@Nullable Object, Exception>snapshot(
                      ReadConsistency.LOCAL,
                      () -> {
                        Thread.sleep(SNAPSHOT_MILLIS);
                        return null;
                      });
                }
                return null;
              }));
    }
    Files.delete(copy());
    cluster.replication(away).awaitReady(Duration.ofSeconds(60));
    ended.set(true);
    for (Future<?> one : running) {
      one.get();
    }
    cluster.assertAllEqual();
  }

  private String note() {
    return store.<String, RuntimeException>snapshot(
        ReadConsistency.LOCAL, () -> store.root(Bank.class).getNotes().get("k"));
  }

  private boolean isWaiting() {
    return ((Operation) cluster.replication(away)).node().install().isWaiting();
  }

  /** The copy waits, and the node goes on: it votes, and says what the copy waits for. */
  @Test
  void aNodeVotesWhileACopyWaitsForItsReaders() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Future<String> reader =
        readers.submit(
            () ->
                store.<String, Exception>snapshot(
                    ReadConsistency.LOCAL,
                    () -> {
                      begun.countDown();
                      end.await();
                      return store.root(Bank.class).getNotes().get("k");
                    }));
    begun.await();
    Files.delete(copy());
    while (!isWaiting()) {
      assertEquals("v", note());
    }
    NotLeaderException notReady =
        assertThrows(
            NotLeaderException.class,
            () -> cluster.replication(away).awaitReady(Duration.ofMillis(1)));
    assertTrue(notReady.getMessage().contains("waits until no snapshot"), notReady::toString);
    String former = cluster.leader();
    cluster.close(former);
    String other = cluster.ids().stream().filter(id -> !id.equals(away)).findFirst().orElseThrow();
    while (cluster.status(other).role() != Role.LEADER) { // it has the vote of this node
      Thread.sleep(5);
    }
    assertFalse(reader.isDone());
    end.countDown();
    assertEquals("v", reader.get());
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    cluster.onLeader(all -> all.root(Bank.class).getNotes().put("after", "v"));
    cluster.assertAllEqual();
  }

  private void assertReadAgain(Executable use) {
    StoreClosedException closed = assertThrows(StoreClosedException.class, use);
    assertTrue(closed.getMessage().contains("the node " + away), closed::getMessage);
    assertTrue(closed.getMessage().contains("read it again"), closed::getMessage);
  }

  /** Locks the copy when it is whole, as another program does that looks at it. */
  private StoreLock lockOfCopy() throws InterruptedException {
    while (true) {
      @Nullable StoreLock lock = null;
      try {
        lock = StoreLock.acquire(copy());
        if (Files.exists(copy().resolve("heap"))) {
          return lock;
        }
        lock.release();
      } catch (PmStoreException e) {
        // it is being written, or not there yet
      }
      Thread.sleep(5);
    }
  }

  private StoreFailedException awaitFailure() throws InterruptedException {
    while (true) {
      try {
        store.<@Nullable Object, RuntimeException>snapshot(ReadConsistency.LOCAL, () -> null);
      } catch (StoreFailedException e) {
        return e;
      }
      Thread.sleep(5);
    }
  }

  /** Waits until no thread has a name that begins so: what is closed may still be ending. */
  private static void awaitEnd(String prefix) throws InterruptedException {
    for (long begin = System.nanoTime(); ; Thread.sleep(5)) {
      List<String> names =
          Thread.getAllStackTraces().keySet().stream()
              .map(Thread::getName)
              .filter(name -> name.startsWith(prefix))
              .toList();
      if (names.isEmpty()) {
        return;
      }
      assertTrue(System.nanoTime() - begin < END_NANOS_MAX, () -> "threads go on: " + names);
    }
  }
}
