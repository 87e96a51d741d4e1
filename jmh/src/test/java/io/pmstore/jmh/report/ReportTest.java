package io.pmstore.jmh.report;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Omission;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Writes a report of all suites into {@code target/sample-report}, where it can be looked at, and
 * smaller ones elsewhere.
 */
final class ReportTest {
  private static final Path SAMPLE = Path.of("target", "sample-report");

  @TempDir Path directory;

  private static Results sample = new Results(Map.of(), List.of(), List.of(), List.of());

  @BeforeAll
  static void writeSample() throws IOException {
    sample = SampleResults.all();
    Report.write(sample, SAMPLE);
  }

  private static Document page(Path directory) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(
        "http://apache.org/xml/features/nonvalidating/load-external-dtd", false); // never outside
    return factory.newDocumentBuilder().parse(directory.resolve("report.html").toFile());
  }

  private static List<Element> elements(Node page, String name) {
    NodeList nodes =
        page instanceof Document document
            ? document.getElementsByTagName(name)
            : ((Element) page).getElementsByTagName(name);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static List<List<String>> rows(Node parent) {
    return elements(parent, "tr").stream()
        .map(row -> elements(row, "td").stream().map(Node::getTextContent).toList())
        .toList();
  }

  @Test
  void thePageIsWellFormedAndRefersToNothingOutside() throws Exception {
    for (Element element : elements(page(SAMPLE), "*")) {
      assertFalse(
          Set.of("script", "link", "iframe", "object").contains(element.getTagName()),
          element.getTagName());
      assertTrue(element.getAttribute("src").matches("(data:image/png;base64,[\\w+/=]+)?"));
      assertTrue(element.getAttribute("href").matches("(#s\\d+)?"), element.getAttribute("href"));
      assertEquals("", element.getAttribute("style"));
    }
    String style = elements(page(SAMPLE), "style").getFirst().getTextContent();
    assertFalse(style.contains("url(") || style.contains("@import"), style);
  }

  @Test
  void everyFigureIsInThePage() throws Exception {
    List<List<String>> rows = rows(elements(page(SAMPLE), "details").getFirst());
    assertEquals(sample.measurements().size(), rows.size() - 1);
    for (Measurement m : sample.measurements()) {
      Subject s = m.subject();
      List<String> figure =
          List.of(
              s.suite(),
              s.workload(),
              s.target(),
              s.medium(),
              s.durability(),
              "" + s.threads(),
              "" + s.size(),
              m.metric(),
              m.unit(),
              Numbers.of(m.mean()));
      assertTrue(
          rows.stream().anyMatch(r -> !r.isEmpty() && r.subList(0, 10).equals(figure)),
          figure + " is missing");
    }
  }

  @Test
  void everySuiteHasASectionWithWhatWasMeasured() throws Exception {
    List<String> titles = elements(page(SAMPLE), "h2").stream().map(Node::getTextContent).toList();
    assertEquals(
        List.of(
            "Beside SQLite and PostgreSQL",
            "Order management",
            "YCSB",
            "TPC-B",
            "What a structure costs: intset",
            "The tiered storage",
            "Consensus",
            "What objects cost",
            "The figure of PM.NET",
            "All figures",
            "Without a result",
            "Targets",
            "The run"),
        titles);
    assertTrue(
        page(SAMPLE).getDocumentElement().getTextContent().contains("emulated persistent memory"));
  }

  @Test
  void thePageOpensWithPicturesBesideTheDatabases() throws Exception {
    List<Block> blocks = Report.sections(new Figures(sample)).getFirst().blocks();
    assertEquals(
        List.of("overview-reports", "overview-reads", "overview-bytes"),
        blocks.stream()
            .filter(Block.Plot.class::isInstance)
            .map(block -> ((Block.Plot) block).name())
            .toList());
    for (int i = 0; i < 3; i++) {
      assertTrue(blocks.get(2 * i) instanceof Block.Text, "a sentence stands before its picture");
      assertTrue(blocks.get(2 * i + 1) instanceof Block.Plot, "a picture follows its sentence");
    }
    assertTrue(blocks.stream().noneMatch(Block.Table.class::isInstance));
    List<Element> inOrder =
        elements(page(SAMPLE), "*").stream()
            .filter(element -> Set.of("img", "table").contains(element.getTagName()))
            .toList();
    assertEquals(
        List.of("img", "img", "img"), inOrder.stream().limit(3).map(Element::getTagName).toList());
  }

  @Test
  void aSentenceComparesEqualWorkOnly() throws Exception {
    Subject ours = new Subject("oms", "find by id", "pmstore", "file", "sync", 1, 0);
    Subject relaxed = new Subject("oms", "find by id", "sqlite", "file", "relaxed", 1, 0);
    List<Measurement> measured =
        new ArrayList<>(
            List.of(
                Measurement.of(ours, "throughput", "ops/s", 300),
                Measurement.of(relaxed, "throughput", "ops/s", 1)));
    assertEquals(List.of(), overview(measured).blocks());
    measured.add(Measurement.of(Figures.with(ours, "sqlite"), "throughput", "ops/s", 200));
    assertEquals(
        new Block.Text(
            "Orders with their reports, found by id: pmstore does 1.5\u00A0x SQLite on an ordinary"
                + " file."),
        overview(measured).blocks().getFirst());
  }

  /** The paper's figures stand beside what was measured, and the decision with them. */
  @Test
  void theTieredStorageStandsBesideItsBaselineAndThePaper() throws Exception {
    Section section =
        Report.sections(new Figures(sample)).stream()
            .filter(one -> one.title().equals("The tiered storage"))
            .findFirst()
            .orElseThrow();
    assertEquals(
        List.of(
            "tiered-update-zipfian",
            "tiered-update-latest",
            "tiered-insert-50-zipfian",
            "tiered-insert-50-latest"),
        section.blocks().stream()
            .filter(Block.Plot.class::isInstance)
            .map(block -> ((Block.Plot) block).name())
            .toList());
    Block.Table throughput = table(section, "Throughput");
    assertEquals(4, throughput.rows().size());
    List<String> first = throughput.rows().getFirst();
    assertEquals("174,327 to 99,792: 1.75", first.get(4));
    assertEquals(List.of("at least 1.73 x", "missed"), first.subList(5, 7)); // 210 to 150
    assertEquals("met", throughput.rows().getLast().get(6)); // where 1.26 is enough
    assertTrue(
        table(section, "Bytes").rows().stream().allMatch(row -> row.getLast().equals("met")));
    assertEquals("met", table(section, "The order management").rows().getFirst().getLast());
    assertEquals(2, table(section, "Recovery").rows().size());
    assertEquals(8, table(section, "Latencies").rows().size());
  }

  /** The figures of the thesis stand beside those of the same storage; each target is decided. */
  @Test
  void theReplicatedMapStandsBesideIdleRatisAndTheThesis() throws Exception {
    Section section =
        Report.sections(new Figures(sample)).stream()
            .filter(one -> one.title().equals("Consensus"))
            .findFirst()
            .orElseThrow();
    List<List<String>> targets = table(section, "To reach").rows();
    assertEquals(
        List.of("missed", "met", "met", "met", "not measured"),
        targets.stream().map(List::getLast).toList());
    assertTrue(targets.getFirst().get(3).matches("3\\d\\d to [23]\\d\\d us"), targets::toString);
    Block.Table sets = table(section, "Setting one of 50,000 keys, durability sync");
    assertEquals(10, sets.rows().size());
    for (List<String> row : sets.rows()) {
      boolean inThesis =
          row.get(1).equals("20") && List.of("log", "list", "tree").contains(row.get(2));
      assertEquals(inThesis, !row.getLast().isEmpty(), row::toString);
    }
    assertEquals("600", table(section, "A replica").rows().get(1).get(3));
    assertEquals(2, table(section, "Opening a replica").rows().size());
    assertEquals(4, table(section, "The structures alone").rows().size());
    assertTrue(
        section.blocks().stream()
            .anyMatch(
                block -> block instanceof Block.Plot p && p.name().equals("consensus-set-20")));
  }

  private static Block.Table table(Section section, String caption) {
    return section.blocks().stream()
        .filter(Block.Table.class::isInstance)
        .map(Block.Table.class::cast)
        .filter(table -> table.caption().startsWith(caption))
        .findFirst()
        .orElseThrow();
  }

  private static Section overview(List<Measurement> measured) {
    return OverviewSection.of(new Figures(new Results(Map.of(), measured, List.of(), List.of())));
  }

  @Test
  void eachColumnHasOneAlignment() throws Exception {
    Set<String> kinds = new TreeSet<>();
    for (Element table : elements(page(SAMPLE), "table")) {
      List<Element> header = elements(table, "th");
      for (Element row : elements(elements(table, "tbody").getFirst(), "tr")) {
        List<Element> cells = elements(row, "td");
        for (int column = 0; column < cells.size(); column++) {
          String kind = cells.get(column).getAttribute("class").replaceAll("met|missed", "");
          assertEquals(header.get(column).getAttribute("class"), kind, row.getTextContent());
          kinds.add(kind);
        }
      }
    }
    assertEquals(Set.of("", "number"), kinds);
    Block.Table mixed =
        new Block.Table("", List.of("fact", "n"), List.of(List.of("2", "1"), List.of("x", "")));
    assertFalse(mixed.isNumeric(0));
    assertTrue(mixed.isNumeric(1));
  }

  @Test
  void plotsArePicturesInThePageAndBesideIt() throws Exception {
    Set<String> named = new TreeSet<>();
    Matcher link =
        Pattern.compile("!\\[[^\\n]*]\\((plots/[^)]*)\\)")
            .matcher(Files.readString(SAMPLE.resolve("report.md")));
    while (link.find()) {
      named.add(link.group(1));
      assertEquals(
          2 * (link.group(1).contains("overview") ? ChartStyle.COMPACT_WIDTH : ChartStyle.WIDTH),
          ImageIO.read(SAMPLE.resolve(link.group(1)).toFile()).getWidth());
    }
    assertEquals(named.size(), elements(page(SAMPLE), "img").size());
    assertTrue(named.contains("plots/oms-sync-reports-s.png"), named::toString);
    assertTrue(named.contains("plots/oms-threads-ratio-6-file-sync-1.png"), named::toString);
    assertTrue(named.contains("plots/oms-latency-ratio-6-pmem-sync-16.png"), named::toString);
    assertTrue(named.contains("plots/intset-pmstore-file.png"), named::toString);
  }

  @Test
  void aLadderBeginsWithItsBaseline() throws Exception {
    List<List<String>> ladders =
        elements(page(SAMPLE), "figure").stream()
            .filter(figure -> figure.getTextContent().contains("times the first"))
            .map(
                figure ->
                    rows(figure).stream().skip(1).map(row -> row.getFirst() + row.get(1)).toList())
            .toList();
    assertEquals(
        List.of(
            List.of("plainField64", "rawSegment64", "getterOutside64", "getterInside64"),
            List.of("current kept1", "older kept1"),
            List.of("openAndRead", "openAndRead300,000")),
        ladders);
    List<String> outside =
        rows(page(SAMPLE)).stream()
            .filter(row -> row.contains("getterOutside") && row.size() == 6)
            .findFirst()
            .orElseThrow();
    assertEquals(18, Double.parseDouble(outside.getLast().replaceAll(" .*", "")), 2);
  }

  private static Measurement intset(String target, String medium, long size, double value) {
    String durability = target.equals("java") ? "none" : "sync";
    return Measurement.of(
        new Subject("intset", "list", target, medium, durability, 1, size),
        "throughput",
        "ops/s",
        value);
  }

  @Test
  void slowDownsAreThoseAgainstTheSameSize() throws Exception {
    Report.write(
        new Results(
            Map.of(),
            List.of(
                intset("java", "memory", 16, 1000),
                intset("java", "memory", 64, 400),
                intset("pmstore", "pmem", 16, 100),
                intset("pmstore", "pmem", 64, 100),
                intset("pmstore", "file", 64, 10),
                intset("pmstore", "file", 256, 10)),
            List.of(),
            List.of()),
        directory);
    List<List<String>> rows = rows(page(directory));
    for (List<String> row :
        List.of(
            List.of("pmstore", "persistent memory", "list", "7.00", "4.00", "10.0", "3.2"),
            List.of("pmstore", "persistent memory", "all", "7.00", "4.00", "10.0", "5.5"),
            List.of("pmstore", "ordinary file", "list", "40.0", "40.0", "40.0", "47"))) {
      assertTrue(rows.contains(row), row + " is not in " + rows);
    }
    assertTrue(rows.stream().anyMatch(row -> row.contains("hash") && row.contains("not measured")));
  }

  @Test
  void noTableMixesDurabilities() throws Exception {
    Set<String> of = new TreeSet<>();
    for (Element figure : elements(page(SAMPLE), "figure")) {
      String text = figure.getTextContent();
      if (text.matches("(?s)(ratio|find|YCSB|TPC).*durability \\w+.*")) {
        String durability = text.replaceFirst("(?s).*?durability (\\w+).*", "$1");
        of.add(durability);
        long subjects =
            sample.measurements().stream()
                .map(Measurement::subject)
                .filter(s -> s.durability().equals(durability) && !s.suite().equals("tiered"))
                .filter(
                    s -> text.startsWith(s.workload() + " on " + Media.name(sample, s.medium())))
                .distinct()
                .count();
        assertTrue(subjects == 0 || subjects == rows(figure).size() - 1, text);
      }
    }
    assertEquals(Set.of("sync", "relaxed", "none"), of);
  }

  @Test
  void nothingMeasuredIsAReportToo() throws Exception {
    Report.write(new Results(Map.of(), List.of(), List.of(), List.of()), directory);
    List<List<String>> targets = rows(elements(page(directory), "tbody").getFirst());
    assertEquals(TargetsSection.GOALS.size(), targets.size());
    targets.forEach(row -> assertEquals("not measured", row.getLast()));
    assertEquals(List.of(), elements(page(directory), "img"));
  }

  @Test
  void whatComesFromResultsIsNoMarkup() throws Exception {
    String bad = "</td><script src='http://x/'>&amp; \"|` *x* \u0001";
    Subject subject = new Subject("oms", bad, bad, bad, "sync", 1, 0);
    Report.write(
        new Results(
            Map.of(bad, bad),
            List.of(
                Measurement.of(subject, "throughput", bad, 1),
                Measurement.of(subject, bad, bad, 2)),
            List.of(),
            List.of(new Omission(bad, bad))),
        directory);
    assertEquals(List.of(), elements(page(directory), "script"));
    assertTrue(
        rows(page(directory))
            .contains(List.of(bad.replace('\u0001', '\uFFFD'), bad.replace('\u0001', '\uFFFD'))));
    for (String line : Files.readAllLines(directory.resolve("report.md"))) {
      assertFalse(line.contains("<script") && !line.contains("\\<script"), line);
      assertFalse(line.matches(".*[^\\\\]\\| ?`.*"), line);
    }
  }

  @Test
  void theSameResultsGiveTheSameReport() throws IOException {
    Results few =
        new Results(
            sample.run(),
            sample.measurements().stream().filter(m -> m.subject().threads() == 16).toList(),
            sample.latencies().subList(0, 1),
            sample.omissions());
    Report.write(few, directory.resolve("one"));
    Report.write(few, directory.resolve("two"));
    try (Stream<Path> files = Files.walk(directory.resolve("one"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path other = directory.resolve("two").resolve(directory.resolve("one").relativize(file));
        assertArrayEquals(Files.readAllBytes(file), Files.readAllBytes(other), file::toString);
      }
    }
  }
}
