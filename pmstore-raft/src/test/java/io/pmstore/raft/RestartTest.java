package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.ReadConsistency;
import io.pmstore.Replication;
import io.pmstore.StoreFormatException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.medium.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that end and begin again, lag, join and leave have what the others have. */
class RestartTest {
  @TempDir Path root;
  private Cluster cluster;

  @BeforeEach
  void make() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").with(s -> s.logEntries(20));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void put(int from, int to) throws InterruptedException {
    for (int i = from; i < to; i++) {
      String key = "k" + i;
      cluster.onLeader(
          store -> {
            Bank bank = store.root(Bank.class);
            bank.getNotes().put(key, key.repeat(20));
            bank.getAccounts().add(store.create(Bank.Account.class));
          });
    }
  }

  private int size(String id) {
    PmStore store = cluster.store(id);
    return store.<Integer, RuntimeException>snapshot(
        () -> store.root(Bank.class).getNotes().size());
  }

  @Test
  void allNodesBeginAgain() throws Exception {
    cluster.openAll();
    put(0, 30);
    cluster.close();
    cluster.openAll();
    put(30, 60);
    assertEquals(60, size(cluster.follower()));
    cluster.assertAllEqual();
  }

  @Test
  void aNodeThatWasAwayCatchesUpFromTheLog() throws Exception {
    cluster.openAll();
    put(0, 10);
    String away = cluster.follower();
    cluster.close(away);
    put(10, 25);
    cluster.open(away);
    assertEquals(25, size(away));
    cluster.assertAllEqual();
  }

  @Test
  void aNodeThatWasAwayForLongGetsTheHeap() throws Exception {
    cluster.openAll();
    put(0, 10);
    String away = cluster.follower();
    cluster.close(away);
    put(10, 199);
    cluster.outgrowLogs(); // puts one note
    int size = 200;
    cluster.open(away);
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    assertEquals(size, size(away));
    for (int i = 0; !cluster.firstSegments(away).isEmpty(); i++) {
      assertTrue(i < 100, "it came from the log");
      Thread.sleep(20); // Ratis drops the old log a moment after the heap was replaced
    }
    cluster.assertAllEqual();
    put(size, size + 10);
    assertEquals(size + 10, size(away));
    cluster.replication(cluster.leader()).transferLeadership(away);
    put(size + 10, size + 20);
    cluster.assertAllEqual();
    cluster.close(away);
    cluster.open(away);
    assertEquals(size + 20, size(away));
    cluster.assertAllEqual();
  }

  /**
   * The leader's log begins right behind the last entry that a node has: of the entry before, which
   * Raft compares, nobody but that node knows the term.
   */
  @Test
  void aNodeThatHasAllBeforeTheBeginOfTheLogCatchesUp() throws Exception {
    cluster.with(s -> s.logEntries(200)).openAll(); // the log has room for more in one file
    put(0, 10);
    cluster.assertAllEqual();
    String away = cluster.follower();
    long last = cluster.replication(away).digest().index();
    cluster.close(away);
    cluster.replication(cluster.leader()).transferLeadership(cluster.follower());
    PmStore leader = cluster.leaderStore(); // of a new term, with which a file of the log begins
    for (int i = 0; cluster.logBegin(cluster.leader()) <= last; i++) {
      assertTrue(i < 2000, "the log is not dropped");
      String value = "" + i;
      leader.transaction(() -> leader.root(Bank.class).getNotes().put("k0", value));
    }
    assertEquals(last + 1, cluster.logBegin(cluster.leader()));
    cluster.open(away);
    cluster.replication(away).awaitReady(Duration.ofSeconds(30));
    assertEquals(10, size(away));
    cluster.assertAllEqual();
  }

  /** The node would wait for the entries between the two for ever. */
  @Test
  void aHeapThatEndsBeforeTheLogBeginsIsRefused() throws Exception {
    cluster.openAll();
    put(0, 10);
    String node = cluster.follower();
    cluster.assertAllEqual();
    long last = cluster.replication(node).digest().index();
    cluster.close(node);
    Path heap = new NodeFiles(cluster.directory(node)).heap();
    Path kept = root.resolve("kept");
    Files.createDirectory(kept);
    try (Stream<Path> files = Files.list(heap)) {
      for (Path each : files.toList()) {
        Files.copy(each, kept.resolve(each.getFileName()));
      }
    }
    cluster.open(node);
    for (int i = 10; cluster.logBegin(node) <= last + 1; i++) {
      assertTrue(i < 2000, "the log is not dropped");
      put(i, i + 1);
    }
    cluster.close(node);
    Directories.delete(heap);
    Files.move(kept, heap);
    StoreFormatException refused =
        assertThrows(StoreFormatException.class, () -> cluster.open(node));
    assertTrue(refused.getMessage().contains("ends with the entry " + last), refused::getMessage);
    assertTrue(refused.getMessage().contains("docs/replication.md"), refused::getMessage);
  }

  @Test
  void nodesJoinAndLeave() throws Exception {
    cluster.openAll();
    put(0, 100);
    cluster.openToJoin("d");
    cluster.replication(cluster.leader()).addMember("d", cluster.address("d"));
    assertEquals(4, cluster.status("d").members().size());
    assertEquals(100, size("d"));
    String lost = cluster.follower();
    if (lost.equals("d")) {
      lost = cluster.leader().equals("a") ? "b" : "a";
    }
    cluster.close(lost);
    cluster.replication("d").removeMember(lost);
    put(100, 110);
    assertEquals(110, size("d"));
    assertEquals(3, cluster.status("d").members().size());
    cluster.assertAllEqual();
    cluster.close("d");
    cluster.open("d");
    assertEquals(110, size("d"));
    String gone = lost;
    Replication operation = cluster.replication(cluster.leader());
    assertThrows(IllegalArgumentException.class, () -> operation.removeMember(gone));
    assertThrows(IllegalArgumentException.class, () -> operation.addMember("d", "127.0.0.1:1"));
  }

  @Test
  void aFollowersBackupIsAStore() throws Exception {
    cluster.openAll();
    put(0, 50);
    String follower = cluster.follower();
    assertEquals(50, size(follower));
    Path backup = root.resolve("backup");
    cluster.store(follower).backup(backup);
    assertTrue(PmStore.verify(backup).isSound());
    try (PmStore store = PmStore.open(backup)) {
      assertEquals(50, store.root(Bank.class).getNotes().size());
      store.transaction(() -> store.root(Bank.class).getNotes().put("more", "x"));
    }
    cluster.close();
    assertTrue(PmStore.verify(cluster.directory(follower)).isSound());
  }

  @Test
  void whatCannotBeIsRefused() throws Exception {
    cluster.openAll();
    put(0, 1);
    PmStore leader = cluster.leaderStore();
    assertThrows(
        TransactionTooLargeException.class,
        () ->
            leader.transaction(
                () -> leader.root(Bank.class).getNotes().put("large", "x".repeat(17 << 20))));
    assertThrows(PmStoreException.class, leader::compact);
    put(1, 2);
    cluster.assertAllEqual();
    cluster.close();
    Path a = cluster.directory("a");
    assertThrows(PmStoreException.class, () -> PmStore.open(a));
    assertThrows(StoreFormatException.class, () -> PmStore.open(a, cluster.options("b")));
    assertThrows(
        PmStoreException.class, () -> PmStore.open(a, cluster.options("a").readOnly(true)));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            PmStore.open(a, PmStoreOptions.defaults().engine("raft", java.util.Map.of("x", "y"))));
  }

  @Test
  void aMinorityReadsLocallyOnly() throws Exception {
    cluster.with(s -> s.outcomeTimeout(Duration.ofMillis(500))).openAll();
    put(0, 5);
    String stays = cluster.follower();
    assertEquals(5, size(stays));
    for (String id : new String[] {"a", "b", "c"}) {
      if (!id.equals(stays)) {
        cluster.close(id);
      }
    }
    cluster.awaitNoLeader(stays); // the other one may have elected it before it was closed
    PmStore store = cluster.store(stays);
    assertThrows(
        io.pmstore.NotLeaderException.class,
        () -> store.snapshot(() -> store.root(Bank.class).getNotes().size()));
    assertEquals(
        5,
        store.<Integer, RuntimeException>snapshot(
            ReadConsistency.LOCAL, () -> store.root(Bank.class).getNotes().size()));
    Thread.sleep(300);
    assertTrue(cluster.status(stays).age().toMillis() >= 300, cluster.status(stays).toString());
  }
}
