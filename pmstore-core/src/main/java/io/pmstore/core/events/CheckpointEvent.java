package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A checkpoint of a mapped store, from the position that it takes to its end. */
@Name("pmstore.Checkpoint")
@Label("Checkpoint")
@Description("Changed pages of the heap are written to its file, and log space gets free")
@Category("pmstore")
@StackTrace(false)
public final class CheckpointEvent extends Event {
  @Label("Store")
  @Description("The directory of the store")
  String store = "";

  @Label("Bytes Written")
  @Description("Changed bytes of the heap, in whole pages or, in persistent memory, cache lines")
  @DataAmount
  long bytesWritten;

  @Label("Pages")
  @Description("Pages of 4096 bytes that they are in")
  long pages;

  @Label("Log Bytes Covered")
  @Description("Bytes of the log that a recovery need not read any more")
  @DataAmount
  long logBytesCovered;

  private CheckpointEvent() {}

  static CheckpointEvent started() {
    CheckpointEvent event = new CheckpointEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the event and records it if it is enabled.
   *
   * @param directory of the store
   * @param bytes of the heap that were written
   * @param pagesWritten the pages that contain them
   * @param logBytes the bytes of the log that recovery no longer reads since this checkpoint
   */
  public void ended(Path directory, long bytes, long pagesWritten, long logBytes) {
    end();
    if (shouldCommit()) {
      store = directory.toString();
      bytesWritten = bytes;
      pages = pagesWritten;
      logBytesCovered = logBytes;
      commit();
    }
  }
}
