package io.pmstore.raft;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test of three nodes, which are open and have a leader when it begins. */
abstract class ClusterTest {
  @TempDir Path root;
  Cluster cluster;

  @BeforeEach
  void open() throws Exception {
    cluster = new Cluster(root, "a", "b", "c").openAll();
    cluster.leader();
  }

  @AfterEach
  void close() {
    cluster.close();
  }
}
