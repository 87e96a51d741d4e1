package io.pmstore.jmh.report;

import java.awt.Color;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.knowm.xchart.XYChart;

/**
 * A chart over categories 0, 1, ..., whose names stand under it, each in as many lines as it needs:
 * the chart's own labels would be left out, or cut, when they are long.
 */
record CategoryDrawing(XYChart chart, List<String> categories, String title) implements Drawing {
  private static final int LINES_MAX = 3;
  private static final int LINE = 18;
  private static final int NARROW = 72; // pixels, for long words
  private static final int GAP = 3;
  private static final Pattern BREAK = Pattern.compile("(?<=[- ])");

  @Override
  public int width() {
    return chart.getWidth();
  }

  @Override
  public int height() {
    return chart.getHeight() + (LINES_MAX + 1) * LINE;
  }

  @Override
  public void paint(Graphics2D graphics) {
    chart.paint(graphics, chart.getWidth(), chart.getHeight());
    graphics.setRenderingHint(
        RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
    graphics.setColor(Color.BLACK);
    double step = chart.getScreenXFromChart(1) - chart.getScreenXFromChart(0);
    graphics.setFont(step < NARROW ? ChartStyle.SMALL : ChartStyle.TEXT);
    FontMetrics metrics = graphics.getFontMetrics();
    int top = chart.getHeight();
    int lines = 1;
    for (int i = 0; i < categories.size(); i++) {
      List<String> name = wrapped(categories.get(i), metrics, step - GAP);
      lines = Math.max(lines, name.size());
      for (int line = 0; line < name.size(); line++) {
        centred(graphics, name.get(line), chart.getScreenXFromChart(i), top + line * LINE);
      }
    }
    graphics.setFont(ChartStyle.TEXT);
    double middle = chart.getScreenXFromChart((categories.size() - 1) / 2.0);
    centred(graphics, title, middle, top + lines * LINE + 2 * GAP);
  }

  private static void centred(Graphics2D graphics, String text, double x, int y) {
    int width = graphics.getFontMetrics().stringWidth(text);
    graphics.drawString(text, (float) (x - width / 2.0), y);
  }

  /** Breaks at blanks and behind hyphens, and within a word only where nothing else helps. */
  private static List<String> wrapped(String text, FontMetrics metrics, double width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : BREAK.splitAsStream(text).toList()) {
      if (!line.isEmpty() && metrics.stringWidth(line + word.strip()) > width) {
        lines.add(line.toString().strip());
        line.setLength(0);
      }
      for (int i = 0; i < word.length(); i++) {
        char c = word.charAt(i);
        if (!line.isEmpty() && metrics.stringWidth((line.toString() + c).strip()) > width) {
          lines.add(line.toString());
          line.setLength(0);
        }
        line.append(c);
      }
    }
    lines.add(line.toString().strip());
    return lines;
  }
}
