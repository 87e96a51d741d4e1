package io.pmstore.oms.run;

import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.targets.OmsService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Applies a flow to a service: one thread for each part, all starting together. */
public final class FlowRunner {
  /** Latencies above are counted as this; the histograms need a bound. */
  private static final long LATENCY_MAX_NANOS = Duration.ofMinutes(10).toNanos();

  private static final int SIGNIFICANT_DIGITS = 3;

  private FlowRunner() {}

  /**
   * What a run measured.
   *
   * @param nanos from the common start to the end of the last thread
   * @param latencies nanoseconds from the start of a call to its return, of every report
   */
  public record Measurement(long nanos, Histogram latencies) {}

  /**
   * Applies the parts of a flow.
   *
   * @param service where to
   * @param parts one list of reports for each thread, the reports of one order in one of them
   * @param limit ends the run early; null to apply everything
   * @param done counts the reports
   * @param acknowledgements gets each report when the service has acknowledged it; the thread that
   *     applied the report calls it
   * @throws InterruptedException if the calling thread is interrupted; the run is ended first
   */
  public static Measurement run(
      OmsService service,
      List<List<FlowEvent>> parts,
      @Nullable Duration limit,
      LongAdder done,
      Consumer<FlowEvent> acknowledgements)
      throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    long deadlineNanos = limit == null ? Long.MAX_VALUE : limit.toNanos();
    List<Worker> workers = new ArrayList<>();
    for (List<FlowEvent> part : parts) {
      Worker worker =
          new Worker(service, part, deadlineNanos, start, failure, done, acknowledgements);
      workers.add(worker);
      worker.thread.start();
    }
    long begin = System.nanoTime();
    start.countDown();
    Histogram latencies = new Histogram(LATENCY_MAX_NANOS, SIGNIFICANT_DIGITS);
    try {
      for (Worker worker : workers) {
        worker.thread.join();
      }
    } catch (InterruptedException e) {
      failure.compareAndSet(null, e);
      throw e;
    }
    long nanos = System.nanoTime() - begin;
    Throwable failed = failure.get();
    if (failed != null) {
      throw new IllegalStateException(
          "a report could not be applied: " + failed.getMessage(), failed);
    }
    workers.forEach(worker -> latencies.add(worker.latencies));
    return new Measurement(nanos, latencies);
  }

  private static final class Worker {
    private final Histogram latencies = new Histogram(LATENCY_MAX_NANOS, SIGNIFICANT_DIGITS);
    private final Thread thread;

    Worker(
        OmsService service,
        List<FlowEvent> part,
        long deadlineNanos,
        CountDownLatch start,
        AtomicReference<@Nullable Throwable> failure,
        LongAdder done,
        Consumer<FlowEvent> acknowledgements) {
      thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  long begin = System.nanoTime();
                  long now = begin;
                  for (FlowEvent event : part) {
                    if (failure.get() != null || now - begin >= deadlineNanos) {
                      return;
                    }
                    long before = System.nanoTime();
                    service.apply(event);
                    now = System.nanoTime();
                    latencies.recordValue(Math.min(now - before, LATENCY_MAX_NANOS));
                    done.increment();
                    acknowledgements.accept(event);
                  }
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              },
              "oms");
    }
  }
}
