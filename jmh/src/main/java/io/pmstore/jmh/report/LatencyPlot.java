package io.pmstore.jmh.report;

import io.pmstore.jmh.results.LatencyCurve;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * How many operations took at most how long. Each step up leaves a tenth of the operations: 90, 99,
 * 99.9 %, ..., so that the slowest, which matter most, are seen best.
 */
final class LatencyPlot {
  private static final double NINES_MAX = 5; // 99.999 %; behind it are single operations

  private LatencyPlot() {}

  /**
   * Draws.
   *
   * @param curves of different targets; at least one
   */
  static Block.Plot of(String name, String title, List<LatencyCurve> curves) {
    XYChart chart = ChartStyle.chart(title, "latency (us)", "operations at most as slow (%)");
    XYStyler style = chart.getStyler();
    style.setPlotGridVerticalLinesVisible(true);
    style.setXAxisLogarithmic(true);
    style.setXAxisTickLabelsFormattingFunction(Numbers::onAxis);
    style.setYAxisTickLabelsFormattingFunction(LatencyPlot::percentile);
    style.setYAxisMin(0.0);
    style.setYAxisMax(NINES_MAX);
    style.setYAxisTickMarkSpacingHint(60);
    int index = 0;
    for (LatencyCurve curve : curves) {
      add(chart, curve, index++);
    }
    return new Block.Plot(name, title, Drawing.of(chart));
  }

  private static void add(XYChart chart, LatencyCurve curve, int index) {
    String target = curve.subject().target();
    List<Double> micros = new ArrayList<>();
    List<Double> nines = new ArrayList<>();
    for (LatencyCurve.Point point : curve.points()) {
      double nine = -Math.log10(1 - point.percentile() / 100);
      if (nine <= NINES_MAX && point.micros() > 0) {
        micros.add(point.micros());
        nines.add(nine);
      }
    }
    if (micros.isEmpty()) {
      return;
    }
    XYSeries series = chart.addSeries(Palette.label(target), micros, nines);
    series.setLineColor(Palette.of(target, index));
    series.setLineStyle(ChartStyle.solid());
    series.setMarker(SeriesMarkers.NONE);
  }

  /** 0, 90, 99, 99.9, ... */
  private static String percentile(double nines) {
    double percent = 100 * (1 - Math.pow(10, -nines));
    return java.math.BigDecimal.valueOf(percent)
        .setScale(
            Math.max(0, (int) Math.ceil(nines) - 2 + (nines % 1 == 0 ? 0 : 1)),
            java.math.RoundingMode.HALF_UP)
        .toPlainString();
  }
}
