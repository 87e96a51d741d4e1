package io.pmstore.oms.targets;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a target is opened.
 *
 * @param directory where its files are; created if absent
 * @param medium what the directory is taken to be
 * @param relaxed whether a report is acknowledged before it is durable
 * @param threads how many threads will use it, at least 1
 * @param llplPoolBytes the size of a new LLPL pool, in bytes
 * @param postgresUrl the JDBC URL of a PostgreSQL server that runs already; null to start one
 */
public record TargetSettings(
    Path directory,
    Medium medium,
    boolean relaxed,
    int threads,
    long llplPoolBytes,
    @Nullable String postgresUrl) {

  /**
   * Within how many milliseconds an acknowledged report becomes durable under relaxed durability,
   * where that can be said.
   */
  public static final int RELAXED_BOUND_MILLIS = 100;

  private static final long POOL_BASE_BYTES = 64L << 20;
  private static final long POOL_BYTES_FOR_ORDER = 1_024;
  private static final long POOL_BYTES_FOR_REPORT = 512;

  /**
   * Estimates the size of an LLPL pool.
   *
   * @param orders how many orders it has to hold
   * @param reports how many reports these have, all together
   * @return bytes, enough for any target
   */
  public static long llplPoolBytes(long orders, long reports) {
    return POOL_BASE_BYTES + orders * POOL_BYTES_FOR_ORDER + reports * POOL_BYTES_FOR_REPORT;
  }

  /** The same in another directory. */
  public TargetSettings in(Path other) {
    return new TargetSettings(other, medium, relaxed, threads, llplPoolBytes, postgresUrl);
  }
}
