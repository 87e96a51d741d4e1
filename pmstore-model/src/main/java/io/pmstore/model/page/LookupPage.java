package io.pmstore.model.page;

import io.pmstore.jmh.report.Block;
import io.pmstore.jmh.report.Numbers;
import io.pmstore.jmh.report.Page;
import io.pmstore.jmh.report.Section;
import io.pmstore.model.lookup.LookupExperiment.Row;
import io.pmstore.model.lookup.LookupModels;
import io.pmstore.model.lookup.LookupModels.Prediction;
import io.pmstore.model.profile.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Shows measured and predicted look-ups side by side. */
public final class LookupPage {
  private static final double PERCENT = 100;

  private LookupPage() {}

  /**
   * Writes {@code lookups.html}, {@code lookups.md} and the plots.
   *
   * @param rows all that the models know
   */
  public static void write(
      Profile profile, LookupModels models, List<Row> rows, String machine, Path directory)
      throws IOException {
    List<Prediction> predictions = models.predict();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Text(
            "As many look-ups of random keys as a map has, on the memory of the profile '%s'. %s"
                .formatted(profile.name(), machine)));
    List<Double> sizes = predictions.stream().map(p -> (double) p.size()).toList();
    blocks.add(
        new LinePlot("lookups", "Look-ups, measured and predicted", "look-ups", "s")
            .fromZero()
            .line("measured", sizes, all(predictions, Prediction::measured), false)
            .line("from counters", sizes, all(predictions, Prediction::fromCounters), true)
            .line("from the code", sizes, all(predictions, Prediction::fromCode), true)
            .plot());
    blocks.add(
        new LinePlot("lookup-time", "One look-up, measured and predicted", "look-ups", "ns")
            .fromZero()
            .line("measured", sizes, each(predictions, Prediction::measured), false)
            .line("from counters", sizes, each(predictions, Prediction::fromCounters), true)
            .line("from the code", sizes, each(predictions, Prediction::fromCode), true)
            .plot());
    blocks.add(errors(predictions));
    blocks.add(predictions(predictions));
    blocks.add(
        new Block.Text(
            "The processor's part of a look-up, from maps of %,d to %,d keys: %.0f ns, and %.0f ns for each line that it waits for."
                .formatted(
                    LookupModels.SMALL.getFirst(),
                    LookupModels.SMALL.getLast(),
                    models.processor().lookup(),
                    models.processor().line())));
    blocks.add(levels(rows));
    Page.write(
        "Look-ups in a hash map: two models",
        List.of(new Section("Measured and predicted", blocks)),
        directory,
        "lookups");
  }

  private static Block errors(List<Prediction> predictions) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "from counters, all sizes",
            percent(mean(predictions, Prediction::counterError)),
            "7.5 %"));
    rows.add(
        List.of(
            "from counters, sizes that the functions were not fitted with",
            percent(
                mean(
                    predictions.stream().filter(p -> !p.fitted()).toList(),
                    Prediction::counterError)),
            ""));
    rows.add(
        List.of(
            "from the code, all sizes",
            percent(mean(predictions, Prediction::codeError)),
            "10.8 %"));
    return new Block.Table(
        "Mean errors", List.of("model", "mean error", "the thesis' mean error"), rows);
  }

  private static Block predictions(List<Prediction> predictions) {
    return new Block.Table(
        "Measured and predicted",
        List.of(
            "look-ups",
            "measured (s)",
            "from counters (s)",
            "error",
            "from the code (s)",
            "error",
            "fitted"),
        predictions.stream()
            .map(
                p ->
                    List.of(
                        Numbers.of(p.size()),
                        seconds(p.measured()),
                        seconds(p.fromCounters()),
                        percent(p.counterError()),
                        seconds(p.fromCode()),
                        percent(p.codeError()),
                        p.fitted() ? "yes" : "no"))
            .toList());
  }

  private static Block levels(List<Row> rows) {
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows) {
      cells.add(
          List.of(
              Numbers.of(row.size()),
              Numbers.of(row.waits()),
              Numbers.of(row.nanos()),
              Numbers.of(row.meanNanos()),
              Numbers.of(row.memoryNanos()),
              row.probes().getLast().stream()
                  .map(
                      level ->
                          "%s %s: %s ns"
                              .formatted(
                                  level.name(),
                                  LinePlot.size(level.bytes()),
                                  Numbers.of(level.nanos())))
                  .collect(Collectors.joining("; "))));
    }
    return new Block.Table(
        "Each size: lines that a look-up waits for, its time, a read of the bare memory in turns"
            + " with it, the levels just after the last round",
        List.of("keys", "lines", "ns", "mean ns", "read ns", "levels"),
        cells);
  }

  /** The mean of a figure of all predictions. */
  public static double mean(List<Prediction> predictions, ToDoubleFunction<Prediction> of) {
    return predictions.stream().mapToDouble(of).average().orElse(Double.NaN);
  }

  private static List<Double> all(List<Prediction> predictions, ToDoubleFunction<Prediction> of) {
    return predictions.stream().mapToDouble(of).boxed().toList();
  }

  private static List<Double> each(List<Prediction> predictions, ToDoubleFunction<Prediction> of) {
    return predictions.stream()
        .mapToDouble(p -> of.applyAsDouble(p) / p.size() * 1e9)
        .boxed()
        .toList();
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }

  static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", PERCENT * part);
  }
}
