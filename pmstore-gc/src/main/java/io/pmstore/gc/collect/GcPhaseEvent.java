package io.pmstore.gc.collect;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A phase of a collection, in a flight recording. */
@Name("pmstore.GCPhase")
@Label("GC Phase of a Store")
@Category({"pmstore", "GC"})
@Description("Mark, Wait (for transactions and snapshots that began before) or Sweep")
@StackTrace(false)
final class GcPhaseEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("GC Identifier")
  int gcId;

  @Label("Name")
  String name = "";
}
