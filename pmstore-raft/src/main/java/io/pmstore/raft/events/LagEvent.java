package io.pmstore.raft.events;

import io.pmstore.ReplicationStatus;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The role and the lag of a node of a replicated store. */
@Name("pmstore.ReplicationLag")
@Label("Replication Lag")
@Description("How far a node of a replicated store is with applying what is committed")
@Category("pmstore")
@Period("1 s")
@StackTrace(false)
public final class LagEvent extends Event {
  @Label("Store")
  @Description("The directory of the node")
  final String store;

  @Label("Node")
  @Description("The id of the node")
  final String node;

  @Label("Role")
  final String role;

  @Label("Ready")
  @Description("Whether the node runs transactions, or follows and has applied what is committed")
  final boolean ready;

  @Label("Term")
  final long term;

  @Label("Committed Index")
  @Description("The last entry that the node knows to be on a majority of the nodes")
  final long committed;

  @Label("Applied Index")
  @Description("The last entry that the node has applied")
  final long applied;

  @Label("Lag")
  @Description("Entries that are committed and not yet applied")
  final long lag;

  @Label("Age")
  @Description("How long ago the leader was last heard, at most")
  @Timespan
  final long age;

  LagEvent(String store, ReplicationStatus status) {
    this.store = store;
    this.node = status.id();
    this.role = status.role().name();
    this.ready = status.ready();
    this.term = status.term();
    this.committed = status.committed();
    this.applied = status.applied();
    this.lag = Math.max(0, status.committed() - status.applied());
    this.age = status.age().toNanos();
  }
}
