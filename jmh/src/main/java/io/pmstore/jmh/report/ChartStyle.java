package io.pmstore.jmh.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** What all plots have in common. */
public final class ChartStyle {
  /** The width of a plot, in pixels as shown. */
  public static final int WIDTH = 840; // pixels, as shown

  /** The height of a plot, in pixels as shown. */
  public static final int HEIGHT = 420;

  static final int COMPACT_WIDTH = 600;
  static final int COMPACT_HEIGHT = 300;
  static final float LINE = 2.2f;

  /** For a value of {@link #logarithmic}: smaller differences are seen on a linear axis too. */
  private static final double SPREAD_MAX = 30;

  private static final int LONG_TITLE = 60; // characters
  private static final Color GRID = new Color(0xDDDDDD);
  private static final List<Marker> MARKERS =
      List.of(
          SeriesMarkers.CIRCLE,
          SeriesMarkers.SQUARE,
          SeriesMarkers.DIAMOND,
          SeriesMarkers.TRIANGLE_UP,
          SeriesMarkers.TRIANGLE_DOWN,
          SeriesMarkers.CROSS,
          SeriesMarkers.PLUS);

  static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 15);

  /** Where there is little room; no smaller, to be legible. */
  static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 13);

  private ChartStyle() {}

  /** Gives a chart the fonts, colours and grid that all plots have. */
  public static void apply(AxesChartStyler style, String title) {
    int size = title.length() > LONG_TITLE ? 13 : 16;
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, size));
    style.setLegendFont(TEXT);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBackgroundColor(Color.WHITE);
    style.setChartTitleBoxVisible(false);
    style.setLegendPosition(Styler.LegendPosition.OutsideE);
    style.setLegendBorderColor(Color.WHITE);
    style.setChartPadding(12);
    style.setMarkerSize(8);
    style.setAxisTitleFont(TEXT);
    style.setAxisTickLabelsFont(TEXT);
    style.setPlotGridLinesColor(GRID);
    style.setPlotGridLinesStroke(new BasicStroke(1));
    style.setPlotBorderVisible(false);
    style.setErrorBarsColor(Color.DARK_GRAY);
    style.setPlotGridVerticalLinesVisible(false);
  }

  /** Returns an empty chart of the size that plots have, in their style. */
  static XYChart chart(String title, String xTitle, String yTitle) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(title)
            .xAxisTitle(xTitle)
            .yAxisTitle(yTitle)
            .build();
    apply(chart.getStyler(), title);
    return chart;
  }

  /** A line. */
  public static BasicStroke solid() {
    return new BasicStroke(LINE, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND);
  }

  /** A line of dashes. */
  public static BasicStroke dashed() {
    return new BasicStroke(
        LINE, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10, new float[] {7, 5}, 0);
  }

  /** Dashes for the bare limits, which are no stores. */
  static BasicStroke stroke(String series) {
    return Palette.isLimit(series) ? dashed() : solid();
  }

  /** The marker of a series, by its place among the others. */
  public static Marker marker(int index) {
    return MARKERS.get(index % MARKERS.size());
  }

  /** Returns true if values need a logarithmic axis, which shows positive values only. */
  static boolean logarithmic(double min, double max) {
    return min > 0 && max / min > SPREAD_MAX;
  }

  /** The power of ten at or below a value. */
  static double decadeBelow(double value) {
    return Math.pow(10, Math.floor(Math.log10(value)));
  }

  /** The power of ten at or above a value. */
  static double decadeAbove(double value) {
    return Math.pow(10, Math.ceil(Math.log10(value)));
  }
}
