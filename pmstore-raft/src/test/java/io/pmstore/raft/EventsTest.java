package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.ReplicationStatus;
import io.pmstore.core.engine.WriteSet;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The events of nodes for JDK Flight Recorder. */
@Timeout(300)
class EventsTest {
  private static final String ROLE = "pmstore.ReplicationRole";
  private static final String LAG = "pmstore.ReplicationLag";
  private static final String COPY = "pmstore.HeapCopy";
  private static final String STALE = "pmstore.StaleEntry";

  @TempDir Path root;
  private Cluster cluster;
  private final Recording recording = new Recording();
  private int dumps;

  @BeforeEach
  void record() throws Exception {
    cluster =
        new Cluster(root, "a", "b", "c")
            .with(s -> s.logEntries(20).electionTimeout(Duration.ofSeconds(1)));
    recording.enable(ROLE);
    recording.enable(LAG).withPeriod(Duration.ofMillis(50));
    recording.enable(COPY);
    recording.enable(STALE);
    recording.start();
  }

  @AfterEach
  void close() {
    cluster.close();
    recording.close();
  }

  private List<RecordedEvent> events(String name, String node) throws IOException {
    Path file = root.resolve("all" + dumps++ + ".jfr");
    recording.dump(file);
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .filter(event -> event.getString("node").equals(node))
        .filter(event -> event.getString("store").equals(cluster.directory(node).toString()))
        .toList();
  }

  /** Waits for an event. */
  private RecordedEvent await(String name, String node, Predicate<RecordedEvent> wanted)
      throws Exception {
    for (long begin = System.nanoTime(); System.nanoTime() - begin < 60_000_000_000L; ) {
      List<RecordedEvent> all = events(name, node);
      for (RecordedEvent each : all) {
        if (wanted.test(each)) {
          return each;
        }
      }
      Thread.sleep(100);
    }
    throw new AssertionError(name + " of " + node + ": " + events(name, node));
  }

  private void put(int from, int to) throws InterruptedException {
    for (int i = from; i < to; i++) {
      String key = "k" + i;
      cluster.onLeader(store -> store.root(Bank.class).getNotes().put(key, key.repeat(20)));
    }
  }

  @Test
  void rolesAndLagAreRecorded() throws Exception {
    cluster.openAll();
    put(0, 5);
    String first = cluster.leader();
    String next = cluster.follower();
    long term = cluster.status(first).term();
    RecordedEvent elected =
        await(
            ROLE,
            first,
            event -> event.getString("newRole").equals("LEADER") && event.getLong("term") == term);
    assertEquals(first, elected.getString("leader"));
    cluster.replication(first).transferLeadership(next);
    put(5, 10);
    await(
        ROLE,
        first,
        event ->
            event.getString("oldRole").equals("LEADER")
                && event.getString("newRole").equals("FOLLOWER"));
    RecordedEvent follows =
        await(
            ROLE,
            first,
            event ->
                event.getString("newRole").equals("FOLLOWER")
                    && event.getString("leader").equals(next));
    assertTrue(follows.getLong("term") > term, follows::toString);
    await(ROLE, next, event -> event.getString("newRole").equals("LEADER"));

    ReplicationStatus now = cluster.status(next);
    for (String id : List.of("a", "b", "c")) {
      RecordedEvent lag =
          await(
              LAG,
              id,
              event -> event.getLong("applied") >= now.committed() && event.getBoolean("ready"));
      assertEquals(id.equals(next) ? "LEADER" : "FOLLOWER", lag.getString("role"));
      assertEquals(now.term(), lag.getLong("term"));
      assertEquals(
          Math.max(0, lag.getLong("committed") - lag.getLong("applied")), lag.getLong("lag"));
    }
    cluster.close("c");
    int closed = events(LAG, "c").size();
    await(LAG, "a", event -> event.getLong("applied") >= now.committed());
    assertEquals(closed, events(LAG, "c").size(), "a closed node is asked no more");
  }

  @Test
  void anEntryOfAnotherTermDoesNothingOnAllNodesAndIsRecorded() throws Exception {
    cluster.openAll();
    // The first leader may be of term 1, and term 0 is that of entries that are revoked.
    cluster.replication(cluster.leader()).transferLeadership(cluster.follower());
    put(0, 3);
    WriteSet writes = new WriteSet();
    String leader = cluster.leader();
    // One that is refused before it gets its place in the log is not stale, but revoked.
    for (int i = 0; events(STALE, leader).isEmpty(); i++) {
      assertTrue(i < 100, "no stale entry got into the log");
      leader = cluster.leader(); // on a busy machine another node may lead by now
      Node node = ((Operation) cluster.replication(leader)).node();
      long former = node.leadership().term() - 1;
      assertTrue(former > 0, "a leader of the first term");
      writes.clear();
      writes.putLong(node.host().notes(), -1); // would be seen by the digests, were it applied
      assertThrows(
          PmStoreException.class,
          () -> node.proposals().propose(former, writes.encode(), () -> true));
    }
    RecordedEvent first = events(STALE, leader).getFirst();
    long index = first.getLong("index");
    assertTrue(first.getLong("validatedTerm") < first.getLong("term"), first::toString);
    put(3, 6);
    cluster.assertAllEqual();
    for (String id : List.of("a", "b", "c")) {
      RecordedEvent stale = await(STALE, id, event -> event.getLong("index") == index);
      assertEquals(first.getLong("term"), stale.getLong("term"));
      assertEquals(first.getLong("validatedTerm"), stale.getLong("validatedTerm"));
    }
  }

  @Test
  void aCopyOfAHeapIsRecorded() throws Exception {
    cluster.openAll();
    put(0, 10);
    String away = cluster.follower();
    cluster.close(away);
    put(10, 200);
    cluster.outgrowLogs();
    cluster.open(away);
    RecordedEvent copied = await(COPY, away, event -> true);
    assertTrue(copied.getDuration().toNanos() > 0, copied::toString);
    assertTrue(copied.getLong("heapBytes") > 0, copied::toString);
    assertTrue(
        copied.getLong("transferredBytes") > 0
            && copied.getLong("transferredBytes") < copied.getLong("heapBytes"),
        copied::toString);
    assertTrue(copied.getLong("index") >= 200, copied::toString);
    assertTrue(!copied.getString("source").equals(away), copied::toString);
  }
}
