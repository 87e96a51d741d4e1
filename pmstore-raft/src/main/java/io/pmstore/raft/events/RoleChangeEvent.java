package io.pmstore.raft.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A node of a replicated store has another role, or another leader. */
@Name("pmstore.ReplicationRole")
@Label("Replication Role")
@Description("A node of a replicated store has another role, or follows another leader")
@Category("pmstore")
@StackTrace(false)
public final class RoleChangeEvent extends Event {
  @Label("Store")
  @Description("The directory of the node")
  final String store;

  @Label("Node")
  @Description("The id of the node")
  final String node;

  @Label("Old Role")
  final String oldRole;

  @Label("New Role")
  final String newRole;

  @Label("Leader")
  @Description("The id of the leader as far as the node knows, or empty")
  final String leader;

  @Label("Term")
  final long term;

  RoleChangeEvent(
      String store, String node, String oldRole, String newRole, String leader, long term) {
    this.store = store;
    this.node = node;
    this.oldRole = oldRole;
    this.newRole = newRole;
    this.leader = leader;
    this.term = term;
  }
}
