package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.workload.TimedRun;
import java.time.Duration;

/**
 * How large and how long the steps of {@link PoolSteps} are. At every scale but the smallest, the
 * records are six times as large as the pools, as ETERNAL's were.
 *
 * @param records how many are loaded, of 1000 bytes each
 * @param poolBytes of persistent memory
 * @param warmUp how long the first workload runs before it is measured, at least
 * @param run how long each is measured
 */
record PoolPlan(long records, long poolBytes, Duration warmUp, TimedRun run) {
  private static final int TIMES = 6;
  private static final int RECORD = Row.FIELDS * Row.FIELD_LENGTH;

  static PoolPlan of(Scale scale) {
    return switch (scale) {
      case SMOKE ->
          new PoolPlan(100, 4 << 20, Duration.ZERO, new TimedRun(Duration.ofMillis(20), 2));
      case QUICK -> sixTimes(8 << 20, Duration.ofMillis(300), 500, 10);
      case FULL -> sixTimes(512 << 20, Duration.ofSeconds(3), 24_000, 48);
    };
  }

  private static PoolPlan sixTimes(long poolBytes, Duration warmUp, int millis, int slices) {
    return new PoolPlan(
        TIMES * poolBytes / RECORD,
        poolBytes,
        warmUp,
        new TimedRun(Duration.ofMillis(millis), slices));
  }
}
