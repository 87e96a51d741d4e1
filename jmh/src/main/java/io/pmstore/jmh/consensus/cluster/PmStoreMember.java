package io.pmstore.jmh.consensus.cluster;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.ReadConsistency;
import io.pmstore.ReplicatedMap;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.raft.MapRoot;
import io.pmstore.raft.RaftSettings;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node of a replicated store. Its heap is an ordinary file on either medium. */
final class PmStoreMember implements Member {
  private static final String MAP = "map";

  private final PmStore store;
  private final Replication replication;
  private final ReplicatedMap map;

  PmStoreMember(MemberSettings settings) {
    RaftSettings raft = RaftSettings.node(settings.id());
    for (Map.Entry<String, Integer> each : settings.ports().entrySet()) {
      raft = raft.member(each.getKey(), MemberSettings.HOST, each.getValue());
    }
    store = PmStore.open(settings.directory(), raft.options(PmStoreOptions.defaults()));
    replication = store.replication().orElseThrow();
    map = replication.map(MAP);
  }

  @Override
  public boolean leads() {
    ReplicationStatus status = replication.status();
    return status.role() == ReplicationStatus.Role.LEADER && status.ready();
  }

  @Override
  public long applied() {
    return replication.status().applied();
  }

  @Override
  public void transferLeadership(String id) {
    replication.transferLeadership(id);
  }

  @Override
  public void set(String key, String value) {
    map.set(key, value);
  }

  @Override
  public Optional<String> get(String key) {
    return map.get(key);
  }

  @Override
  public Optional<String> getHere(String key) {
    return Optional.ofNullable(
        store.<@Nullable String, RuntimeException>snapshot(
            ReadConsistency.LOCAL, () -> store.root(MAP, MapRoot.class).getEntries().get(key)));
  }

  @Override
  public boolean compareAndSet(String key, Optional<String> expected, String value) {
    return map.compareAndSet(key, expected, value);
  }

  @Override
  public void setAll(Map<String, String> entries) {
    store.transaction(() -> store.root(MAP, MapRoot.class).getEntries().putAll(entries));
  }

  @Override
  public Optional<PmStore> store() {
    return Optional.of(store);
  }

  @Override
  public void close() {
    store.close();
  }
}
