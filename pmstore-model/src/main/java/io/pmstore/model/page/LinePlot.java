package io.pmstore.model.page;

import io.pmstore.jmh.report.Block;
import io.pmstore.jmh.report.ChartStyle;
import io.pmstore.jmh.report.Drawing;
import io.pmstore.jmh.report.Numbers;
import io.pmstore.jmh.report.Palette;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.XYStyler;

/** A plot of lines over a number. Not thread-safe. */
public final class LinePlot {
  private static final double KIB = 1024;
  private static final int SPACING = 90; // pixels between labels

  private final String name;
  private final String title;
  private final XYChart chart;
  private int lines;
  private boolean sizes;

  /**
   * Begins a plot.
   *
   * @param name of its file, without folder and extension
   * @param x the title of the horizontal axis
   * @param y the title of the vertical axis
   */
  public LinePlot(String name, String title, String x, String y) {
    this.name = name;
    this.title = title;
    chart =
        new XYChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(ChartStyle.HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    XYStyler style = chart.getStyler();
    ChartStyle.apply(style, title);
    style.setLegendPosition(org.knowm.xchart.style.Styler.LegendPosition.OutsideS);
    style.setLegendLayout(org.knowm.xchart.style.Styler.LegendLayout.Vertical);
    style.setPlotGridVerticalLinesVisible(true);
    style.setYAxisTickLabelsFormattingFunction(Numbers::onAxis);
    style.setXAxisTickLabelsFormattingFunction(Numbers::onAxis);
  }

  /** Makes the horizontal axis one of sizes in bytes: each unit of it is twice as much. */
  public LinePlot overSizes() {
    sizes = true;
    chart.getStyler().setXAxisTickMarkSpacingHint(SPACING);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(
            power -> power % 1 == 0 ? size(Math.pow(2, power)) : "");
    return this;
  }

  /** Makes the vertical axis logarithmic. */
  public LinePlot logarithmic() {
    chart.getStyler().setYAxisLogarithmic(true);
    return this;
  }

  /** Makes the vertical axis begin at zero. */
  public LinePlot fromZero() {
    chart.getStyler().setYAxisMin(0.0);
    return this;
  }

  /** Adds a line; one without points is left out. */
  public LinePlot line(String label, List<Double> x, List<Double> y, boolean dashed) {
    if (x.isEmpty()) {
      return this;
    }
    XYSeries series = chart.addSeries(label, xs(x), new ArrayList<>(y));
    series.setLineColor(Palette.of(label, lines));
    series.setMarkerColor(Palette.of(label, lines));
    series.setLineStyle(dashed ? ChartStyle.dashed() : ChartStyle.solid());
    series.setMarker(ChartStyle.marker(lines++));
    return this;
  }

  private List<Double> xs(List<Double> x) {
    return sizes
        ? x.stream().map(bytes -> Math.log(bytes) / Math.log(2)).toList()
        : new ArrayList<>(x);
  }

  /** Returns the plot; it has a line at least. */
  public Block.Plot plot() {
    return new Block.Plot(name, title, Drawing.of(chart));
  }

  static String size(double bytes) {
    if (bytes >= KIB * KIB * KIB) {
      return String.format(Locale.ROOT, "%.0f GiB", bytes / KIB / KIB / KIB);
    }
    return bytes >= KIB * KIB
        ? String.format(Locale.ROOT, "%.0f MiB", bytes / KIB / KIB)
        : String.format(Locale.ROOT, "%.0f KiB", bytes / KIB);
  }
}
