package io.pmstore.model.page;

import io.pmstore.jmh.report.Block;
import io.pmstore.jmh.report.Numbers;
import io.pmstore.jmh.report.Page;
import io.pmstore.jmh.report.Section;
import io.pmstore.model.oms.OmsModel;
import io.pmstore.model.oms.OmsModel.Prediction;
import io.pmstore.model.oms.OmsRates.Rate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shows measured and predicted rates of the order management system. */
public final class OmsPage {
  private OmsPage() {}

  /** Writes {@code oms.html}, {@code oms.md} and the plot. */
  public static void write(OmsModel model, List<Rate> rates, String machine, Path directory)
      throws IOException {
    List<Prediction> predictions = model.compare();
    List<Block> blocks = new ArrayList<>();
    blocks.add(
        new Block.Text(
            "Both media are predicted from relaxed runs on persistent memory; the fit has seen no"
                + " durable run and no run on the file. What a barrier costs was measured with bare"
                + " records of as many threads, just before and after each run. On persistent"
                + " memory a relaxed commit pays the barrier too, so that prediction is nearly a"
                + " repetition; the file is the test. "
                + machine));
    LinePlot plot =
        new LinePlot("oms", "Reports a second, measured and predicted", "threads", "reports/s")
            .fromZero();
    for (boolean isPmem : List.of(true, false)) {
      List<Prediction> some =
          predictions.stream().filter(p -> p.setting().isPmem() == isPmem).toList();
      List<Double> threads = some.stream().map(p -> (double) p.setting().threads()).toList();
      String medium = isPmem ? "persistent memory" : "file";
      plot.line(
          medium + ", measured", threads, some.stream().map(Prediction::measured).toList(), false);
      plot.line(
          medium + ", predicted", threads, some.stream().map(Prediction::predicted).toList(), true);
    }
    blocks.add(plot.plot());
    blocks.add(
        new Block.Table(
            "Predicted; mean error %s, on the file %s"
                .formatted(
                    LookupPage.percent(meanError(predictions)),
                    LookupPage.percent(
                        meanError(
                            predictions.stream().filter(p -> !p.setting().isPmem()).toList()))),
            List.of("setting", "measured (reports/s)", "predicted", "error"),
            predictions.stream()
                .map(
                    p ->
                        List.of(
                            p.setting().label(),
                            Numbers.of(p.measured()),
                            Numbers.of(p.predicted()),
                            LookupPage.percent(p.error())))
                .toList()));
    blocks.add(
        new Block.Table(
            "All that was measured: medians of the runs, the slowest and the fastest, and the bare"
                + " costs beside them",
            List.of(
                "setting",
                "reports/s",
                "slowest",
                "fastest",
                "append (us)",
                "barrier (us)",
                "shared (us)",
                "hand-off (us)"),
            rates.stream()
                .map(
                    r ->
                        List.of(
                            r.setting().label(),
                            Numbers.of(r.perSecond()),
                            Numbers.of(r.least()),
                            Numbers.of(r.most()),
                            Numbers.of(r.appendNanos() / 1e3),
                            Numbers.of(r.barrierNanos() / 1e3),
                            Numbers.of(r.sharedNanos() / 1e3),
                            Numbers.of(r.handOffNanos() / 1e3)))
                .toList()));
    Page.write(
        "The order management system: measured and predicted",
        List.of(new Section("Reports a second", blocks)),
        directory,
        "oms");
  }

  public static double meanError(List<Prediction> predictions) {
    return predictions.stream().mapToDouble(Prediction::error).average().orElse(Double.NaN);
  }
}
