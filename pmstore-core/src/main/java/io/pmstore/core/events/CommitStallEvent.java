package io.pmstore.core.events;

import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/**
 * A commit that had to wait for something else than its own barrier. One commit may have several,
 * one after the other.
 */
@Name("pmstore.CommitStall")
@Label("Commit Stall")
@Description("A commit waited for a checkpoint, for room or for a large commit")
@Category("pmstore")
@Threshold("20 ms")
public final class CommitStallEvent extends Event {
  /** What a commit waited for. */
  public enum Cause {
    /** No log segment is free until a checkpoint ends. */
    LOG_FULL("Log full"),
    /** So much of the heap has changed that it waits for a step of the checkpoint. */
    DIRTY_BYTES("Too many changed bytes"),
    /** The checkpoint gives back the memory of pages that the commit changes. */
    PAGE_RELEASE("Release of pages"),
    /** A commit of several log records is being written to the log. */
    LARGE_COMMIT("Large commit"),
    /** The heap grows, or another thread has it grow. */
    HEAP_GROWTH("Heap growth");

    private final String label;

    Cause(String label) {
      this.label = label;
    }

    /**
     * How the event names it.
     *
     * @return words for readers of recordings
     */
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

  /**
   * Starts the event, as a commit starts to wait.
   *
   * @param directory of the store
   * @param cause what it waits for
   * @return the event, to be {@linkplain #commit committed} when it goes on: that records it if it
   *     is wanted and took longer than its threshold
   */
  public static CommitStallEvent started(Path directory, Cause cause) {
    CommitStallEvent event = new CommitStallEvent(directory.toString(), cause.label);
    event.begin();
    return event;
  }
}
