package io.pmstore.core.engine.mapped;

import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Whether an engine can be used: open, closed, or failed for good, and why. */
final class EngineState {
  private final Path directory;
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile boolean closed;

  EngineState(Path directory) {
    this.directory = directory;
  }

  /** The store's directory. */
  Path directory() {
    return directory;
  }

  /** Returns if the engine can be used. */
  void check() {
    if (closed) {
      throw new StoreClosedException("the store in %s is closed".formatted(directory));
    }
    checkNotFailed();
  }

  /** Returns if the engine has not failed. */
  void checkNotFailed() {
    Throwable reason = failure.get();
    if (reason != null) {
      throw failed(reason);
    }
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  /** Notes a failure; the first one stays the reason of all that follows. */
  Throwable fail(Throwable reason) {
    failure.compareAndSet(null, reason);
    Throwable first = failure.get();
    return first == null ? reason : first;
  }

  StoreFailedException failed(Throwable reason) {
    return new StoreFailedException(
        ("%s: the store failed and refuses everything further: %s. Close it, repair what caused"
                + " this, and open it again: that recovers all that was acknowledged")
            .formatted(directory, reason),
        reason);
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
  }
}
