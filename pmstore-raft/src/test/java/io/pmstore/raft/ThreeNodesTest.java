package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.ReadConsistency;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes: the leader runs transactions, all have the same, followers say who leads. */
class ThreeNodesTest {
  private record Never(int number, TimeUnit unit) {}

  @TempDir Path root;
  private Cluster cluster;

  @BeforeEach
  void open() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").openAll();
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void whatTheLeaderCommitsAllNodesHave() throws Exception {
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
    for (String id : new String[] {"a", "b", "c"}) {
      PmStore store = cluster.store(id);
      assertEquals(
          "v",
          store.<String, RuntimeException>snapshot(
              () -> store.root(Bank.class).getNotes().get("k")));
    }
    for (int i = 0; i < 200; i++) {
      int n = i;
      cluster.onLeader(
          store -> {
            Bank bank = store.root(Bank.class);
            Bank.Account account = store.create(Bank.Account.class);
            account.setNumber(n);
            account.setBalance(100);
            bank.getAccounts().add(account);
            bank.getNotes().put("n" + n, "x".repeat(n));
          });
    }
    cluster.assertAllEqual();
    PmStore follower = cluster.store(cluster.follower());
    assertEquals(
        20_000L,
        follower.<Long, RuntimeException>snapshot(
            () ->
                follower.root(Bank.class).getAccounts().stream()
                    .mapToLong(Bank.Account::getBalance)
                    .sum()));
  }

  /** The engine below the log of Raft syncs now and then, and no commit waits for that. */
  @Test
  void syncsOfTheHeapAreNotCountedAsThoseOfCommits() throws Exception {
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
    PmStore leader = cluster.store(cluster.leader());
    assertTrue(leader.metrics().transactions().commits() > 0);
    assertEquals(OptionalLong.empty(), leader.metrics().log().syncs());
    assertTrue(leader.metrics().log().fileBytes().isPresent());
  }

  @Test
  void theLeaderRemovesARootOnAllNodes() throws Exception {
    cluster.onLeader(store -> store.root("other", Bank.class).getNotes().put("k", "v"));
    PmStore follower = cluster.store(cluster.follower());
    assertTrue(follower.<Boolean, RuntimeException>snapshot(() -> has(follower, "other")));
    assertThrows(NotLeaderException.class, () -> follower.removeRoot("other"));
    assertThrows(NotLeaderException.class, () -> follower.removeRoot("never"));
    cluster.onLeader(store -> assertTrue(store.removeRoot("other")));
    assertFalse(follower.<Boolean, RuntimeException>snapshot(() -> has(follower, "other")));
    assertThrows(
        NotLeaderException.class,
        () -> follower.<Bank, RuntimeException>snapshot(() -> follower.root("other", Bank.class)));
  }

  private static boolean has(PmStore store, String root) {
    return store.roots().containsKey(root);
  }

  @Test
  void aFollowerSaysWhoLeads() throws Exception {
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
    String leader = cluster.leader();
    PmStore follower = cluster.store(cluster.follower());
    NotLeaderException refused =
        assertThrows(
            NotLeaderException.class,
            () -> follower.transaction(() -> follower.root(Bank.class).getNotes().get("k")));
    assertEquals(leader, refused.leader().orElseThrow());
    assertTrue(refused.getMessage().contains(cluster.address(leader)), refused.getMessage());
    follower.<Object, RuntimeException>snapshot(() -> follower.root(Bank.class)); // has applied it
    Bank bank =
        follower.<Bank, RuntimeException>snapshot(
            ReadConsistency.LOCAL, () -> follower.root(Bank.class));
    assertThrows(NotLeaderException.class, () -> bank.getNotes().put("k", "w"));
    assertEquals("v", bank.getNotes().get("k"));
  }

  @Test
  void aFollowerFindsNothingThatTheStoreHasNoClassOf() throws Exception {
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
    PmStore follower = cluster.store(cluster.follower());
    follower.<Object, RuntimeException>snapshot(() -> follower.root(Bank.class)); // has applied it
    for (Object key : List.of(new Never(1, TimeUnit.DAYS), TimeUnit.HOURS)) {
      assertNull(
          follower.<@Nullable String, RuntimeException>snapshot(
              () -> follower.root(Bank.class).getNotes().get(key)));
    }
  }

  @Test
  void anObjectThatTheLeaderHasFreedEndsOnTheOthersToo() throws Exception {
    cluster.onLeader(
        store -> {
          Bank.Account account = store.create(Bank.Account.class);
          account.setBalance(7);
          store.root(Bank.class).getAccounts().add(account);
        });
    PmStore follower = cluster.store(cluster.follower());
    Bank.Account[] read = new Bank.Account[1];
    follower.<Object, Exception>snapshot(
        () -> {
          read[0] = follower.root(Bank.class).getAccounts().get(0);
          Thread elsewhere = // a thread in a snapshot uses no other store
              Thread.ofPlatform()
                  .start(
                      () -> {
                        cluster.onLeaderUnchecked(
                            store -> store.root(Bank.class).getAccounts().clear());
                        collect();
                      });
          elsewhere.join();
          assertEquals(7, read[0].getBalance());
          return null;
        });
    for (int i = 0; i < 200; i++) {
      collect();
      cluster.onLeader(
          store -> {
            Bank bank = store.root(Bank.class); // frees something, so that ended snapshots count
            bank.getAccounts().add(store.create(Bank.Account.class));
            bank.getAccounts().clear();
          });
      try {
        assertEquals(7, read[0].getBalance()); // not freed yet, or its space not used again
      } catch (IllegalStateException e) {
        assertTrue(e.getMessage().contains("freed"), e.getMessage());
        return;
      }
      Thread.sleep(20);
    }
    throw new AssertionError("the object was never freed");
  }

  private void collect() {
    System.gc(); // the leader's Java objects pin nothing any more
    cluster.store(cluster.leaderUnchecked()).gc();
  }

  @Test
  void theLeadershipMoves() throws Exception {
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "0"));
    for (int i = 1; i <= 4; i++) {
      String next = cluster.follower();
      cluster.replication(cluster.leader()).transferLeadership(next);
      assertEquals(next, cluster.leader());
      String value = "" + i;
      cluster.onLeader(
          store -> {
            Bank bank = store.root(Bank.class);
            assertEquals("" + (Integer.parseInt(value) - 1), bank.getNotes().put("k", value));
            bank.getAccounts().add(store.create(Bank.Account.class));
          });
    }
    cluster.assertAllEqual();
  }
}
