package io.pmstore.jmh.workload;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When code has run long enough to be measured: some time at least, and until the JIT compiler has
 * little left to do. A fixed time would measure how fast code is compiled: what is small or mostly
 * native is compiled after a second, a store in Java after five.
 *
 * <p>Starts when it is made. For one thread.
 */
public final class WarmUp {
  /** The part of a round's time that the compiler's threads may take, in sum. */
  private static final double QUIET = 0.25;

  /** The time of a long compilation is counted when it ends, so one round is not enough. */
  private static final int QUIET_ROUNDS = 2;

  private static final int LEAST_TIMES_MAX = 6;
  private static final Duration ROUND = Duration.ofMillis(250);

  private final Duration least;
  private final LongSupplier nanoTime;
  private final LongSupplier compilationMillis;
  private final long began;
  private long roundBegan;
  private long compiledMillis;
  private int quietRounds;

  /**
   * Begins.
   *
   * @param least how long it takes at least; at most it takes six times that
   */
  public WarmUp(Duration least) {
    this(
        least, System::nanoTime, ManagementFactory.getCompilationMXBean()::getTotalCompilationTime);
  }

  /** For tests: with other clocks. */
  WarmUp(Duration least, LongSupplier nanoTime, LongSupplier compilationMillis) {
    this.least = least;
    this.nanoTime = nanoTime;
    this.compilationMillis = compilationMillis;
    began = nanoTime.getAsLong();
    roundBegan = began;
    compiledMillis = compilationMillis.getAsLong();
  }

  /**
   * How long it takes as a rule, for the estimates of steps.
   *
   * @param least how long at least
   * @return the usual time
   */
  public static Duration usual(Duration least) {
    return least.multipliedBy(3);
  }

  /** How long a round should take: a quarter of a second, or less if the warm-up may be shorter. */
  public Duration round() {
    return least.compareTo(ROUND) < 0 ? least : ROUND;
  }

  /** To be asked after each round of what is warmed up: returns whether it was the last one. */
  public boolean isOver() {
    long now = nanoTime.getAsLong();
    long compiled = compilationMillis.getAsLong();
    double busy = (double) TimeUnit.MILLISECONDS.toNanos(compiled - compiledMillis);
    quietRounds = busy <= QUIET * (now - roundBegan) ? quietRounds + 1 : 0;
    roundBegan = now;
    compiledMillis = compiled;
    long passed = now - began;
    return passed >= least.toNanos()
        && (quietRounds >= QUIET_ROUNDS || passed >= least.toNanos() * LEAST_TIMES_MAX);
  }
}
