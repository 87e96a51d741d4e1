package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.PmStore;
import io.pmstore.raft.LinearizabilityCheck.Kind;
import io.pmstore.raft.LinearizabilityCheck.Operation;
import io.pmstore.raft.Processes.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes in processes of their own are killed, stopped and cut off at random moments, while
 * clients use the map and transfer money. Afterwards the history of the map is linearizable, no
 * money is lost, all nodes have the same, and their heaps are sound. {@code -Dpmstore.raft.seconds}
 * says how long; the faults replay from the seed, their moments do not.
 */
class ChaosTest {
  private static final int ACCOUNTS = 10;
  private static final long BACK_SECONDS = 30; // the bound for coming back after a fault

  @TempDir Path root;
  private final ConcurrentLinkedQueue<Operation> history = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicInteger round = new AtomicInteger();
  private final AtomicInteger transfers = new AtomicInteger();

  @Test
  void nothingIsLostWhateverHappens() throws Exception {
    long seed = Cluster.seed(getClass());
    Random random = new Random(seed);
    long seconds = Long.getLong("pmstore.raft.seconds", 25);
    try (Processes nodes = new Processes(root, "a", "b", "c")) {
      if (!nodes.hasNamespaces()) {
        System.out.println(
            "ChaosTest: WITHOUT PARTITIONS, because network namespaces need root and ip(8)");
      }
      startAll(nodes);
      assertEquals("ok", nodes.ask(leader(nodes), "init " + ACCOUNTS).ending());
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String name = "c" + i;
        Random own = new Random(seed + i);
        clients.add(Thread.ofPlatform().start(() -> client(nodes, name, own)));
      }
      long begin = System.nanoTime();
      while (Cluster.goesOn(begin, seconds, this::isEnough)) {
        fault(nodes, random);
        leader(nodes); // comes back
        round.incrementAndGet();
      }
      ends.set(true);
      for (Thread each : clients) {
        each.join();
      }
      check(nodes);
    }
  }

  private static void startAll(Processes nodes) throws Exception {
    for (String id : nodes.ids()) {
      nodes.start(id);
    }
    leader(nodes);
    // Until a node has its first entry, Ratis does not count its votes.
    for (String id : nodes.ids()) {
      for (int i = 0; Long.parseLong(nodes.ask(id, "applied").text()) < 0; i++) {
        assertTrue(i < 1000, id + " gets no entry");
        Thread.sleep(20);
      }
    }
  }

  private void fault(Processes nodes, Random random) throws Exception {
    Thread.sleep(random.nextInt(500));
    String any = nodes.ids().get(random.nextInt(3));
    String node = random.nextBoolean() ? leader(nodes) : any;
    int length = 500 + random.nextInt(2000);
    int kind = random.nextInt(nodes.hasNamespaces() ? 5 : 3);
    System.out.println("fault " + kind + " of " + node + " for " + length + " ms");
    switch (kind) {
      case 0 -> {
        nodes.kill(node);
        Thread.sleep(length);
        nodes.start(node);
      }
      case 1 -> {
        nodes.signal(node, "STOP");
        Thread.sleep(length);
        nodes.signal(node, "CONT");
      }
      case 2 -> nodes.ask(leader(nodes), "lead " + any);
      case 3 -> {
        nodes.cutOff(node);
        Thread.sleep(length);
        nodes.join(node);
      }
      default -> {
        if (nodes.mute(node)) {
          Thread.sleep(length);
          nodes.unmute(node);
        }
      }
    }
  }

  /** Waits for a leader that a majority confirms; the cluster has to come back in time. */
  private static String leader(Processes nodes) throws Exception {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(BACK_SECONDS)) {
      for (String id : nodes.ids()) {
        if (nodes.ask(id, "role").text().equals("LEADER true")
            && nodes.ask(id, "localget none").ending().equals("ok")) {
          return id;
        }
      }
      Thread.sleep(20);
    }
    throw new AssertionError("no leader after " + BACK_SECONDS + " s: " + statuses(nodes));
  }

  private static Map<String, Object> statuses(Processes nodes) {
    Map<String, Object> all = new TreeMap<>();
    nodes.ids().forEach(id -> all.put(id, nodes.ask(id, "status")));
    return all;
  }

  private void client(Processes nodes, String name, Random random) {
    for (int i = 0; !ends.get(); i++) {
      String node = nodes.ids().get(random.nextInt(3));
      if (random.nextInt(4) == 0) {
        int from = random.nextInt(ACCOUNTS);
        Answer answer =
            nodes.ask(
                node,
                "transfer %d %d %d".formatted(from, (from + 1) % ACCOUNTS, 1 + random.nextInt(20)));
        assertNotEquals("error", answer.ending(), answer.text());
        if (answer.ending().equals("ok")) {
          transfers.incrementAndGet();
        }
        continue;
      }
      // Few operations of unknown outcome for one key, so that the check ends.
      String key = "k" + round.get() + "-" + random.nextInt(3);
      mapOperation(nodes, node, name, key, name + "." + i, random);
    }
  }

  private void mapOperation(
      Processes nodes, String node, String name, String key, String value, Random random) {
    long begin = System.nanoTime();
    Answer read = nodes.ask(node, "get " + key);
    if (!read.ending().equals("ok")) {
      assertNotEquals("error", read.ending(), read.text());
      return;
    }
    String found = read.text().equals("-") ? null : read.text();
    note(name, Kind.GET, key, null, found, false, begin, System.nanoTime());
    boolean set = random.nextBoolean();
    begin = System.nanoTime();
    Answer answer =
        nodes.ask(
            node,
            set ? "set " + key + " " + value : "cas " + key + " " + read.text() + " " + value);
    Kind kind = set ? Kind.SET : Kind.COMPARE_AND_SET;
    switch (answer.ending()) {
      case "ok" -> {
        boolean done = set || Boolean.parseBoolean(answer.text());
        note(name, kind, key, found, value, done, begin, System.nanoTime());
      }
      case "notleader" -> {} // it had no effect
      case "unknown", "gone" -> note(name, kind, key, found, value, true, begin, Long.MAX_VALUE);
      default -> throw new AssertionError(answer);
    }
  }

  private void note(
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

  private long unknown() {
    return history.stream().filter(Operation::isUnknown).count();
  }

  private boolean isEnough() {
    return history.size() - unknown() > 50 && transfers.get() > 5;
  }

  private void check(Processes nodes) throws Exception {
    System.out.printf(
        "%d faults, %d operations of the map (%d of unknown outcome), %d transfers%n",
        round.get(), history.size(), unknown(), transfers.get());
    assertTrue(isEnough(), "too little was done");
    assertNull(LinearizabilityCheck.findFault(List.copyOf(history)));
    for (String id : nodes.ids()) {
      assertEquals(
          new Answer("ok", "" + 100 * ACCOUNTS), sum(nodes, id), () -> id + " " + statuses(nodes));
    }
    Map<String, String> digests = new TreeMap<>();
    for (int i = 0; i < 200; i++) {
      nodes.ids().forEach(id -> digests.put(id, nodes.ask(id, "digest").text()));
      if (digests.values().stream().distinct().count() == 1) {
        break;
      }
      Thread.sleep(50);
    }
    assertEquals(1, digests.values().stream().distinct().count(), digests::toString);
    for (String id : nodes.ids()) {
      nodes.ask(id, "close");
      nodes.kill(id);
      assertTrue(PmStore.verify(nodes.directory(id)).isSound(), id);
    }
  }

  /** Reads all accounts, when the node has come back from its last fault. */
  private static Answer sum(Processes nodes, String id) {
    long begin = System.nanoTime();
    Answer answer = nodes.ask(id, "sum");
    while (answer.ending().equals("notleader")
        && System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(BACK_SECONDS)) {
      answer = nodes.ask(id, "sum");
    }
    return answer;
  }

  /** A leader that is cut off answers nothing that may be old, and nothing that it has not done. */
  @Test
  void aLeaderThatIsCutOffDoesNotAnswer() throws Exception {
    try (Processes nodes = new Processes(root, "a", "b", "c")) {
      assumeTrue(nodes.hasNamespaces(), "network namespaces need root and ip(8)");
      startAll(nodes);
      String old = leader(nodes);
      assertEquals("ok", nodes.ask(old, "set k before").ending());
      assertEquals(new Answer("ok", "before"), nodes.ask(old, "localget k")); // asks the others
      nodes.cutOff(old);
      List<String> others = nodes.ids().stream().filter(id -> !id.equals(old)).toList();
      // It takes itself for the leader for a while. Reads at once, from the state that it has.
      for (int i = 0; i < 5; i++) {
        Answer read = nodes.ask(old, "localget k");
        assertEquals("notleader", read.ending(), read.text());
        Answer written = nodes.ask(old, "set k lost" + i);
        assertTrue(List.of("notleader", "unknown").contains(written.ending()), written.toString());
      }
      Answer done = new Answer("", "");
      for (int i = 0; i < 10 && !done.ending().equals("ok"); i++) {
        done = nodes.ask(others.get(i % 2), "set k after");
      }
      assertEquals("ok", done.ending(), done.text());
      assertNotEquals("ok", nodes.ask(old, "localget k").ending());
      nodes.join(old);
      for (int i = 0; i < 100; i++) {
        Answer read = nodes.ask(old, "get k");
        if (read.ending().equals("ok")) {
          assertEquals("after", read.text());
          return;
        }
        Thread.sleep(50);
      }
      throw new AssertionError("the old leader did not come back: " + nodes.ask(old, "status"));
    }
  }
}
