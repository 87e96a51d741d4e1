package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStoreException;
import io.pmstore.ReplicatedMap;
import io.pmstore.raft.LinearizabilityCheck.Kind;
import io.pmstore.raft.LinearizabilityCheck.Operation;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The map on all nodes is one map, also while the leadership moves. */
class MapTest extends ClusterTest {
  private ReplicatedMap map(String id) {
    return cluster.replication(id).map("map");
  }

  @Test
  void eachNodeUsesTheSameMap() {
    assertEquals(Optional.empty(), map("a").set("k", "1"));
    assertEquals(Optional.of("1"), map("b").get("k"));
    assertFalse(map("b").compareAndSet("k", Optional.of("2"), "3"));
    assertTrue(map("c").compareAndSet("k", Optional.of("1"), "2"));
    assertTrue(map("a").compareAndSet("other", Optional.empty(), "x"));
    assertFalse(map("a").compareAndSet("other", Optional.empty(), "y"));
    assertEquals(2, map("b").size());
    assertEquals(Map.of("k", "2", "other", "x"), map("b").entries());
    assertEquals(Optional.of("2"), map("c").remove("k"));
    assertEquals(Optional.empty(), map("a").get("k"));
    assertEquals(1, map("c").entries().size());
  }

  @Test
  void textsKeepEachCharacterOnEachNode() {
    for (String text :
        List.of("plain", "\u00e9", "\u4e2d", "a\ud83d\ude00", "a\ud800", "\udc00b")) {
      for (String id : List.of("a", "b", "c")) {
        map(id).set(id + text, text);
        for (String reader : List.of("a", "b", "c")) {
          assertEquals(Optional.of(text), map(reader).get(id + text));
        }
      }
    }
    assertEquals(18, map("a").size());
  }

  @Test
  void aValueThatIsTooLargeIsRefusedOnEachNode() {
    for (int length : new int[] {17 << 20, 30 << 20}) {
      String value = "x".repeat(length);
      for (String id : List.of("a", "b", "c")) {
        PmStoreException refused =
            assertThrows(PmStoreException.class, () -> map(id).set("large", value));
        assertFalse(refused instanceof OutcomeUnknownException, refused::getMessage);
        assertTrue(refused.getMessage().contains("split"), refused::getMessage);
      }
    }
    assertEquals(Optional.empty(), map("b").get("large"));
  }

  @Test
  void aCallInATransactionOrASnapshotIsRefused() throws Exception {
    String leader = cluster.leader();
    cluster.onLeader(
        store -> assertThrows(IllegalStateException.class, () -> map(leader).set("inside", "x")));
    for (String id : List.of("a", "b", "c")) {
      cluster
          .store(id)
          .<Object, RuntimeException>snapshot(
              () -> assertThrows(IllegalStateException.class, () -> map(id).get("inside")));
    }
    assertEquals(Optional.empty(), map("a").get("inside"));
  }

  @Test
  void historiesAreLinearizableWhileTheLeadershipMoves() throws Exception {
    long seed = Cluster.seed(getClass());
    ConcurrentLinkedQueue<Operation> history = new ConcurrentLinkedQueue<>();
    AtomicBoolean ends = new AtomicBoolean();
    List<Thread> clients =
        java.util.stream.IntStream.range(0, 12) // four on each node: their calls share messages
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () ->
                                client(
                                    "" + i,
                                    map("abc".substring(i % 3, i % 3 + 1)),
                                    new Random(seed + i),
                                    history,
                                    ends)))
            .toList();
    long begin = System.nanoTime();
    while (Cluster.goesOn(begin, 4, () -> known(history) > 100)) {
      Thread.sleep(700);
      cluster.replication(cluster.leader()).transferLeadership(cluster.follower());
    }
    ends.set(true);
    for (Thread each : clients) {
      each.join();
    }
    long known = known(history);
    System.out.println(history.size() + " operations, " + known + " of known outcome");
    assertTrue(known > 100, "only " + known + " operations have a known outcome");
    assertNull(LinearizabilityCheck.findFault(List.copyOf(history)));
    cluster.assertAllEqual();
  }

  private static long known(Collection<Operation> history) {
    return history.stream().filter(o -> !o.isUnknown()).count();
  }

  /** Runs random operations and notes them. */
  static void client(
      String name,
      ReplicatedMap map,
      Random random,
      ConcurrentLinkedQueue<Operation> history,
      AtomicBoolean ends) {
    for (int i = 0; !ends.get(); i++) {
      String key = "k" + random.nextInt(8);
      String value = name + "-" + i;
      long begin = System.nanoTime();
      Kind kind = Kind.values()[random.nextInt(3)];
      String expected = null;
      try {
        switch (kind) {
          case GET -> {
            String found = map.get(key).orElse(null);
            note(history, name, kind, key, null, found, false, begin, System.nanoTime());
          }
          case SET -> {
            map.set(key, value);
            note(history, name, kind, key, null, value, true, begin, System.nanoTime());
          }
          case COMPARE_AND_SET -> {
            Optional<String> known = map.get(key);
            expected = known.orElse(null);
            begin = System.nanoTime();
            boolean done = map.compareAndSet(key, known, value);
            note(history, name, kind, key, expected, value, done, begin, System.nanoTime());
          }
        }
      } catch (NotLeaderException e) {
        continue; // it had no effect
      } catch (OutcomeUnknownException e) {
        note(history, name, kind, key, expected, value, true, begin, Long.MAX_VALUE);
      }
    }
  }

  private static void note(
      ConcurrentLinkedQueue<Operation> history,
      String client,
      Kind kind,
      String key,
      String expected,
      String value,
      boolean done,
      long begin,
      long end) {
    history.add(new Operation(client, kind, key, expected, value, done, begin, end));
  }
}
