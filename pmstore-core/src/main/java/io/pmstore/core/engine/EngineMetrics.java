package io.pmstore.core.engine;

import io.pmstore.StoreMetrics.Checkpoint;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What an engine counts, as {@link io.pmstore.StoreMetrics} says.
 *
 * @param syncs how often the log was made durable
 * @param recoveryBytes of the log, which a recovery would read now
 * @param fileBytes of the log's files
 * @param dirtyBytes that no checkpoint has written yet
 * @param checkpoints how many have ended since the opening
 * @param checkpointBytes what they wrote
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
