package io.pmstore.oms.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as a table for people. */
public final class ResultTable {
  private static final String[] HEADINGS = {
    "target",
    "medium",
    "durability",
    "threads",
    "ratio",
    "orders",
    "reports",
    "seconds",
    "reports/s",
    "p50 us",
    "p99 us",
    "disk MB",
    "log MB",
    "reopen ms"
  };
  private static final int TEXT_COLUMNS = 3;

  private ResultTable() {}

  /**
   * Formats the table.
   *
   * @param results its rows
   * @return the lines, the headings first
   */
  public static List<String> format(List<RunResult> results) {
    List<String[]> rows = new ArrayList<>();
    rows.add(HEADINGS);
    results.forEach(result -> rows.add(row(result)));
    int[] widths = new int[HEADINGS.length];
    for (String[] row : rows) {
      for (int i = 0; i < row.length; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.length; i++) {
        String padding = " ".repeat(widths[i] - row[i].length());
        line.append(i < TEXT_COLUMNS ? row[i] + padding : padding + row[i]).append("  ");
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static String[] row(RunResult result) {
    return new String[] {
      result.target(),
      result.medium(),
      result.durability(),
      Integer.toString(result.threads()),
      result.ratio(),
      number("%,d", result.orders()),
      number("%,d", result.reports()),
      number("%.2f", result.seconds()),
      number("%,.0f", result.reportsPerSecond()),
      number("%,.1f", result.p50Micros()),
      number("%,.1f", result.p99Micros()),
      number("%,.1f", result.disk().bytes() / 1e6),
      result.disk().redoLogBytes() < 0 ? "-" : number("%,.1f", result.disk().redoLogBytes() / 1e6),
      number("%,.1f", result.reopenMillis())
    };
  }

  private static String number(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }
}
