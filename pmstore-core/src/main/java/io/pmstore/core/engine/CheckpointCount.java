package io.pmstore.core.engine;

import io.pmstore.StoreMetrics.Checkpoint;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Counts the checkpoints, or spills, of an engine. Thread-safe. */
public final class CheckpointCount {
  private record State(long count, long bytes, Optional<Checkpoint> last) {}

  private volatile State state = new State(0, 0, Optional.empty());

  /** Creates a count of none. */
  public CheckpointCount() {}

  /**
   * Counts one that ends now.
   *
   * @param began what {@link System#nanoTime} returned when it began
   * @param bytes that it wrote
   */
  public synchronized void ended(long began, long bytes) {
    Duration took = Duration.ofNanos(System.nanoTime() - began);
    state =
        new State(
            state.count + 1,
            state.bytes + bytes,
            Optional.of(new Checkpoint(Instant.now(), took, bytes)));
  }

  /** Returns an engine's metrics: this count, and those that {@link EngineMetrics} describes. */
  public EngineMetrics metrics(
      OptionalLong syncs,
      OptionalLong recoveryBytes,
      OptionalLong fileBytes,
      OptionalLong dirtyBytes) {
    State now = state;
    return new EngineMetrics(
        syncs, recoveryBytes, fileBytes, dirtyBytes, now.count, now.bytes, now.last);
  }
}
