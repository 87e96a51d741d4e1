package io.pmstore.model.page;

import io.pmstore.jmh.report.Block;
import io.pmstore.jmh.report.Numbers;
import io.pmstore.jmh.report.Page;
import io.pmstore.jmh.report.Section;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import io.pmstore.model.profile.Series;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shows a profile. */
public final class ProfilePage {
  private ProfilePage() {}

  /**
   * Writes {@code NAME.html}, {@code NAME.md} and their plots.
   *
   * @param directory made if it is missing
   */
  public static void write(Profile profile, Path directory, String name) throws IOException {
    Page.write("Profile of a memory: " + profile.name(), sections(profile, name), directory, name);
  }

  /**
   * The sections of the page.
   *
   * @param name the beginning of the names of the plots
   */
  public static List<Section> sections(Profile profile, String name) {
    List<Section> sections = new ArrayList<>();
    sections.add(new Section("Figures", figures(profile)));
    List<Block> latency = latency(profile, name);
    if (!latency.isEmpty()) {
      sections.add(new Section("Latency", latency));
    }
    List<Block> bandwidth = bandwidth(profile, name);
    if (!bandwidth.isEmpty()) {
      sections.add(new Section("Bandwidth, barriers, parallelism", bandwidth));
    }
    List<Block> method = new ArrayList<>();
    profile.sources().forEach(source -> method.add(new Block.Text("Source: " + source)));
    profile.method().forEach(sentence -> method.add(new Block.Text(sentence)));
    List<List<String>> facts = new ArrayList<>();
    profile.machine().forEach((fact, value) -> facts.add(List.of(fact, value)));
    if (!facts.isEmpty()) {
      method.add(new Block.Table("The machine", List.of("fact", "value"), facts));
    }
    sections.add(new Section("Method and machine", method));
    return sections;
  }

  private static List<Block> figures(Profile profile) {
    List<List<String>> rows = new ArrayList<>();
    for (Quantity quantity : Quantity.values()) {
      profile
          .figure(quantity)
          .ifPresent(
              figure ->
                  rows.add(
                      List.of(
                          quantity.key(),
                          withInterval(figure),
                          figure.unit(),
                          figure.note() == null ? "" : figure.note())));
    }
    List<Block> blocks = new ArrayList<>();
    blocks.add(new Block.Table("Figures", List.of("figure", "value", "unit", "note"), rows));
    List<List<String>> levels = new ArrayList<>();
    for (Level level : profile.levels()) {
      levels.add(List.of(level.name(), LinePlot.size(level.bytes()), Numbers.of(level.nanos())));
    }
    if (!levels.isEmpty()) {
      blocks.add(
          new Block.Table(
              "The steps of the latency",
              List.of("level", "up to a region of", "a read takes (ns)"),
              levels));
    }
    return blocks;
  }

  static String withInterval(Figure figure) {
    String value = Numbers.of(figure.value());
    return figure.low() == figure.high()
        ? value
        : value + " [" + Numbers.of(figure.low()) + "; " + Numbers.of(figure.high()) + "]";
  }

  private static List<Block> latency(Profile profile, String name) {
    List<Block> blocks = new ArrayList<>();
    LinePlot reads =
        new LinePlot(
                name + "-read-latency",
                "Latency of dependent reads: " + profile.name(),
                "region",
                "ns")
            .overSizes()
            .logarithmic();
    boolean any = false;
    for (String curve : List.of(Series.READ, Series.READ_PAGES)) {
      Series series = profile.series(curve).orElse(null);
      if (series != null) {
        any = true;
        reads.line(curve, xs(series), ys(series), false);
      }
    }
    if (any && !profile.levels().isEmpty()) {
      List<Double> x = new ArrayList<>();
      List<Double> y = new ArrayList<>();
      double from = x(profile);
      for (Level level : profile.levels()) {
        x.addAll(List.of(from, level.bytes()));
        y.addAll(List.of(level.nanos(), level.nanos()));
        from = level.bytes() * 1.001;
      }
      reads.line("steps found", x, y, true);
    }
    if (any) {
      blocks.add(reads.plot());
    }
    profile
        .series(Series.WRITE)
        .filter(series -> series.points().size() > 2)
        .ifPresent(
            series ->
                blocks.add(
                    new LinePlot(
                            name + "-write-latency",
                            "Latency of durable writes: " + profile.name(),
                            "region",
                            "ns")
                        .overSizes()
                        .fromZero()
                        .line(Series.WRITE, xs(series), ys(series), false)
                        .plot()));
    return blocks;
  }

  private static double x(Profile profile) {
    return profile.series(Series.READ).map(s -> s.points().getFirst().x()).orElse(64.0);
  }

  private static List<Block> bandwidth(Profile profile, String name) {
    List<Block> blocks = new ArrayList<>();
    for (String direction : List.of("reading", "writing")) {
      LinePlot plot =
          new LinePlot(
                  name + "-bandwidth-" + direction,
                  "Bandwidth, %s: %s".formatted(direction, profile.name()),
                  "threads",
                  "GB/s")
              .fromZero();
      boolean any = false;
      for (Series series : profile.series()) {
        if (series.name().startsWith(Series.BANDWIDTH + direction)) {
          any = true;
          String label = series.name().substring(Series.BANDWIDTH.length());
          plot.line(label, xs(series), ys(series), false);
        }
      }
      if (any) {
        blocks.add(plot.plot());
      }
    }
    for (String curve : List.of(Series.CHAINS, Series.SHARED_BARRIER)) {
      profile
          .series(curve)
          .ifPresent(
              series ->
                  blocks.add(
                      new LinePlot(
                              name + (curve.equals(Series.CHAINS) ? "-chains" : "-barriers"),
                              "%s: %s".formatted(curve, profile.name()),
                              series.xUnit(),
                              series.unit())
                          .fromZero()
                          .line(curve, xs(series), ys(series), false)
                          .plot()));
    }
    return blocks;
  }

  static List<Double> xs(Series series) {
    return series.points().stream().map(Series.Point::x).toList();
  }

  static List<Double> ys(Series series) {
    return series.points().stream().map(Series.Point::value).toList();
  }
}
