package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReadConsistency;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node is ready when it has what was committed when it asked, and not before. */
@Timeout(120)
class ReadinessTest extends ClusterTest {
  private static final int ENTRIES = 150;

  private void put(int from, int to) throws InterruptedException {
    for (int i = from; i < to; i++) {
      String key = "k" + i;
      cluster.onLeader(store -> store.root(Bank.class).getNotes().put(key, key.repeat(100)));
    }
  }

  private static int localSize(PmStore store) {
    return store.<Integer, RuntimeException>snapshot(
        ReadConsistency.LOCAL, () -> store.root(Bank.class).getNotes().size());
  }

  @Test
  void aNodeThatWasAwayIsReadyWhenItHasCaughtUp() throws Exception {
    put(0, 1);
    for (int round = 1; round <= 3; round++) {
      String away = cluster.follower();
      cluster.replication(away).awaitReady(Duration.ofSeconds(30));
      cluster.close(away);
      int size = 1 + round * ENTRIES;
      put(size - ENTRIES, size);
      PmStore store = cluster.open(away);
      while (!cluster.status(away).ready()) {
        Thread.onSpinWait();
      }
      assertEquals(size, localSize(store), "ready before it has what was committed");
    }
  }

  /** Ratis tells of both on threads of its own, and what it has told first may come last. */
  @Test
  void aNodeThatLeadsNoMoreDoesNotLeadBecauseItHearsLateThatItIsReady() throws Exception {
    put(0, 1);
    String follower = cluster.follower();
    Leadership leadership = ((Operation) cluster.replication(follower)).node().leadership();
    leadership.ready();
    leadership.close(); // waits for what that has begun
    assertEquals(0, leadership.term());
    assertEquals(
        1,
        cluster
            .store(follower)
            .<Integer, RuntimeException>snapshot(
                () -> cluster.store(follower).root(Bank.class).getNotes().size()));
  }

  @Test
  void aNodeThatNobodyHasAddedIsNotReady() throws Exception {
    cluster.openToJoin("d");
    assertFalse(cluster.status("d").ready());
    assertThrows(
        NotLeaderException.class,
        () -> cluster.replication("d").awaitReady(Duration.ofMillis(500)));
    cluster.replication("a").addMember("d", cluster.address("d"));
    cluster.replication("d").awaitReady(Duration.ofSeconds(30));
  }

  @Test
  void anInterruptIsReportedAsSuchAndStaysPending() throws Exception {
    cluster.openToJoin("d");
    Thread.currentThread().interrupt();
    PmStoreException interrupted =
        assertThrows(
            PmStoreException.class,
            () -> cluster.replication("d").awaitReady(Duration.ofSeconds(30)));
    assertTrue(Thread.interrupted());
    assertFalse(interrupted instanceof NotLeaderException);
    PmStore store = cluster.store(cluster.follower());
    Thread.currentThread().interrupt();
    interrupted =
        assertThrows(PmStoreException.class, () -> store.snapshot(() -> store.root(Bank.class)));
    assertTrue(Thread.interrupted());
    assertFalse(interrupted instanceof NotLeaderException, interrupted::getMessage);
  }
}
