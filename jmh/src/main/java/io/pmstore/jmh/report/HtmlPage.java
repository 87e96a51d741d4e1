package io.pmstore.jmh.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Writes sections as one page of XHTML with nothing outside. */
final class HtmlPage {
  private static final String STYLE =
      """
      body { font: 16px/1.5 sans-serif; color: #1a1a1a; background: #fff; max-width: 900px; margin: 0 auto; padding: 12px 16px 48px; }
      h1 { font-size: 26px; line-height: 1.25; }
      h2 { font-size: 21px; margin: 40px 0 8px; border-bottom: 2px solid #0072b2; }
      nav a { margin-right: 14px; white-space: nowrap; }
      figure { margin: 20px 0; }
      figcaption, summary { font-weight: bold; margin-bottom: 4px; }
      .wide { overflow-x: auto; }
      img { height: auto; display: block; }
      img.compact { max-width: 100%; }
      table { border-collapse: collapse; font-size: 14px; font-variant-numeric: tabular-nums; }
      th, td { border-bottom: 1px solid #ccc; padding: 3px 10px 3px 0; text-align: left; vertical-align: top; }
      th { border-bottom: 2px solid #888; }
      .number { text-align: right; white-space: nowrap; }
      td.met { color: #00624a; font-weight: bold; }
      td.missed { color: #a33b00; font-weight: bold; }
      @media (max-width: 600px) {
        h1 { font-size: 22px; }
        h2 { font-size: 19px; }
        img:not(.compact) { width: 640px; }
        table { font-size: 13px; }
      }
      @media print {
        body { max-width: none; padding: 0; }
        .wide { overflow: visible; }
        img { max-width: 100%; }
        img:not(.compact) { width: 100%; }
        img, tr { break-inside: avoid; }
        h2, figcaption { break-after: avoid; }
        table { font-size: 11px; width: 100%; }
        th, td, td.number { white-space: normal; overflow-wrap: break-word; }
        p { break-after: avoid; }
        nav { display: none; }
      }
      """;

  private final Path directory;
  private final StringBuilder page = new StringBuilder();

  private HtmlPage(Path directory) {
    this.directory = directory;
  }

  /**
   * The page.
   *
   * @param directory where the plots have been written
   */
  static String of(String title, List<Section> sections, Path directory) {
    return new HtmlPage(directory).write(title, sections);
  }

  private String write(String title, List<Section> sections) {
    page.append(
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
        <head>
        <meta charset="UTF-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>%s</title>
        <style>
        %s</style>
        </head>
        <body>
        <h1>%s</h1>
        """
            .formatted(escape(title), STYLE, escape(title)));
    page.append("<nav>");
    for (int i = 0; i < sections.size(); i++) {
      page.append("<a href=\"#s%d\">%s</a>\n".formatted(i, escape(sections.get(i).title())));
    }
    page.append("</nav>\n");
    for (int i = 0; i < sections.size(); i++) {
      page.append("<h2 id=\"s%d\">%s</h2>\n".formatted(i, escape(sections.get(i).title())));
      sections.get(i).blocks().forEach(this::block);
    }
    return page.append("</body>\n</html>\n").toString();
  }

  private void block(Block block) {
    switch (block) {
      case Block.Text(String text) -> page.append("<p>%s</p>\n".formatted(escape(text)));
      case Block.Plot plot -> plot(plot);
      case Block.Table table -> table(table);
    }
  }

  private void plot(Block.Plot plot) {
    try {
      String data =
          Base64.getEncoder().encodeToString(Files.readAllBytes(directory.resolve(plot.file())));
      page.append(
          "<figure><div class=\"wide\"><img%s width=\"%d\" alt=\"%s\" src=\"data:image/png;base64,%s\"/></div></figure>\n"
              .formatted(
                  plot.drawing().width() < ChartStyle.WIDTH ? " class=\"compact\"" : "",
                  plot.drawing().width(),
                  escape(plot.caption()),
                  data));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the plot " + plot.file(), e);
    }
  }

  private void table(Block.Table table) {
    StringBuilder header = new StringBuilder();
    for (int column = 0; column < table.header().size(); column++) {
      header.append(cell("th", table.header().get(column), table.isNumeric(column)));
    }
    StringBuilder rows = new StringBuilder();
    for (List<String> row : table.rows()) {
      rows.append("<tr>");
      for (int column = 0; column < row.size(); column++) {
        rows.append(cell("td", row.get(column), table.isNumeric(column)));
      }
      rows.append("</tr>\n");
    }
    String frame = table.detail() ? "details" : "figure";
    String caption = table.detail() ? "summary" : "figcaption";
    page.append(
        """
        <%1$s><%2$s>%3$s</%2$s>
        <div class="wide"><table>
        <thead><tr>%4$s</tr></thead>
        <tbody>
        %5$s</tbody>
        </table></div></%1$s>
        """
            .formatted(frame, caption, escape(table.caption()), header, rows));
  }

  private static String cell(String element, String text, boolean numeric) {
    String kind =
        switch (text) {
          case "met" -> " class=\"met\"";
          case "missed" -> " class=\"missed\"";
          default -> numeric ? " class=\"number\"" : "";
        };
    return "<" + element + kind + ">" + escape(text) + "</" + element + ">";
  }

  /** As text or in an attribute; what XML cannot have is shown as unknown. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isXml(c) ? c : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  private static boolean isXml(int c) {
    return c < 0x20
        ? c == '\t' || c == '\n' || c == '\r'
        : c > 0xFFFF || (c < 0xFFFE && !Character.isSurrogate((char) c));
  }
}
