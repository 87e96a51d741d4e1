package io.pmstore.cli.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Rows of text in columns, as wide as they have to be. Not thread-safe. */
public final class Table {
  private final List<Boolean> right = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Makes a table.
   *
   * @param header the heads of the columns; one that starts with {@code >} is aligned on the right
   */
  public Table(String... header) {
    List<String> heads = new ArrayList<>();
    for (String head : header) {
      right.add(head.startsWith(">"));
      heads.add(head.startsWith(">") ? head.substring(1) : head);
    }
    rows.add(heads);
  }

  /** Adds a row. */
  public Table row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(Objects.toString(cell, ""));
    }
    rows.add(row);
    return this;
  }

  /** Returns true if there is no row but the header. */
  public boolean isEmpty() {
    return rows.size() == 1;
  }

  /** Returns the lines, the header first unless all of its heads are empty. */
  public List<String> lines() {
    int columns = right.size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], length(row.get(i)));
      }
    }
    boolean headed = rows.getFirst().stream().anyMatch(head -> !head.isEmpty());
    List<String> lines = new ArrayList<>();
    for (List<String> row : headed ? rows : rows.subList(1, rows.size())) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        String pad = " ".repeat(widths[i] - length(cell));
        line.append(i == 0 ? "" : "  ").append(right.get(i) ? pad + cell : cell + pad);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static int length(String cell) {
    return cell.codePointCount(0, cell.length());
  }
}
