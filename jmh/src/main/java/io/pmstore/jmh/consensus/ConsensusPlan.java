package io.pmstore.jmh.consensus;

import io.pmstore.jmh.suite.Scale;
import java.time.Duration;
import java.util.List;

/**
 * How large and how long the steps are.
 *
 * @param keys of the maps
 * @param threads with which keys are set
 * @param warmUp of a group within one process; see {@link #warmUp(Place)}
 * @param turns how often each group is measured
 * @param turn how long
 * @param missed writes that a replica misses
 * @param missedBytes the size of their values
 * @param recoveries how often each group's replica recovers
 * @param restarts how often a replica with many objects is opened
 * @param objects in the replica that is opened with many
 * @param structureKeys of the structures alone
 * @param regionBytes of a region of versions
 */
record ConsensusPlan(
    int keys,
    List<Integer> threads,
    Duration warmUp,
    int turns,
    Duration turn,
    int missed,
    int missedBytes,
    int recoveries,
    int restarts,
    int objects,
    int structureKeys,
    long regionBytes) {
  /** Four new JVMs share the processors, and each compiles what a group in one compiles once. */
  private static final int NETWORK_WARM_UPS = 7;

  private static final int KEYS = 50_000;
  private static final int MISSED = 15_000;
  private static final int MISSED_BYTES = 3_000;
  private static final int MILLION = 1_000_000;
  private static final int STRUCTURE_KEYS = 20_000;
  private static final long REGION = 512 << 20;

  /** Returns how long the members at a place run before they are measured. */
  Duration warmUp(Place place) {
    return place == Place.NETWORK ? warmUp.multipliedBy(NETWORK_WARM_UPS) : warmUp;
  }

  static ConsensusPlan of(Scale scale) {
    List<Integer> threads = List.of(1, 20);
    return switch (scale) {
      case SMOKE ->
          new ConsensusPlan(
              200,
              threads,
              Duration.ZERO,
              2,
              Duration.ofMillis(50),
              20,
              100,
              1,
              1,
              500,
              100,
              8 << 20);
      case QUICK ->
          new ConsensusPlan(
              KEYS,
              threads,
              Duration.ofMillis(1_000),
              6,
              Duration.ofMillis(300),
              MISSED,
              MISSED_BYTES,
              2,
              5,
              MILLION,
              STRUCTURE_KEYS,
              REGION);
      case FULL ->
          new ConsensusPlan(
              KEYS,
              threads,
              Duration.ofSeconds(5),
              20,
              Duration.ofSeconds(1),
              MISSED,
              MISSED_BYTES,
              6,
              10,
              MILLION,
              STRUCTURE_KEYS,
              REGION);
    };
  }
}
