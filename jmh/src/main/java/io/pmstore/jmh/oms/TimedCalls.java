package io.pmstore.jmh.oms;

import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.domain.OrderSnapshot;
import io.pmstore.oms.flow.FlowEvent;
import io.pmstore.oms.flow.FlowSettings;
import io.pmstore.oms.flow.FlowSource;
import io.pmstore.oms.run.FlowRunner;
import io.pmstore.oms.targets.ContentVisitor;
import io.pmstore.oms.targets.OmsService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/**
 * The same call again and again, for some time, on some threads; timed as {@link FlowRunner} times
 * reports.
 */
final class TimedCalls {
  private final Effort effort;
  private final int threads;
  private final List<Double> perSecond = new ArrayList<>();
  private final Histogram latencies = new Histogram(3);
  private final List<Histogram> runs = new ArrayList<>();

  TimedCalls(Effort effort, int threads) {
    this.effort = effort;
    this.threads = threads;
  }

  /**
   * Warms up and measures, as often as there are repetitions.
   *
   * @param call what is timed; called by all threads
   */
  void run(Runnable call) throws IOException, InterruptedException {
    FlowEvent any =
        FlowSource.generate(new FlowSettings(1, 0, 1), null, reports -> {}).events().getFirst();
    // So long that the time ends it.
    List<FlowEvent> part = Collections.nCopies(Integer.MAX_VALUE, any);
    List<List<FlowEvent>> parts = Collections.nCopies(threads, part);
    Caller caller = new Caller(call);
    FlowRunner.run(caller, parts, effort.warmUp(), new LongAdder(), event -> {});
    for (int i = 0; i < effort.repetitions(); i++) {
      LongAdder done = new LongAdder();
      FlowRunner.Measurement measured;
      ThroughputSlices slices = new ThroughputSlices(done);
      try (slices) {
        measured = FlowRunner.run(caller, parts, effort.run(), done, event -> {});
      }
      perSecond.addAll(slices.perSecond(effort.slices(), measured.nanos()));
      latencies.add(measured.latencies());
      runs.add(measured.latencies());
    }
  }

  /**
   * Keeps the figures: throughput, with a sample for each slice of a run's time, percentiles and
   * the distribution of the latencies.
   */
  void record(StepContext context, Subject subject, String unit) {
    context.record(new Measurement(subject, "throughput", unit, perSecond));
    for (String percentile : Figures.percentiles(latencies).keySet()) {
      context.record(
          new Measurement(
              subject,
              percentile,
              "us",
              runs.stream().map(run -> Figures.percentiles(run).get(percentile)).toList()));
    }
    context.record(LatencyCurve.of(subject, latencies));
  }

  /** Takes a report for a call. */
  private record Caller(Runnable call) implements OmsService {
    @Override
    public void insert(FlowEvent.NewOrder order) {
      call.run();
    }

    @Override
    public void update(FlowEvent.Update update) {
      call.run();
    }

    @Override
    public OrderSnapshot find(long orderId) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void scan(ContentVisitor visitor) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      // It has nothing.
    }
  }
}
