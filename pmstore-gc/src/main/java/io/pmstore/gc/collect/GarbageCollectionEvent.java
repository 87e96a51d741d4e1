package io.pmstore.gc.collect;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A collection, in a flight recording. */
@Name("pmstore.GarbageCollection")
@Label("Garbage Collection of a Store")
@Category({"pmstore", "GC"})
@Description("A collection of the persistent objects that can no longer be reached")
@StackTrace(false)
final class GarbageCollectionEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("GC Identifier")
  int gcId;

  @Label("Cause")
  String cause = "";

  @Label("Live Objects")
  long liveObjects;

  @Label("Freed Objects")
  long freedObjects;

  @Label("Freed")
  @DataAmount
  long freedBytes;
}
