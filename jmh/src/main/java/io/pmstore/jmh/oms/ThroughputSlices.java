package io.pmstore.jmh.oms;

import io.pmstore.core.engine.Uninterruptibles;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How fast a run was, in each of some slices of equal length of its time. A counter is looked at
 * every {@value #PERIOD_MILLIS} ms from the beginning on; between two looks it is taken to grow
 * evenly.
 */
final class ThroughputSlices implements AutoCloseable {
  private static final int PERIOD_MILLIS = 5;
  private static final double NANOS_PER_SECOND = 1e9;

  private final LongAdder done;
  private final long beganNanos = System.nanoTime();
  private final List<Look> looks = new ArrayList<>();
  private final Thread looking;

  /** The count up to a time. */
  record Look(long nanos, long count) {}

  /** Begins to look. */
  ThroughputSlices(LongAdder done) {
    this.done = done;
    looking = Thread.ofPlatform().daemon().name("throughput").start(this::look);
  }

  private void look() {
    try {
      while (true) {
        looks.add(new Look(System.nanoTime() - beganNanos, done.sum()));
        TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // and end
    }
  }

  /** Ends looking. */
  @Override
  public void close() {
    looking.interrupt();
    Uninterruptibles.join(looking);
  }

  /**
   * The throughput of each slice; to be called after {@link #close}.
   *
   * @param slices how many, at least 1
   * @param nanos how long the run took
   * @return counts a second, in the order of time; their mean is that of the run
   */
  List<Double> perSecond(int slices, long nanos) {
    return perSecond(looks, slices, new Look(nanos, done.sum()));
  }

  static List<Double> perSecond(List<Look> looks, int slices, Look end) {
    List<Double> samples = new ArrayList<>();
    double seconds = end.nanos / NANOS_PER_SECOND / slices;
    double before = 0;
    for (int slice = 1; slice <= slices; slice++) {
      double until = countAt(looks, (double) end.nanos * slice / slices, end);
      samples.add((until - before) / seconds);
      before = until;
    }
    return samples;
  }

  private static double countAt(List<Look> looks, double nanos, Look end) {
    Look before = new Look(0, 0);
    for (Look look : looks) {
      if (look.nanos >= nanos) {
        break;
      }
      before = look;
    }
    Look after = end;
    for (int i = looks.size() - 1; i >= 0 && looks.get(i).nanos >= nanos; i--) {
      if (looks.get(i).nanos < end.nanos) {
        after = looks.get(i);
      }
    }
    return after.nanos <= before.nanos
        ? after.count
        : before.count
            + (after.count - before.count) * (nanos - before.nanos) / (after.nanos - before.nanos);
  }
}
