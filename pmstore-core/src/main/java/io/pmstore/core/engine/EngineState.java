package io.pmstore.core.engine;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The state of an engine: open, failed for good, or closed.
 *
 * <pre>
 *   open ---- fail ----> failed for good: the first failure is the reason of all that follows
 *     |  \--- lost -----> failed: an error in the middle of a commit, unless a reason follows
 *     |                    |
 *     \------ close ------/--> closed
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class EngineState {
  /**
   * Set when the outcome of a commit is unknown and there may be no stack or memory left. It is a
   * field because setting it needs neither. Never reset.
   */
  public volatile boolean lost;

  private final Path directory;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final LongAdder waits = new LongAdder();
  private volatile boolean closed;

  /** Creates the state of an open engine. */
  public EngineState(Path directory) {
    this.directory = directory;
  }

  /** Returns the store's directory. */
  public Path directory() {
    return directory;
  }

  /** Counts a wait of a commit, as {@link Engine#commitWaits} says. */
  public void countWait() {
    waits.increment();
  }

  /** Returns how many waits were counted. */
  public long waits() {
    return waits.sum();
  }

  /**
   * Throws if the engine cannot be used.
   *
   * @throws StoreClosedException if it is closed
   * @throws StoreFailedException if it has failed
   */
  public void check() {
    if (closed) {
      throw closed();
    }
    checkNotFailed();
  }

  /**
   * Throws if the engine has failed, even if it is closed.
   *
   * @throws StoreFailedException if it has
   */
  public void checkNotFailed() {
    Throwable reason = failure.get();
    if (reason == null && lost) {
      reason = new IllegalStateException("an error in the middle of a commit");
    }
    if (reason != null) {
      throw failed(reason);
    }
  }

  /** Returns true after {@link #fail}, and when {@link #lost} is set. */
  public boolean hasFailed() {
    return lost || failure.get() != null;
  }

  /**
   * Records a failure. Returns the first one, which stays the reason for every later exception.
   *
   * @param reason what was thrown; for a {@link StoreFailedException} its cause counts
   */
  public Throwable fail(Throwable reason) {
    Throwable cause = reason instanceof StoreFailedException ? reason.getCause() : null;
    failure.compareAndSet(null, cause == null ? reason : cause);
    Throwable first = failure.get();
    return first == null ? reason : first;
  }

  /** Returns the exception to throw if the engine has failed. */
  public StoreFailedException failed(Throwable reason) {
    return new StoreFailedException(
        ("%s: the store failed and refuses everything further: %s. Close it, repair what caused"
                + " this, and open it again: that recovers all that was acknowledged")
            .formatted(directory, reason),
        reason);
  }

  /** Returns the exception to throw if the engine is closed. */
  public StoreClosedException closed() {
    return new StoreClosedException(
        "the store in %s is closed; open it again, and read its objects from there"
            .formatted(directory));
  }

  /** Returns true if the engine is closed or closing. */
  public boolean isClosed() {
    return closed;
  }

  public void close() {
    closed = true;
  }
}
