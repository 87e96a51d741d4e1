package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreReadOnlyException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator does to a cluster, at random and while it works: nodes are closed and opened,
 * lag until they copy the heap, lead, leave, are replaced by new ones, and make backups. The log is
 * short, so that nearly every node that comes back copies a heap.
 *
 * <p>What was acknowledged is there, on every node and in every newest snapshot that begins later;
 * what was refused is nowhere.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class OperationsTest {
  private static final int SECONDS = Integer.getInteger("pmstore.raft.seconds", 15);
  private static final Duration BACK = Duration.ofSeconds(30);

  @TempDir Path root;
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final AtomicInteger unknown = new AtomicInteger();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean over;
  private Cluster cluster;
  private Random random;
  private int made = 3;

  @AfterEach
  void close() {
    cluster.close();
  }

  private boolean isEnough() {
    return acknowledged.size() > 50 && reads.get() > 5;
  }

  @Test
  void nothingIsLostWhateverTheOperatorDoes() throws Exception {
    random = new Random(Cluster.seed(getClass()));
    cluster =
        new Cluster(root, "a", "b", "c")
            .with(s -> s.logEntries(30).outcomeTimeout(Duration.ofSeconds(4)))
            .openAll();
    cluster.onLeader(store -> store.root(Bank.class).getNotes().put("first", ""));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      String name = "w" + i;
      threads.add(start(() -> write(name)));
    }
    Random readers = new Random(random.nextLong());
    threads.add(start(() -> read(readers)));
    long begin = System.nanoTime();
    int rounds = 0;
    try {
      for (; Cluster.goesOn(begin, SECONDS, this::isEnough) && failure.get() == null; rounds++) {
        operate(random.nextInt(8));
        cluster.leader(); // comes back
      }
    } finally {
      over = true;
      for (Thread each : threads) {
        each.join();
      }
    }
    System.out.printf(
        "%d operations, %d transactions acknowledged, %d refused, %d unknown, %d snapshots%n",
        rounds, acknowledged.size(), refused.size(), unknown.get(), reads.get());
    assertNull(failure.get());
    assertTrue(isEnough(), "too little was done");
    for (String id : cluster.ids()) {
      cluster.replication(id).awaitReady(BACK);
    }
    cluster.assertAllEqual();
    for (String id : cluster.ids()) {
      Set<String> there = new HashSet<>(notes(cluster.store(id)));
      Set<String> lost = new HashSet<>(acknowledged);
      lost.removeAll(there);
      assertEquals(Set.of(), lost, "acknowledged, and not on " + id);
      there.retainAll(refused);
      assertEquals(Set.of(), there, "refused, and on " + id);
    }
  }

  private Thread start(Action action) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                action.run();
              } catch (Throwable t) {
                failure.compareAndSet(null, t);
              }
            });
  }

  private interface Action {
    void run() throws Exception;
  }

  private static Set<String> notes(PmStore store) {
    return store.<Set<String>, RuntimeException>snapshot(
        () -> Set.copyOf(store.root(Bank.class).getNotes().keySet()));
  }

  // ---- clients

  /** Writes on whichever node seems to lead. */
  private void write(String name) throws InterruptedException {
    for (int i = 0; !over; i++) {
      PmStore store = cluster.likelyLeader();
      if (store == null) {
        Thread.sleep(5); // no node leads now: asks again
        continue;
      }
      String key = name + "." + i;
      try {
        store.transaction(
            () -> {
              Bank bank = store.root(Bank.class);
              bank.getNotes().put(key, key);
              bank.getAccounts().add(store.create(Bank.Account.class));
            });
        acknowledged.add(key);
      } catch (OutcomeUnknownException e) {
        unknown.incrementAndGet();
      } catch (NotLeaderException | StoreClosedException | StoreReadOnlyException e) {
        refused.add(key);
        Thread.sleep(2); // leaves the processors to the election
      }
    }
  }

  /** Reads the newest state of any node. */
  private void read(Random random) throws InterruptedException {
    while (!over) {
      List<String> ids = List.copyOf(cluster.ids());
      if (ids.isEmpty()) {
        Thread.sleep(5); // the operator has closed all
        continue;
      }
      Set<String> before = Set.copyOf(acknowledged);
      String id = ids.get(random.nextInt(ids.size()));
      PmStore store = cluster.find(id);
      if (store == null) {
        continue; // it was closed a moment ago
      }
      try {
        Set<String> there = notes(store);
        Set<String> missing = new HashSet<>(before);
        missing.removeAll(there);
        assertEquals(Set.of(), missing, "acknowledged before the snapshot began");
        reads.incrementAndGet();
      } catch (StoreClosedException e) {
        // The operator removes a node before it closes it. A heap that another one replaces is no
        // reason.
        assertNotSame(
            store, cluster.find(id), () -> "a snapshot on the open node " + id + ": " + e);
      } catch (NotLeaderException e) {
        Thread.sleep(5); // asks another node
      }
    }
  }

  // ---- the operator

  private void operate(int kind) throws Exception {
    List<String> ids = List.copyOf(cluster.ids());
    String any = ids.get(random.nextInt(ids.size()));
    int length = random.nextInt(1200);
    switch (kind) {
      case 0, 1, 2 -> {
        System.out.println("close " + any + " for " + length + " ms");
        cluster.close(any);
        Thread.sleep(length); // nobody waits for these: any moment is meant
        cluster.open(any);
        Thread.sleep(random.nextInt(300));
      }
      case 3 -> {
        String leader = cluster.leader();
        System.out.println("close the leader " + leader);
        cluster.close(leader);
        cluster.open(leader);
      }
      case 4 -> {
        System.out.println("lead " + any);
        administrate(() -> cluster.replication(cluster.leader()).transferLeadership(any));
      }
      case 5 -> {
        System.out.println("close all");
        cluster.close();
        cluster.openAll();
      }
      case 6 -> replace(any);
      default -> {
        System.out.println("backup of " + any);
        Path to = root.resolve("backup" + System.nanoTime());
        administrate(() -> cluster.store(any).backup(to));
      }
    }
  }

  /** Adds a new node, and removes another one for good. */
  private void replace(String gone) throws Exception {
    String id = "n" + made++;
    System.out.println("replace " + gone + " by " + id);
    cluster.openToJoin(id);
    administrate(() -> cluster.replication(cluster.leader()).addMember(id, cluster.address(id)));
    if (!cluster.status(cluster.leader()).members().containsKey(id)) {
      cluster.forget(id);
      return;
    }
    String leader = cluster.leader();
    if (leader.equals(gone)) {
      administrate(() -> cluster.replication(leader).transferLeadership(id));
    }
    administrate(() -> cluster.replication(cluster.leader()).removeMember(gone));
    if (!cluster.status(cluster.leader()).members().containsKey(gone)) {
      cluster.forget(gone);
    }
  }

  /** Runs what may be refused, because the leadership moves meanwhile. */
  private static void administrate(Action action) throws Exception {
    try {
      action.run();
    } catch (PmStoreException e) {
      System.out.println("refused: " + e.getMessage());
    }
  }
}
