package io.pmstore.jmh.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Bars, or lines, over categories, with their confidence intervals as error bars.
 *
 * <p>Everything is drawn at numbers of an XY chart: category charts draw error bars wrongly on
 * logarithmic axes, and only with two equal sides.
 */
final class CategoryPlot {
  private static final double FILLED = 0.84; // how much of a category its bars take
  private static final double CAP = 0.008; // half the width of an error bar's end, of the whole

  private static final double BELOW = 0.005; // the axis goes on, as it has no label at its end

  /** How series are drawn. Above bars, a limit is a line as wide as its category. */
  enum Kind {
    BARS,
    LINES
  }

  private final XYChart chart;
  private final Kind kind;
  private final List<Point> points;
  private final List<String> categories;
  private final List<String> bars;
  private double bottom;

  private CategoryPlot(XYChart chart, Kind kind, List<Point> points) {
    this.chart = chart;
    this.kind = kind;
    this.points = points;
    categories = distinct(points, Point::category);
    bars = distinct(points, Point::series).stream().filter(s -> !Palette.isLimit(s)).toList();
  }

  /**
   * Draws.
   *
   * @param kind bars or lines
   * @param xTitle what categories are
   * @param yTitle what values are, with their unit
   * @param points at least one; categories and series stand in the order in which they come first
   */
  static Block.Plot of(
      Kind kind, String name, String title, String xTitle, String yTitle, List<Point> points) {
    return of(kind, name, title, xTitle, yTitle, points, ChartStyle.WIDTH, ChartStyle.HEIGHT);
  }

  /**
   * Draws bars in a picture that a phone can show whole.
   *
   * @param yTitle what values are, with their unit
   * @param points at least one; categories and series stand in the order in which they come first
   */
  static Block.Plot compact(String name, String title, String yTitle, List<Point> points) {
    return of(
        Kind.BARS,
        name,
        title,
        "",
        yTitle,
        points,
        ChartStyle.COMPACT_WIDTH,
        ChartStyle.COMPACT_HEIGHT);
  }

  private static Block.Plot of(
      Kind kind,
      String name,
      String title,
      String xTitle,
      String yTitle,
      List<Point> points,
      int width,
      int height) {
    XYChart chart =
        new XYChartBuilder().width(width).height(height).title(title).yAxisTitle(yTitle).build();
    CategoryPlot plot = new CategoryPlot(chart, kind, firsts(points));
    plot.axes(chart.getStyler());
    List<String> series = distinct(points, Point::series);
    for (int i = 0; i < series.size(); i++) {
      plot.series(series.get(i), i);
    }
    plot.points.forEach(plot::interval);
    return new Block.Plot(name, title, new CategoryDrawing(chart, plot.categories, xTitle));
  }

  /** Of each series, one point in each category. */
  private static List<Point> firsts(List<Point> points) {
    return Figures.grouped(points, point -> List.of(point.category(), point.series()))
        .values()
        .stream()
        .map(List::getFirst)
        .toList();
  }

  private static List<String> distinct(List<Point> points, Function<Point, String> property) {
    return points.stream().map(property).distinct().toList();
  }

  private void axes(XYStyler style) {
    ChartStyle.apply(style, chart.getTitle());
    style.setXAxisTicksVisible(false);
    style.setXAxisTitleVisible(false);
    style.setXAxisMin(-0.5);
    style.setXAxisMax(categories.size() - 0.5);
    style.setPlotContentSize(1);
    style.setYAxisTickLabelsFormattingFunction(Numbers::onAxis);
    DoubleSummaryStatistics values =
        points.stream().flatMapToDouble(CategoryPlot::ends).summaryStatistics();
    if (ChartStyle.logarithmic(values.getMin(), values.getMax())) {
      style.setYAxisLogarithmic(true);
      bottom = ChartStyle.decadeBelow(values.getMin() * 0.9);
      style.setYAxisMin(bottom * (1 - 10 * BELOW));
      style.setYAxisMax(ChartStyle.decadeAbove(values.getMax() * 1.1));
    } else {
      style.setYAxisMin(-BELOW * values.getMax());
      style.setYAxisMax(values.getMax() * 1.1);
    }
  }

  private static DoubleStream ends(Point point) {
    return DoubleStream.concat(
        DoubleStream.of(point.value()),
        point.interval().stream().flatMapToDouble(i -> DoubleStream.of(i.low(), i.high())));
  }

  private double barWidth() {
    return FILLED / bars.size();
  }

  /** Where a value stands: in the middle of its bar, or of its category. */
  private double x(Point point) {
    int category = categories.indexOf(point.category());
    return kind == Kind.LINES || Palette.isLimit(point.series())
        ? category
        : category + (bars.indexOf(point.series()) + 0.5) * barWidth() - FILLED / 2;
  }

  private void series(String name, int index) {
    List<Point> all = points.stream().filter(point -> point.series().equals(name)).toList();
    Color colour = Palette.of(name, index);
    if (kind == Kind.LINES) {
      XYSeries line =
          chart.addSeries(
              Palette.label(name),
              all.stream().map(this::x).toList(),
              all.stream().map(Point::value).toList());
      line.setLineColor(colour);
      line.setLineStyle(ChartStyle.stroke(name));
      line.setMarker(ChartStyle.marker(index));
      line.setMarkerColor(colour);
    } else {
      for (Point point : all) {
        boolean first = point.equals(all.getFirst()); // the one that the legend shows
        String label = Palette.label(name) + (first ? "" : " in " + point.category());
        XYSeries drawn = Palette.isLimit(name) ? ceiling(label, point) : bar(label, point);
        drawn.setLineColor(Palette.isLimit(name) ? colour : Color.WHITE);
        drawn.setFillColor(colour);
        drawn.setMarker(SeriesMarkers.NONE);
        drawn.setShowInLegend(first);
      }
    }
  }

  private XYSeries ceiling(String label, Point point) {
    XYSeries line =
        chart.addSeries(
            label,
            new double[] {x(point) - FILLED / 2, x(point) + FILLED / 2},
            new double[] {point.value(), point.value()});
    line.setLineStyle(ChartStyle.stroke(point.series()));
    return line;
  }

  private XYSeries bar(String label, Point point) {
    double left = x(point) - barWidth() / 2;
    double right = x(point) + barWidth() / 2;
    XYSeries bar =
        chart.addSeries(
            label,
            new double[] {left, left, right, right},
            new double[] {bottom, point.value(), point.value(), bottom});
    bar.setXYSeriesRenderStyle(XYSeriesRenderStyle.PolygonArea);
    bar.setLineStyle(new BasicStroke(1));
    return bar;
  }

  /** An error bar: from the lower end to the upper, with a cap on each. */
  private void interval(Point point) {
    point
        .interval()
        .ifPresent(
            i -> {
              double x = x(point);
              double cap = CAP * categories.size();
              List<Double> xs = new ArrayList<>(List.of(x - cap, x + cap, x, x, x - cap, x + cap));
              List<Double> ys = List.of(i.low(), i.low(), i.low(), i.high(), i.high(), i.high());
              XYSeries line =
                  chart.addSeries(
                      "interval of " + point.series() + " in " + point.category(), xs, ys);
              line.setLineColor(Color.DARK_GRAY);
              line.setLineStyle(new BasicStroke(1.4f));
              line.setMarker(SeriesMarkers.NONE);
              line.setShowInLegend(false);
            });
  }
}
