package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ReplicatedMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Commits that come together share entries of the log, and all of them are on all nodes. */
class GroupCommitTest extends ClusterTest {
  private static final int THREADS = 16;
  private static final int EACH = 100;

  @Test
  void commitsOfManyThreadsShareEntries() throws Exception {
    setByManyThreads(cluster.leader());
  }

  /** Their calls share messages to the leader ({@link CallQueue}), and then entries. */
  @Test
  void soDoCallsOfManyThreadsOfAFollower() throws Exception {
    setByManyThreads(cluster.follower());
  }

  private void setByManyThreads(String id) throws Exception {
    String leader = cluster.leader();
    ReplicatedMap map = cluster.replication(id).map("map");
    map.set("first", "value"); // makes the map
    long before = cluster.replication(leader).status().applied();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> all =
          IntStream.range(0, THREADS)
              .<Future<?>>mapToObj(thread -> threads.submit(() -> setAll(map, thread)))
              .toList();
      for (Future<?> each : all) {
        each.get();
      }
    }
    long entries = cluster.replication(leader).status().applied() - before;
    // The first ones at least: how many share one later depends on the machine.
    assertTrue(entries < THREADS * EACH, () -> entries + " entries");
    System.out.println(
        "GroupCommitTest: %d entries of %d commits".formatted(entries, THREADS * EACH));
    for (String each : List.of("a", "b", "c")) {
      assertEquals(THREADS * EACH + 1, cluster.replication(each).map("map").entries().size());
    }
  }

  /** The answers to calls that share a message are larger than a message can be. */
  @Test
  void valuesThatAreReplacedComeBackHoweverLargeTheyAre() throws Exception {
    int calls = 16;
    String large = "x".repeat(3 << 20);
    ReplicatedMap map = cluster.replication(cluster.follower()).map("map");
    try (ExecutorService threads = Executors.newFixedThreadPool(calls)) {
      Optional<String> before = Optional.empty();
      for (String value : List.of(large, "small", large, "")) {
        List<Future<Optional<String>>> all =
            IntStream.range(0, calls)
                .mapToObj(i -> threads.submit(() -> map.set("key " + i, value)))
                .toList();
        for (Future<Optional<String>> each : all) {
          assertEquals(before, each.get());
        }
        before = Optional.of(value);
      }
    }
  }

  private static void setAll(ReplicatedMap map, int thread) {
    for (int i = 0; i < EACH; i++) {
      assertEquals(Optional.empty(), map.set(thread + " " + i, "value"));
    }
  }
}
