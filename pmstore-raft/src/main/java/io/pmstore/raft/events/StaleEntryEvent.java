package io.pmstore.raft.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** An entry of the Raft log did nothing, because of its term. */
@Name("pmstore.StaleEntry")
@Label("Stale Entry")
@Description(
    "An entry did nothing: its term in the log is not the one in which its transaction was"
        + " validated")
@Category("pmstore")
@StackTrace(false)
public final class StaleEntryEvent extends Event {
  @Label("Store")
  @Description("The directory of the node")
  final String store;

  @Label("Node")
  @Description("The id of the node")
  final String node;

  @Label("Index")
  @Description("The index of the entry")
  final long index;

  @Label("Term")
  @Description("The term that the log has for the entry")
  final long term;

  @Label("Validated Term")
  @Description("The term in which the transaction was validated")
  final long validatedTerm;

  StaleEntryEvent(String store, String node, long index, long term, long validatedTerm) {
    this.store = store;
    this.node = node;
    this.index = index;
    this.term = term;
    this.validatedTerm = validatedTerm;
  }
}
