package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** The heap of a store has grown. */
@Name("pmstore.HeapGrowth")
@Label("Heap Growth")
@Description("The heap of a mapped store grew because a transaction needed space")
@Category("pmstore")
@StackTrace(false)
public final class HeapGrowthEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("Size Before")
  @DataAmount
  long sizeBefore;

  @Label("Size After")
  @DataAmount
  long sizeAfter;

  private HeapGrowthEvent() {}

  static HeapGrowthEvent started() {
    HeapGrowthEvent event = new HeapGrowthEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the event and records it if it is enabled.
   *
   * @param directory of the store
   * @param before the size of the heap in bytes
   * @param after its new size
   */
  public void ended(Path directory, long before, long after) {
    end();
    if (shouldCommit()) {
      store = directory.toString();
      sizeBefore = before;
      sizeAfter = after;
      commit();
    }
  }
}
