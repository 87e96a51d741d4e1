package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.Recorder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A window of the heap to which no thread may store until the latch is opened. */
public final class Latch {
  private final Path store;
  private final long from;
  private final long to;
  private volatile boolean open;

  /**
   * Creates a closed latch.
   *
   * @param store the store's directory
   * @param from the window's first address
   * @param to the end of the window, exclusive
   */
  public Latch(Path store, long from, long to) {
    this.store = store;
    this.from = from;
    this.to = to;
  }

  /**
   * Waits until stores to a range are allowed. The thread that opens the latch never waits for such
   * a store, so this cannot deadlock.
   */
  public void await(long address, long length) {
    if (open || address >= to || address + length <= from) {
      return;
    }
    @Nullable CommitStallEvent stall = Recorder.stall(store, CommitStallEvent.Cause.PAGE_RELEASE);
    Backoff.until(() -> open);
    Recorder.ended(stall);
  }

  public void open() {
    open = true;
  }
}
