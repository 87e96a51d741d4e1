package io.pmstore.jmh.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.report.CategoryPlot.Kind;
import io.pmstore.jmh.results.ConfidenceInterval;
import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Subject;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Plots show the values: measured in pixels. */
final class PlotTest {
  @BeforeAll
  static void withoutAScreen() {
    System.setProperty("java.awt.headless", "true");
  }

  private static Point point(String category, String series, double value) {
    return new Point(category, series, value, Optional.empty());
  }

  private static BufferedImage drawn(Drawing drawing) {
    BufferedImage picture =
        new BufferedImage(drawing.width(), drawing.height(), BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = picture.createGraphics();
    drawing.paint(graphics);
    graphics.dispose();
    return picture;
  }

  private static BufferedImage bars(Point... points) {
    return drawn(CategoryPlot.of(Kind.BARS, "x", "title", "x", "y", List.of(points)).drawing());
  }

  /** The longest vertical line of a colour. */
  private static int height(BufferedImage picture, Color colour) {
    int longest = 0;
    for (int x = 0; x < picture.getWidth(); x++) {
      int run = 0;
      for (int y = 0; y < picture.getHeight(); y++) {
        run = picture.getRGB(x, y) == colour.getRGB() ? run + 1 : 0;
        longest = Math.max(longest, run);
      }
    }
    return longest;
  }

  @Test
  void barsAreAsHighAsTheirValues() {
    BufferedImage picture = bars(point("a", "pmstore", 10), point("a", "sqlite", 20));
    double one = height(picture, Palette.of("pmstore", 0));
    assertEquals(2, height(picture, Palette.of("sqlite", 0)) / one, 0.05);
    assertTrue(one > 100, "pixels: " + one);
  }

  @Test
  void valuesThatAreFarFromEachOtherAreOnALogarithmicAxis() {
    BufferedImage picture = bars(point("a", "pmstore", 10), point("a", "sqlite", 1000));
    double twoDecades =
        height(picture, Palette.of("sqlite", 0)) - height(picture, Palette.of("pmstore", 0));
    assertEquals(2, twoDecades / height(picture, Palette.of("pmstore", 0)), 0.1);
    assertTrue(ChartStyle.logarithmic(1, 31) && !ChartStyle.logarithmic(1, 30));
    assertTrue(!ChartStyle.logarithmic(0, 100));
  }

  @Test
  void errorBarsGoFromOneEndOfTheIntervalToTheOther() {
    BufferedImage picture =
        bars(
            new Point("a", "pmstore", 10, Optional.of(new ConfidenceInterval(9, 14))),
            point("a", "sqlite", 10));
    double ten = height(picture, Palette.of("sqlite", 0));
    assertEquals(0.5, height(picture, Color.DARK_GRAY) / ten, 0.02);
  }

  @Test
  void aCurveGoesThroughItsPercentiles() {
    Subject subject = new Subject("oms", "ratio 6", "pmstore", "file", "sync", 1, 0);
    LatencyCurve curve =
        new LatencyCurve(
            subject,
            List.of(
                new LatencyCurve.Point(0, 10),
                new LatencyCurve.Point(99, 10.0001),
                new LatencyCurve.Point(99.9, 1000),
                new LatencyCurve.Point(100, 5000)));
    int upTo99 =
        height(
            drawn(LatencyPlot.of("x", "title", List.of(curve)).drawing()),
            Palette.of("pmstore", 0));
    assertEquals(0.4 * 340, upTo99, 30, "two of five steps, of some 340 pixels");
  }
}
