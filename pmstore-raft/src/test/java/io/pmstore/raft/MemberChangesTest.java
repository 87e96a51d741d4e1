package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotLeaderException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.StoreFormatException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.client.RaftClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A change of the members happens as asked for, or not at all and the caller learns why. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MemberChangesTest extends ClusterTest {
  private Set<String> members() throws InterruptedException {
    return new TreeSet<>(cluster.status(cluster.leader()).members().keySet());
  }

  @Test
  void anAddressThatAMemberHasIsRefused() throws Exception {
    for (String id : List.of(cluster.leader(), cluster.follower())) {
      IllegalArgumentException refused =
          assertThrows(
              IllegalArgumentException.class,
              () -> cluster.replication(id).addMember("d", cluster.address("a")));
      assertTrue(refused.getMessage().contains(cluster.address("a")), refused::getMessage);
    }
    assertEquals(Set.of("a", "b", "c"), members());
  }

  /** Each change that returned is there, and no other one. */
  @Test
  void changesAtTheSameTimeDoNotUndoEachOther() throws Exception {
    Set<String> expected = new ConcurrentSkipListSet<>(members());
    AtomicReference<Throwable> failure = new AtomicReference<>();
    List<Thread> threads = new ArrayList<>();
    for (String id : List.of("d", "e", "f")) {
      cluster.openToJoin(id);
    }
    for (String id : List.of("d", "e", "f")) {
      Replication asked = cluster.replication(id.equals("d") ? cluster.leader() : "b");
      String address = cluster.address(id);
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      asked.addMember(id, address);
                      expected.add(id);
                    } catch (PmStoreException e) {
                      if (!String.valueOf(e.getMessage()).contains("another change")) {
                        failure.set(e);
                      }
                    } catch (Throwable t) {
                      failure.set(t);
                    }
                  }));
    }
    for (Thread each : threads) {
      each.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    assertTrue(expected.size() > 3, "none was added");
    assertEquals(expected, members());
  }

  @Test
  void aNodeThatIsToBeAddedFoundsNoClusterWhenItIsOpenedAgain() throws Exception {
    cluster.openToJoin("d");
    cluster.close("d");
    cluster.openToJoin("d");
    assertThrows(
        NotLeaderException.class, () -> cluster.replication("d").awaitReady(Duration.ofSeconds(3)));
    cluster.replication(cluster.leader()).addMember("d", cluster.address("d"));
    cluster.close("d");
    cluster.openToJoin("d"); // without effect, as it is a member
    cluster.replication("d").awaitReady(Duration.ofSeconds(30));
    assertEquals(Set.of("a", "b", "c", "d"), cluster.status("d").members().keySet());
  }

  @Test
  void aRepeatedChangeThatHasHappenedIsDone() throws Exception {
    cluster.openToJoin("d");
    cluster.replication(cluster.follower()).addMember("d", cluster.address("d"));
    Node leader = ((Operation) cluster.replication(cluster.leader())).node();
    MemberChange again = MemberChange.adding("d", cluster.address("d"));
    assertEquals(Answer.Ending.REFUSED, leader.members().execute(again).ending());
    assertEquals(Answer.Ending.DONE, leader.members().execute(again.repeated()).ending());
    MemberChange elsewhere = MemberChange.adding("d", "127.0.0.1:1").repeated();
    assertEquals(Answer.Ending.REFUSED, leader.members().execute(elsewhere).ending());
    cluster.replication(cluster.follower()).removeMember("d");
    MemberChange removal = MemberChange.removing("d");
    assertEquals(Answer.Ending.REFUSED, leader.members().execute(removal).ending());
    assertEquals(Answer.Ending.DONE, leader.members().execute(removal.repeated()).ending());
  }

  /** A program that reaches the port of a node does not get round the checks of the node. */
  @Test
  void aClientOfRatisCannotChangeTheMembers() throws Exception {
    Node leader = ((Operation) cluster.replication(cluster.leader())).node();
    try (RaftClient client = leader.peers().newClient("d", "127.0.0.1:1")) {
      IOException refused =
          assertThrows(
              IOException.class,
              () ->
                  client
                      .admin()
                      .setConfiguration(RatisServer.peers(Map.of("a", cluster.address("a")))));
      assertTrue(String.valueOf(refused).contains("no requests of clients"), refused::toString);
    }
    assertEquals(Set.of("a", "b", "c"), members());
  }

  @Test
  void withoutALeaderAChangeEndsAsATransactionDoes() throws Exception {
    String stays = cluster.follower();
    for (String id : List.of("a", "b", "c")) {
      if (!id.equals(stays)) {
        cluster.close(id);
      }
    }
    cluster.awaitNoLeader(stays);
    assertThrows(NotLeaderException.class, () -> cluster.replication(stays).removeMember("a"));
  }

  /** The others would look for it where it was, and nobody would say so. */
  @Test
  void aMemberThatIsOpenedAtAnotherAddressIsRefused() throws Exception {
    String moved = cluster.follower();
    cluster.replication(moved).awaitReady(Duration.ofSeconds(30));
    cluster.close(moved);
    int port = FreePorts.draw();
    PmStoreOptions options =
        RaftSettings.node(moved)
            .member(moved, "127.0.0.1", port)
            .options(PmStoreOptions.defaults());
    StoreFormatException refused =
        assertThrows(
            StoreFormatException.class,
            () -> PmStore.open(cluster.directory(moved), options).close());
    assertTrue(refused.getMessage().contains(cluster.address(moved)), refused::getMessage);
    assertTrue(refused.getMessage().contains("127.0.0.1:" + port), refused::getMessage);
    assertTrue(refused.getMessage().contains("docs/replication.md"), refused::getMessage);
    cluster.open(moved);
    cluster.replication(moved).awaitReady(Duration.ofSeconds(30));
  }

  @Test
  void aNewMemberThatCannotBeReachedIsNotAdded() throws Exception {
    String address = "127.0.0.1:" + FreePorts.draw();
    PmStoreException failed =
        assertThrows(
            PmStoreException.class,
            () -> cluster.replication(cluster.follower()).addMember("d", address));
    assertTrue(failed.getMessage().contains("cannot be reached at " + address), failed::getMessage);
    assertEquals(Set.of("a", "b", "c"), members());
  }
}
