package io.pmstore.core.engine;

import io.pmstore.StoreMetrics.Checkpoint;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The counters of an engine; {@link io.pmstore.StoreMetrics} describes them. Immutable.
 *
 * @param syncs how often the log was made durable
 * @param recoveryBytes how many bytes of the log a recovery would read now
 * @param fileBytes the size of the log's files, in bytes
 * @param dirtyBytes how many changed bytes no checkpoint has written yet
 * @param checkpoints how many checkpoints have ended since the opening
 * @param checkpointBytes how many bytes they wrote
 * @param lastCheckpoint the last of them
 */
public record EngineMetrics(
    OptionalLong syncs,
    OptionalLong recoveryBytes,
    OptionalLong fileBytes,
    OptionalLong dirtyBytes,
    long checkpoints,
    long checkpointBytes,
    Optional<Checkpoint> lastCheckpoint) {

  /** Those of an engine that counts nothing. */
  public static final EngineMetrics NONE =
      new EngineMetrics(
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          OptionalLong.empty(),
          0,
          0,
          Optional.empty());
}
