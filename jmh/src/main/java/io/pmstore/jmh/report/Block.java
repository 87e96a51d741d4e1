package io.pmstore.jmh.report;

import java.util.List;
import java.util.regex.Pattern;

/** A part of a section. */
public sealed interface Block {
  /**
   * A paragraph.
   *
   * @param text plain, not escaped
   */
  record Text(String text) implements Block {}

  /**
   * A table, left out where it has no rows.
   *
   * @param caption what it shows
   * @param header titles of the columns
   * @param rows as many cells in each as there are titles
   * @param detail whether it is for who looks closer: folded in HTML, left out in Markdown
   */
  record Table(String caption, List<String> header, List<List<String>> rows, boolean detail)
      implements Block {
    private static final String NONE = "not measured";
    private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d,.e+-]*( \\[.*]| x| to .*)?");

    /** Copies the cells. */
    public Table {
      header = List.copyOf(header);
      rows = List.copyOf(rows);
      for (List<String> row : rows) {
        if (row.size() != header.size()) {
          throw new IllegalArgumentException(caption + ": " + row + " under " + header);
        }
      }
    }

    /** Returns true if every cell of a column is a number, is empty or says that there is none. */
    boolean isNumeric(int column) {
      return rows.stream()
              .map(row -> row.get(column))
              .allMatch(
                  cell -> cell.isEmpty() || cell.equals(NONE) || NUMBER.matcher(cell).matches())
          && rows.stream().anyMatch(row -> NUMBER.matcher(row.get(column)).matches());
    }

    /** A table that is no detail. */
    public Table(String caption, List<String> header, List<List<String>> rows) {
      this(caption, header, rows, false);
    }
  }

  /**
   * A plot.
   *
   * @param name of its file, without folder and extension
   * @param caption what it shows, for who cannot see it too
   * @param drawing the plot itself
   */
  record Plot(String name, String caption, Drawing drawing) implements Block {
    /** Where it is, seen from the report. */
    String file() {
      return "plots/" + name + ".png";
    }
  }
}
