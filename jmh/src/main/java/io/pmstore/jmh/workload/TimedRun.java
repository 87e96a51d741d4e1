package io.pmstore.jmh.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Runs workers for a time that is cut into slices: each slice gives a sample of the throughput. The
 * next operation of a thread begins when the last one has returned, so a latency has no waiting for
 * a turn in it that a queue of requests would add.
 *
 * @param duration of the whole run
 * @param slices into how many equal parts it is cut, at least 1
 */
public record TimedRun(Duration duration, int slices) {
  private static final long LATENCY_MAX_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final int SIGNIFICANT_DIGITS = 3;
  private static final double NANOS_PER_SECOND = 1e9;

  /**
   * Runs the workers until they are warm, then as {@link #run} does.
   *
   * @param warmUp how long a {@link WarmUp} takes at least; zero for none
   * @param workers at least one
   * @param kinds the names of the kinds of operations
   * @throws IllegalStateException if an operation failed; its exception is the cause
   * @throws InterruptedException if the calling thread is interrupted; the run is ended first
   */
  public RunFigures runWarm(Duration warmUp, List<? extends Worker> workers, List<String> kinds)
      throws InterruptedException {
    warm(warmUp, workers, kinds);
    return run(workers, kinds);
  }

  /**
   * Runs the workers until they are warm.
   *
   * @param warmUp how long a {@link WarmUp} takes at least; zero for none
   * @param workers at least one
   * @param kinds the names of the kinds of operations
   * @throws IllegalStateException if an operation failed; its exception is the cause
   * @throws InterruptedException if the calling thread is interrupted; the run is ended first
   */
  public void warm(Duration warmUp, List<? extends Worker> workers, List<String> kinds)
      throws InterruptedException {
    if (!warmUp.isPositive()) {
      return;
    }
    WarmUp warming = new WarmUp(warmUp);
    TimedRun round = new TimedRun(warming.round(), 1);
    do {
      round.run(workers, kinds);
    } while (!warming.isOver());
  }

  /**
   * Runs, each worker on a thread of its own, all starting together.
   *
   * @param workers at least one
   * @param kinds the names of the kinds of operations
   * @throws IllegalStateException if an operation failed; its exception is the cause
   * @throws InterruptedException if the calling thread is interrupted; the run is ended first
   */
  public RunFigures run(List<? extends Worker> workers, List<String> kinds)
      throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    List<Lane> lanes = new ArrayList<>();
    for (Worker worker : workers) {
      Lane lane = new Lane(worker, kinds.size(), start, failure);
      lanes.add(lane);
      lane.thread.start();
    }
    start.countDown();
    try {
      for (Lane lane : lanes) {
        lane.thread.join();
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException("an operation failed: " + failed, failed);
    }
    return figures(lanes, kinds);
  }

  private RunFigures figures(List<Lane> lanes, List<String> kinds) {
    List<Double> throughput = new ArrayList<>();
    double sliceSeconds = duration.toNanos() / NANOS_PER_SECOND / slices;
    for (int slice = 0; slice < slices; slice++) {
      long done = 0;
      for (Lane lane : lanes) {
        done += lane.doneInSlice[slice];
      }
      throughput.add(done / sliceSeconds);
    }
    List<RunFigures.KindFigures> latencies = new ArrayList<>();
    for (int kind = 0; kind < kinds.size(); kind++) {
      Histogram all = newHistogram();
      for (Lane lane : lanes) {
        all.add(lane.latencies[kind]);
      }
      latencies.add(new RunFigures.KindFigures(kinds.get(kind), all));
    }
    return new RunFigures(throughput, latencies);
  }

  private static Histogram newHistogram() {
    return new Histogram(LATENCY_MAX_NANOS, SIGNIFICANT_DIGITS);
  }

  /** A worker and its thread. */
  private final class Lane {
    private final Histogram[] latencies;
    private final long[] doneInSlice = new long[slices];
    private final Thread thread;

    Lane(
        Worker worker,
        int kinds,
        CountDownLatch start,
        AtomicReference<@Nullable Throwable> failure) {
      latencies = new Histogram[kinds];
      for (int kind = 0; kind < kinds; kind++) {
        latencies[kind] = newHistogram();
      }
      thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  work(worker, failure);
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              },
              "workload");
    }

    private void work(Worker worker, AtomicReference<@Nullable Throwable> failure)
        throws Exception {
      long total = duration.toNanos();
      long begin = System.nanoTime();
      long passed = 0;
      while (passed < total && failure.get() == null) {
        int kind = worker.prepare();
        long before = System.nanoTime();
        worker.perform();
        long after = System.nanoTime();
        latencies[kind].recordValue(Math.min(after - before, LATENCY_MAX_NANOS));
        if (after - before >= LongOperation.LEAST_NANOS) {
          LongOperation.ended(after - before);
        }
        passed = after - begin;
        if (passed < total) {
          doneInSlice[(int) (passed * slices / total)]++;
        }
      }
    }
  }
}
