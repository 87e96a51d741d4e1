package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.StoreClosedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node can be closed at any moment, whatever the others send it then, and be opened again. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ClosingTest {
  private static final int CLOSINGS = 6;

  @TempDir Path root;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Throwable> writersFailure = new AtomicReference<>();
  private volatile boolean over;
  private int writers;
  private Cluster cluster;
  private Random random;

  @BeforeEach
  void open() throws Exception {
    random = new Random(Cluster.seed(getClass()));
    cluster =
        new Cluster(root, "a", "b", "c")
            .with(s -> s.logEntries(20).electionTimeout(Duration.ofSeconds(1)))
            .openAll();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  /** Writes through the present leader until the test is over, or that node leads no more. */
  private Thread startWriter() throws InterruptedException {
    PmStore leader = cluster.leaderStore();
    String name = "w" + writers++ + ".";
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                for (int i = 0; !over; i++) {
                  String key = name + i;
                  leader.transaction(
                      () -> leader.root(Bank.class).getNotes().put(key, key.repeat(20)));
                  acknowledged.add(key);
                }
              } catch (StoreClosedException | NotLeaderException | OutcomeUnknownException e) {
                System.out.println("the writer ends: " + e);
              } catch (Throwable t) {
                writersFailure.set(t);
              }
            });
  }

  /** The entries come one by one, or in a copy of the leader's heap: the log is short. */
  @Test
  void aFollowerClosesWhileTheOthersWrite() throws Exception {
    String follower = cluster.follower();
    Thread writer = startWriter();
    try {
      for (int i = 0; i < CLOSINGS; i++) {
        Thread.sleep(random.nextInt(800)); // nobody waits for this: any moment is meant
        cluster.close(follower);
        cluster.open(follower);
      }
      cluster.replication(follower).awaitReady(Duration.ofSeconds(30));
    } finally {
      over = true;
      writer.join();
    }
    assertNull(writersFailure.get());
    assertNothingIsLost();
  }

  private void assertNothingIsLost() throws InterruptedException {
    cluster.assertAllEqual();
    PmStore leader = cluster.leaderStore();
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(
        leader.<Set<String>, RuntimeException>snapshot(
            () -> Set.copyOf(leader.root(Bank.class).getNotes().keySet())));
    assertFalse(acknowledged.isEmpty(), "nothing was acknowledged");
    assertEquals(Set.of(), lost, "acknowledged, and lost");
  }

  /** What it has acknowledged stays; and a follower may be copying its heap. */
  @Test
  void theLeaderClosesWhileItWrites() throws Exception {
    for (int i = 0; i < CLOSINGS / 3; i++) {
      String leader = cluster.leader();
      String follower = cluster.follower();
      cluster.close(follower);
      Thread writer = startWriter();
      Thread.sleep(300 + random.nextInt(300)); // the follower falls behind the log
      cluster.open(follower);
      Thread.sleep(random.nextInt(1000)); // nobody waits for this: any moment is meant
      cluster.close(leader);
      writer.join();
      assertNull(writersFailure.get());
      cluster.open(leader);
    }
    assertNothingIsLost();
  }

  /** A transaction waits for the follower, which needs the heap, whose copy waits for it. */
  @Test
  void theOnlyOtherNodeCopiesTheHeapWhileATransactionWaitsForIt() throws Exception {
    cluster.close();
    // The leader still leads when the node is back, so that nothing else ends the transaction.
    cluster.with(s -> s.electionTimeout(Duration.ofSeconds(2))).openAll();
    String leader = cluster.leader();
    PmStore store = cluster.store(leader);
    List<String> followers = cluster.ids().stream().filter(id -> !id.equals(leader)).toList();
    cluster.close(followers.get(0));
    for (int i = 0; i < 100 || !cluster.firstSegments(leader).isEmpty(); i++) {
      String key = "k" + i;
      store.transaction(() -> store.root(Bank.class).getNotes().put(key, key));
    }
    AtomicReference<Throwable> unknown = new AtomicReference<>();
    Thread writer =
        Thread.ofPlatform()
            .start(
                () -> {
                  while (!over) {
                    try {
                      store.transaction(() -> store.root(Bank.class).getNotes().put("last", ""));
                    } catch (OutcomeUnknownException e) {
                      unknown.set(e);
                    } catch (NotLeaderException e) {
                      LockSupport.parkNanos(1_000_000); // it stops leading, and leads again
                    } catch (Throwable t) {
                      writersFailure.set(t);
                      return;
                    }
                  }
                });
    try {
      cluster.close(followers.get(1)); // the only one that could confirm what the writer does
      cluster.open(followers.get(0));
      cluster.replication(followers.get(0)).awaitReady(Duration.ofSeconds(60));
    } finally {
      over = true;
      writer.join();
    }
    assertNull(writersFailure.get());
    assertTrue(unknown.get() != null, "the copy did not wait for a transaction");
    cluster.open(followers.get(1));
    cluster.onLeader(all -> all.root(Bank.class).getNotes().put("after", ""));
    cluster.assertAllEqual();
  }
}
