package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreLockedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node says if its settings do not fit the machine, or it is closed. */
class NodeMessagesTest {
  @TempDir Path root;

  private void assertRefused(RaftSettings settings, String... parts) {
    Path directory = root.resolve("node");
    PmStoreException refused =
        assertThrows(
            PmStoreException.class,
            () -> PmStore.open(directory, settings.options(PmStoreOptions.defaults())));
    for (String each : parts) {
      assertTrue(String.valueOf(refused.getMessage()).contains(each), refused::getMessage);
    }
    assertFalse(Files.exists(directory), "something was written");
  }

  @Test
  void aFileForTlsThatIsMissingIsNamed() throws Exception {
    TestCertificates made = new TestCertificates(root).make("a", "ca", "san=ip:127.0.0.1");
    Path missing = root.resolve("missing.pem");
    RaftSettings settings = RaftSettings.node("a").member("a", "127.0.0.1", FreePorts.draw());
    assertRefused(
        settings.tls(missing, made.chain("a"), made.chain("ca")),
        "private key",
        missing.toString(),
        "tls");
    assertRefused(
        settings.tls(made.key("a"), missing, made.chain("ca")), "certificate", missing.toString());
    assertRefused(
        settings.tls(made.key("a"), made.chain("a"), missing), "trusted", missing.toString());
  }

  @Test
  void aHostThatIsUnknownIsNamed() {
    assertRefused(
        RaftSettings.node("a").member("a", "no-such-host.invalid", 7000),
        "no-such-host.invalid",
        "RaftSettings.bind");
  }

  @Test
  void aNodeThatIsNotAmongItsMembersIsRefused() {
    RaftSettings settings = RaftSettings.node("d").member("a", "127.0.0.1", 7000);
    for (RaftSettings each : List.of(settings, settings.bind("127.0.0.1"))) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> PmStore.open(root.resolve("node"), each.options(PmStoreOptions.defaults())));
      assertTrue(refused.getMessage().contains("not among its members"), refused::getMessage);
    }
    assertFalse(Files.exists(root.resolve("node")), "something was written");
  }

  @Test
  void twoMembersWithOneAddressAreRefused() {
    RaftSettings settings = RaftSettings.node("a").member("a", "127.0.0.1", 7000);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> settings.member("b", "127.0.0.1", 7000));
    assertTrue(refused.getMessage().contains("a and b"), refused::getMessage);
    assertTrue(refused.getMessage().contains("127.0.0.1:7000"), refused::getMessage);
  }

  @Test
  void aNodeThatWasRemovedSaysSo() throws Exception {
    try (Cluster cluster = new Cluster(root, "a", "b", "c").openAll()) {
      String leader = cluster.leader();
      String removed = cluster.follower();
      cluster.replication(removed).awaitReady(Duration.ofSeconds(30));
      cluster.replication(leader).removeMember(removed);
      NotLeaderException stopped =
          assertThrows(
              NotLeaderException.class,
              () -> {
                while (true) { // it leads to the exception when the node learns of the removal
                  cluster.replication(removed).awaitReady(Duration.ofSeconds(30));
                }
              });
      assertTrue(stopped.getMessage().contains("removed"), stopped::getMessage);
      PmStore store = cluster.store(removed);
      NotLeaderException refused =
          assertThrows(NotLeaderException.class, () -> store.transaction(() -> {}));
      assertTrue(refused.getMessage().contains("removed"), refused::getMessage);
    }
  }

  /** Ratis says that its log has failed; only the last cause says that the disk is full. */
  @Test
  void aNodeThatHasFailedNamesTheLastCause() throws Exception {
    try (Cluster cluster = new Cluster(root, "a").openAll()) {
      cluster.leader();
      PmStore store = cluster.store("a");
      Operation operation = (Operation) cluster.replication("a");
      operation
          .node()
          .failed(
              new IOException(
                  "Log already failed at index 8",
                  new IOException("cannot write", new IOException("No space left on device"))));
      StoreFailedException failed =
          assertThrows(StoreFailedException.class, () -> store.transaction(() -> {}));
      assertTrue(failed.getMessage().contains("Log already failed"), failed::getMessage);
      assertTrue(failed.getMessage().contains("No space left on device"), failed::getMessage);
    }
  }

  @Test
  void aClosedNodeSaysWhichItIs() throws Exception {
    Cluster cluster = new Cluster(root, "a").openAll();
    cluster.leader();
    Replication replication = cluster.replication("a");
    cluster.close("a");
    assertThrows(StoreClosedException.class, () -> replication.removeMember("a"));
    StoreClosedException closed = assertThrows(StoreClosedException.class, replication::status);
    assertTrue(closed.getMessage().contains("the node a in " + root), closed::getMessage);
  }

  /** The second opening must not delete what the first one is writing, a copy of a heap, say. */
  @Test
  void aNodeThatIsOpenIsLeftAlone() throws Exception {
    try (Cluster cluster = new Cluster(root, "a").openAll()) {
      cluster.leader();
      Path copy = Files.createDirectory(cluster.directory("a").resolve("replica.new"));
      StoreLockedException locked =
          assertThrows(
              StoreLockedException.class,
              () -> PmStore.open(cluster.directory("a"), cluster.options("a")));
      assertTrue(locked.getMessage().contains("already in this process"), locked::getMessage);
      assertTrue(Files.exists(copy), "the copy was deleted");
      cluster.close("a");
      cluster.open("a");
    }
  }
}
