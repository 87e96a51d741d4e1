package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.medium.Directories;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that has lost its heap or its log is not opened: it would forget what it has confirmed.
 */
@Timeout(120)
class LostFilesTest {
  @TempDir Path root;
  private Cluster cluster;

  @BeforeEach
  void open() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").openAll();
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("k", "v"));
    cluster.replication("c").awaitReady(Duration.ofSeconds(30));
    cluster.close("c");
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void aNodeThatLacksWhatItHadIsRefused() throws Exception {
    Path group = new NodeFiles(cluster.directory("c")).log("pmstore");
    for (Path lost :
        List.of(
            group.resolve("current"),
            group,
            cluster.directory("c").resolve("raft"),
            cluster.directory("c").resolve("replica"))) {
      Path kept = root.resolve("kept");
      Files.move(lost, kept);
      StoreFormatException refused =
          assertThrows(StoreFormatException.class, () -> cluster.open("c"));
      assertTrue(refused.getMessage().startsWith(lost.toString()), refused::getMessage);
      assertTrue(refused.getMessage().contains("docs/replication.md"), refused::getMessage);
      Directories.delete(lost);
      Files.move(kept, lost);
    }
    cluster.open("c");
    cluster.replication("c").awaitReady(Duration.ofSeconds(30));
  }

  /**
   * Nobody can refuse such a node, and the leader that knew what it had sends it nothing: it says
   * what is wrong. Another leader would send it everything.
   */
  @Test
  void aNodeThatHasForgottenWhatItHadSaysSo() throws Exception {
    @Nullable NotLeaderException notReady = null;
    while (notReady == null) {
      cluster.open("c");
      cluster
          .replication("c")
          .awaitReady(Duration.ofSeconds(30)); // so the leader knows what it has
      long term = cluster.status("c").term();
      cluster.close("c");
      Directories.delete(cluster.directory("c"));
      cluster.open("c");
      try {
        cluster.replication("c").awaitReady(Duration.ofSeconds(5));
        assertNotEquals(
            term, cluster.status("c").term(), "it got what it had from the same leader");
        cluster.close("c");
      } catch (NotLeaderException e) {
        notReady = e;
      }
    }
    assertTrue(notReady.getMessage().contains("its directory was emptied"), notReady::getMessage);
    assertTrue(notReady.getMessage().contains("docs/replication.md"), notReady::getMessage);
  }

  @Test
  void aDamagedLogIsRefused() throws Exception {
    Path log = new NodeFiles(cluster.directory("c")).log("pmstore");
    try (Stream<Path> files = Files.list(log.resolve("current"))) {
      Path first =
          files
              .filter(file -> file.getFileName().toString().startsWith("log_"))
              .sorted()
              .findFirst()
              .orElseThrow();
      byte[] bytes = Files.readAllBytes(first);
      bytes[60] ^= 0x55; // in the first entry
      Files.write(first, bytes);
    }
    PmStoreException refused = assertThrows(PmStoreException.class, () -> cluster.open("c"));
    assertTrue(refused.getMessage().contains(log.toString()), refused::getMessage);
    assertTrue(refused.getMessage().contains("checksum"), refused::getMessage);
    assertTrue(refused.getMessage().contains("docs/replication.md"), refused::getMessage);
  }

  @Test
  void aNodeThatEndedBeforeItsServerHadStartedIsOpened() throws Exception {
    Path node = cluster.directory("c").resolve("node");
    assertEquals("started", Files.readAllLines(node).get(3));
    Files.writeString(node, Files.readString(node).replace("started", "whole"));
    cluster.open("c");
    assertEquals("started", Files.readAllLines(node).get(3));
  }
}
