package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A commit waited for something other than its own barrier. One commit may have several stalls. */
@Name("pmstore.CommitStall")
@Label("Commit Stall")
@Description("A commit waited for a checkpoint, a spill, for room or for a large commit")
@Category("pmstore")
@Threshold("20 ms")
public final class CommitStallEvent extends Event {
  /** What a commit waited for. */
  public enum Cause {
    /** No log segment is free until a checkpoint ends. */
    LOG_FULL("Log full"),
    /** The dirty set is so large that commits wait for a step of the checkpoint. */
    DIRTY_BYTES("Too many changed bytes"),
    /** The checkpoint releases the memory of pages that the commit changes. */
    PAGE_RELEASE("Release of pages"),
    /** A commit of several log records is being written. */
    LARGE_COMMIT("Large commit"),
    /** This thread or another one grows the heap. */
    HEAP_GROWTH("Heap growth"),
    /** Both pools of a tiered store are full until one is spilled. */
    POOL_FULL("Pool full");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    /** Returns the name of the cause in recordings. */
    public String label() {
      return label;
    }
  }

  @Label("Store")
  @Description("The directory of the store")
  final String store;

  @Label("Cause")
  @Description("What the commit waited for")
  final String cause;

  private CommitStallEvent(String store, String cause) {
    this.store = store;
    this.cause = cause;
  }

  static CommitStallEvent started(Path directory, Cause cause) {
    CommitStallEvent event = new CommitStallEvent(directory.toString(), cause.label);
    event.begin();
    return event;
  }
}
