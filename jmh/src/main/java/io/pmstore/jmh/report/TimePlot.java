package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Measurement;
import java.awt.Color;
import java.util.List;
import java.util.stream.IntStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Throughput over the time of a run: each target's slices, and its mean as a dashed line. */
final class TimePlot {
  private static final double MILLIS_PER_SECOND = 1e3;

  private TimePlot() {}

  /**
   * Draws.
   *
   * @param runs throughput of different targets, a sample for each slice; at least one
   * @param sliceMillis how long a slice took
   */
  static Block.Plot of(String name, String title, List<Measurement> runs, double sliceMillis) {
    XYChart chart =
        ChartStyle.chart(title, "time (s)", "throughput (" + runs.getFirst().unit() + ")");
    XYStyler style = chart.getStyler();
    style.setYAxisTickLabelsFormattingFunction(Numbers::onAxis);
    style.setYAxisMin(0.0);
    style.setXAxisMin(0.0);
    int index = 0;
    for (Measurement run : runs) {
      add(chart, run, sliceMillis / MILLIS_PER_SECOND, index++);
    }
    return new Block.Plot(name, title, Drawing.of(chart));
  }

  private static void add(XYChart chart, Measurement run, double slice, int index) {
    String target = run.subject().target();
    Color colour = Palette.of(target, index);
    int count = run.samples().size();
    XYSeries line =
        chart.addSeries(
            Palette.label(target),
            IntStream.range(0, count).mapToObj(i -> (i + 0.5) * slice).toList(),
            run.samples());
    line.setLineColor(colour);
    line.setLineStyle(ChartStyle.solid());
    line.setMarker(SeriesMarkers.NONE);
    XYSeries mean =
        chart.addSeries(
            "mean " + Numbers.of(run.mean()) + " (" + target + ")",
            List.of(0.0, count * slice),
            List.of(run.mean(), run.mean()));
    mean.setLineColor(colour);
    mean.setLineStyle(ChartStyle.dashed());
    mean.setMarker(SeriesMarkers.NONE);
  }
}
