package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.events.CommitStallEvent;
import java.nio.file.Path;

/** A window of the heap in which nothing may be stored until the latch is opened. */
final class Latch {
  private final Path store;
  private final long from;
  private final long to;
  private volatile boolean open;

  /**
   * Creates a latch that is closed.
   *
   * @param store the store's directory
   * @param from the window's first address
   * @param to where it ends
   */
  Latch(Path store, long from, long to) {
    this.store = store;
    this.from = from;
    this.to = to;
  }

  /** Waits until stores to a range are allowed; whoever holds the latch waits for none of them. */
  void await(long address, long length) {
    if (open || address >= to || address + length <= from) {
      return;
    }
    CommitStallEvent stall = CommitStallEvent.started(store, CommitStallEvent.Cause.PAGE_RELEASE);
    Backoff backoff = new Backoff();
    while (!open) {
      backoff.pause();
    }
    stall.commit();
  }

  void open() {
    open = true;
  }
}
