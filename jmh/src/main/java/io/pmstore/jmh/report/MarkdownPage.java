package io.pmstore.jmh.report;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes sections as Markdown: the tables, but not their details, and links to the plots. */
final class MarkdownPage {
  private MarkdownPage() {}

  static String of(String title, List<Section> sections) {
    StringBuilder page = new StringBuilder("# " + escape(title) + "\n");
    for (Section section : sections) {
      String blocks =
          section.blocks().stream().map(MarkdownPage::block).collect(Collectors.joining());
      if (!blocks.isEmpty()) {
        page.append("\n## ").append(escape(section.title())).append('\n').append(blocks);
      }
    }
    return page.toString();
  }

  private static String block(Block block) {
    return switch (block) {
      case Block.Text(String text) -> "\n" + escape(text) + "\n";
      case Block.Plot plot -> "\n![" + escape(plot.caption()) + "](" + plot.file() + ")\n";
      case Block.Table table -> table.detail() ? "" : table(table);
    };
  }

  private static String table(Block.Table table) {
    return "\n**"
        + escape(table.caption())
        + "**\n\n"
        + row(table.header())
        + row(
            IntStream.range(0, table.header().size())
                .mapToObj(column -> table.isNumeric(column) ? "---:" : "---")
                .toList())
        + table.rows().stream().map(MarkdownPage::row).collect(Collectors.joining());
  }

  private static String row(List<String> cells) {
    return cells.stream()
        .map(MarkdownPage::escape)
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }

  /** Escapes what would be markup or would end the cell. */
  static String escape(String text) {
    return text.replaceAll("[\\r\\n]+", " ").replaceAll("([\\\\`*_\\[\\]<>|#])", "\\\\$1");
  }
}
