package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import java.nio.file.Path;
import java.time.Duration;

/** The code of docs/replication.md. */
final class ReplicationExample {
  private ReplicationExample() {}

  static PmStore open(Path directory) {
    RaftSettings settings =
        RaftSettings.node("n1")
            .member("n1", "10.0.0.1", 7000)
            .member("n2", "10.0.0.2", 7000)
            .member("n3", "10.0.0.3", 7000);
    PmStore store = PmStore.open(directory, settings.options(PmStoreOptions.defaults()));
    return store;
  }

  static void write(PmStore store, Bank bank) {
    try {
      store.transaction(() -> bank.getNotes().put("greeting", "hello"));
    } catch (NotLeaderException e) {
      // it was rolled back; e.leader() says where to run it
    } catch (OutcomeUnknownException e) {
      // this node stopped leading before it knew; read on the leader whether it has happened
    }
  }

  static void operate(PmStore store) {
    Replication replication = store.replication().orElseThrow(); // empty if it is not replicated
    ReplicationStatus status = replication.awaitReady(Duration.ofSeconds(30));
    System.out.println(status.role() + " " + status.leader() + " " + status.members());
  }

  static PmStore openNew(Path directory, String host, int port) {
    RaftSettings settings = RaftSettings.node("n4").member("n4", host, port).join();
    PmStore store = PmStore.open(directory, settings.options(PmStoreOptions.defaults()));
    return store;
  }

  static void replace(Replication replication, String host, int port) {
    replication.addMember("n4", host + ":" + port); // returns when n4 has the contents
    replication.removeMember("n3");
  }
}
