package io.pmstore.raft;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.nio.file.Path;

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
}
