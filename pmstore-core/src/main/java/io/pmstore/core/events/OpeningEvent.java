package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A store was opened, its recovery included. */
@Name("pmstore.Opening")
@Label("Opening of a Store")
@Description("A store was opened, and recovered if it was not closed")
@Category("pmstore")
@StackTrace(false)
public final class OpeningEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("Read Only")
  boolean readOnly;

  @Label("Heap Size")
  @DataAmount
  long heapSize;

  private OpeningEvent() {}

  static OpeningEvent started() {
    OpeningEvent event = new OpeningEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the event and records it if it is enabled.
   *
   * @param directory of the store
   * @param forReading true if the store was opened for reading only
   * @param bytes the size of its heap
   */
  public void ended(Path directory, boolean forReading, long bytes) {
    end();
    if (shouldCommit()) {
      store = directory.toString();
      readOnly = forReading;
      heapSize = bytes;
      commit();
    }
  }
}
