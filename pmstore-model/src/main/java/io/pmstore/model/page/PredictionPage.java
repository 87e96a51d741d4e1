package io.pmstore.model.page;

import io.pmstore.jmh.report.Block;
import io.pmstore.jmh.report.Numbers;
import io.pmstore.jmh.report.Page;
import io.pmstore.jmh.report.Section;
import io.pmstore.model.predict.Prediction;
import io.pmstore.model.predict.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows predictions of a workload on some profiles. */
public final class PredictionPage {
  private static final double NANOS_PER_MICRO = 1e3;

  private PredictionPage() {}

  /**
   * Writes {@code prediction.html}, {@code prediction.md} and the plots.
   *
   * @param predictions by profile, over threads
   */
  public static void write(
      Workload workload, Map<String, List<Prediction>> predictions, Path directory)
      throws IOException {
    LinePlot throughput =
        new LinePlot(
                "prediction-throughput",
                "Throughput of %s, predicted".formatted(workload.name()),
                "threads",
                workload.unit() + "/s")
            .fromZero();
    LinePlot latency =
        new LinePlot(
                "prediction-latency",
                "Latency of %s, predicted".formatted(workload.name()),
                "threads",
                "us")
            .fromZero();
    List<List<String>> rows = new ArrayList<>();
    predictions.forEach(
        (profile, all) -> {
          List<Double> threads = all.stream().map(p -> (double) p.threads()).toList();
          throughput.line(
              profile, threads, all.stream().map(Prediction::perSecond).toList(), false);
          latency.line(
              profile,
              threads,
              all.stream().map(p -> p.latencyNanos() / NANOS_PER_MICRO).toList(),
              false);
          all.forEach(p -> rows.add(row(p)));
        });
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Text(
            "The processor is taken to be the one on which the workload was observed: %s."
                .formatted(workload.observedOn())));
    blocks.add(throughput.plot());
    blocks.add(latency.plot());
    blocks.add(
        new Block.Table(
            "Predicted, with what the figures' intervals and the model's own error allow",
            List.of(
                "profile",
                "threads",
                workload.unit() + "/s",
                "from",
                "to",
                "latency (us)",
                "processor (us)",
                "waiting for lines (us)",
                "moving (us)",
                "barrier (us)",
                "bound by"),
            rows));
    Page.write(
        "Prediction: " + workload.name(),
        List.of(new Section("Throughput and latency", blocks)),
        directory,
        "prediction");
  }

  /** The cells of a prediction. */
  public static List<String> row(Prediction p) {
    return List.of(
        p.profile(),
        Integer.toString(p.threads()),
        Numbers.of(p.perSecond()),
        Numbers.of(p.low()),
        Numbers.of(p.high()),
        micros(p.latencyNanos()),
        micros(p.processorNanos()),
        micros(p.waitingNanos()),
        micros(p.movingNanos()),
        micros(p.barrierNanos()),
        p.limit().name().toLowerCase(Locale.ROOT));
  }

  private static String micros(double nanos) {
    return Numbers.of(nanos / NANOS_PER_MICRO);
  }
}
