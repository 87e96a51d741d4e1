package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.ReadConsistency;
import io.pmstore.Replication;
import io.pmstore.StoreFormatException;
import io.pmstore.core.medium.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two clusters with the same group, ids, addresses and terms. A directory of one is put in the
 * place of a directory of the other.
 */
@Timeout(120)
class ClusterIdentityTest {
  @TempDir static Path filled;
  private static Cluster filledOurs;
  private static Cluster filledTheirs;

  @TempDir Path root;
  private Cluster ours;
  private Cluster theirs;

  @BeforeAll
  static void makeTwoClusters() throws Exception {
    filledOurs = new Cluster(filled.resolve("ours"), "a", "b", "c");
    filledTheirs = filledOurs.sameAddresses(filled.resolve("theirs"));
    fill(filledTheirs, "theirs");
    fill(filledOurs, "ours");
  }

  /** Each test has copies of both, which go on where they ended. */
  @BeforeEach
  void copyTwoClusters() throws Exception {
    ours = filledOurs.copy(root.resolve("ours"));
    theirs = filledTheirs.copy(root.resolve("theirs"));
  }

  private static void fill(Cluster cluster, String name) throws InterruptedException {
    cluster.openAll();
    for (int i = 0; i < 5; i++) {
      String key = name + i;
      cluster.onLeader(store -> store.root(Bank.class).getNotes().put(key, name));
    }
    cluster.assertAllEqual();
    cluster.close();
  }

  @AfterEach
  void close() {
    ours.close();
    theirs.close();
  }

  private void takeTheirs(String id, String part) throws IOException {
    Directories.delete(ours.directory(id).resolve(part));
    Files.move(theirs.directory(id).resolve(part), ours.directory(id).resolve(part));
  }

  private void takeTheirs(String id) throws IOException {
    Directories.delete(ours.directory(id));
    Files.move(theirs.directory(id), ours.directory(id));
  }

  private static String clusterOf(Path directory) throws IOException {
    return Files.readAllLines(directory.resolve("node")).get(4);
  }

  private static Set<String> localKeys(PmStore store) {
    return store.<Set<String>, RuntimeException>snapshot(
        ReadConsistency.LOCAL, () -> Set.copyOf(store.root(Bank.class).getNotes().keySet()));
  }

  /** The two nodes of this cluster go on; the stranger gets nothing, and says why. */
  @Test
  void aNodeOfAnotherClusterGetsNothing() throws Exception {
    takeTheirs("c");
    ours.openAll();
    Replication stranger = ours.replication("c");
    Replication own = ours.replication("a");
    own.awaitReady(Duration.ofSeconds(30));
    for (int i = 5; i < 10; i++) {
      String key = "ours" + i;
      ours.onLeader(store -> store.root(Bank.class).getNotes().put(key, "ours"));
    }
    NotLeaderException refused =
        assertThrows(NotLeaderException.class, () -> stranger.awaitReady(Duration.ofSeconds(2)));
    assertTrue(refused.getMessage().contains(clusterOf(ours.directory("a"))), refused::getMessage);
    assertTrue(refused.getMessage().contains(clusterOf(ours.directory("c"))), refused::getMessage);
    assertEquals(
        Set.of("theirs0", "theirs1", "theirs2", "theirs3", "theirs4"), localKeys(ours.store("c")));
    assertEquals(10, localKeys(ours.leaderStore()).size());
  }

  /** One node of this cluster is no majority with a stranger, whoever asks for votes. */
  @Test
  void aNodeOfAnotherClusterHasNoVote() throws Exception {
    takeTheirs("c");
    ours.open("a");
    ours.open("c");
    for (String id : List.of("a", "c")) {
      assertThrows(
          NotLeaderException.class,
          () -> ours.replication(id).awaitReady(Duration.ofSeconds(4)),
          id);
    }
    assertEquals(5, localKeys(ours.store("a")).size());
    assertTrue(localKeys(ours.store("a")).contains("ours0"));
    assertTrue(localKeys(ours.store("c")).contains("theirs0"));
  }

  @Test
  void anEntryOfAnotherClusterIsNotApplied() throws Exception {
    ours.openAll();
    Node node = ((Operation) ours.replication(ours.follower())).node();
    UUID other = UUID.randomUUID();
    byte[] entry = Entry.encode(Entry.COMMIT, 9, 1, 1, other, List.of());
    PmStoreException refused =
        assertThrows(
            PmStoreException.class,
            () -> node.applier().apply(9, 1000, ByteString.copyFrom(entry)));
    assertTrue(refused.getMessage().contains(other.toString()), refused::getMessage);
    assertTrue(refused.getMessage().contains(clusterOf(ours.directory("a"))), refused::getMessage);
  }

  @Test
  void aNodeOfAnOlderVersionIsRefused() throws Exception {
    Path node = ours.directory("c").resolve("node");
    Files.writeString(node, "pmstore raft 1\nc\npmstore\nwhole\n");
    StoreFormatException refused = assertThrows(StoreFormatException.class, () -> ours.open("c"));
    assertTrue(refused.getMessage().contains("older version"), refused::getMessage);
  }

  @Test
  void aHeapOfAnotherClusterIsRefused() throws Exception {
    takeTheirs("c", "replica");
    PmStoreException refused = assertThrows(PmStoreException.class, () -> ours.open("c"));
    assertTrue(refused.getMessage().contains(clusterOf(ours.directory("c"))), refused::getMessage);
    assertTrue(
        refused.getMessage().contains(clusterOf(theirs.directory("c"))), refused::getMessage);
  }

  /** With its votes and entries the node would deny what it has confirmed to its cluster. */
  @Test
  void aLogOfAnotherClusterIsRefused() throws Exception {
    takeTheirs("c", "raft");
    StoreFormatException refused = assertThrows(StoreFormatException.class, () -> ours.open("c"));
    assertTrue(refused.getMessage().contains(clusterOf(ours.directory("c"))), refused::getMessage);
    assertTrue(
        refused.getMessage().contains(clusterOf(theirs.directory("c"))), refused::getMessage);
  }

  @Test
  void aLogOfAnotherNodeIsRefused() throws Exception {
    Directories.delete(ours.directory("c").resolve("raft"));
    Files.move(ours.directory("b").resolve("raft"), ours.directory("c").resolve("raft"));
    StoreFormatException refused = assertThrows(StoreFormatException.class, () -> ours.open("c"));
    assertTrue(refused.getMessage().contains("the node \"b\""), refused::getMessage);
    assertTrue(refused.getMessage().contains("docs/replication.md"), refused::getMessage);
  }

  @Test
  void aLogThatDoesNotKnowItsOwnerYetIsItsNodes() throws Exception {
    Path owner = new NodeFiles(ours.directory("c")).log("pmstore").resolve("owner");
    String before = Files.readString(owner);
    Files.writeString(owner, before.replace(clusterOf(ours.directory("c")), ""));
    ours.open("c").close();
    assertEquals(before, Files.readString(owner));
    Files.delete(owner);
    ours.open("c").close();
    assertEquals(before, Files.readString(owner));
  }
}
