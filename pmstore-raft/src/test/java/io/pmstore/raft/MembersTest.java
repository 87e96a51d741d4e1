package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes are added and removed while the others work. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MembersTest extends ClusterTest {
  private static final int WRITERS = 4;

  /** Called on the leader itself, and on another node. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theLeaderIsRemovedWhileItRunsTransactions(boolean there) throws Exception {
    String gone = cluster.leader();
    PmStore leader = cluster.store(gone);
    Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    Set<String> rolledBack = ConcurrentHashMap.newKeySet();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      String name = "w" + i + ".";
      writers.add(
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    for (int n = 0; failure.get() == null; n++) {
                      String key = name + n;
                      try {
                        leader.transaction(() -> leader.root(Bank.class).getNotes().put(key, "x"));
                        acknowledged.add(key);
                      } catch (NotLeaderException e) {
                        rolledBack.add(key);
                        return;
                      } catch (OutcomeUnknownException e) {
                        return;
                      } catch (Throwable t) {
                        failure.set(t);
                      }
                    }
                  }));
    }
    while (acknowledged.size() < 100 && failure.get() == null) {
      Thread.onSpinWait();
    }
    cluster.replication(there ? gone : cluster.follower()).removeMember(gone);
    for (Thread each : writers) {
      each.join(TimeUnit.SECONDS.toMillis(30));
      assertFalse(each.isAlive(), "a transaction does not end");
    }
    assertNull(failure.get());
    cluster.forget(gone);
    String follower = cluster.follower();
    assertEquals(cluster.ids(), cluster.status(follower).members().keySet());
    PmStore store = cluster.store(follower);
    Set<String> kept =
        store.<Set<String>, RuntimeException>snapshot(
            () -> Set.copyOf(store.root(Bank.class).getNotes().keySet()));
    Set<String> lost = new HashSet<>(acknowledged);
    lost.removeAll(kept);
    assertEquals(Set.of(), lost, "acknowledged, and lost");
    rolledBack.retainAll(kept);
    assertEquals(Set.of(), rolledBack, "rolled back, and there");
    cluster.onLeader(all -> all.root(Bank.class).getNotes().put("after", ""));
    cluster.assertAllEqual();
  }
}
