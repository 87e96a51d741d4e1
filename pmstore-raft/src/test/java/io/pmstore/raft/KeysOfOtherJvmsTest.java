package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every node finds a key whose {@code hashCode} differs from JVM to JVM, whichever node has put it.
 * All nodes are in this JVM, so a test changes the hash codes instead.
 */
@Timeout(120)
class KeysOfOtherJvmsTest {
  private static volatile int jvm;

  /** The root. */
  @Persistent(root = "keys")
  public static class Keys {
    private Map<Object, String> all = new HashMap<>();

    public Map<Object, String> getAll() {
      return all;
    }

    public void setAll(Map<Object, String> all) {
      this.all = all;
    }
  }

  private record Key(int number) {
    @Override
    public int hashCode() {
      return 31 * number + 7919 * jvm;
    }
  }

  @TempDir Path root;
  private Cluster cluster;

  @BeforeEach
  void open() throws Exception {
    jvm = 1;
    cluster = new Cluster(root, "a", "b", "c").openAll();
    cluster.onLeader(store -> store.root(Keys.class).getAll().put(new Key(0), "0"));
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private static @Nullable String find(PmStore store, int number) {
    return store.<@Nullable String, RuntimeException>snapshot(
        () -> store.root(Keys.class).getAll().get(new Key(number)));
  }

  private void put(int number, String value) throws InterruptedException {
    cluster.onLeader(store -> store.root(Keys.class).getAll().put(new Key(number), value));
  }

  @Test
  void aFollowerFindsWhatTheLeaderPutsAfterItHasLooked() throws Exception {
    PmStore follower = cluster.store(cluster.follower());
    for (int i = 1; i < 5; i++) {
      jvm = 2;
      assertNull(find(follower, i));
      assertEquals("0", find(follower, 0));
      jvm = 1;
      put(i, "" + i);
      jvm = 2;
      assertEquals("" + i, find(follower, i));
    }
  }

  @Test
  void aNewLeaderFindsWhatTheFormerOneHasPut() throws Exception {
    String first = cluster.leader();
    String second = cluster.follower();
    for (int round = 1; round <= 2; round++) {
      jvm = 2;
      cluster.replication(first).transferLeadership(second);
      cluster.replication(second).awaitReady(Duration.ofSeconds(30));
      put(round - 1, "again");
      put(10 * round, "new");
      jvm = 1;
      cluster.replication(second).transferLeadership(first);
      cluster.replication(first).awaitReady(Duration.ofSeconds(30));
      put(10 * round, "again");
      put(round, "of the first");
      PmStore store = cluster.store(first);
      assertEquals("again", find(store, round - 1));
      assertEquals("again", find(store, 10 * round));
      assertEquals(
          1 + 2 * round,
          store.<Integer, RuntimeException>snapshot(() -> store.root(Keys.class).getAll().size()));
    }
    cluster.assertAllEqual();
  }
}
