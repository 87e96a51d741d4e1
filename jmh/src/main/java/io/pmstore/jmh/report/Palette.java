package io.pmstore.jmh.report;

import java.awt.Color;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One colour for each target, in every plot: those of Okabe and Ito, which all eyes can tell. */
public final class Palette {
  static final Color BLUE = new Color(0x0072B2);
  static final Color ORANGE = new Color(0xE69F00);
  static final Color GREEN = new Color(0x009E73);
  private static final Color SKY = new Color(0x56B4E9);
  private static final Color VERMILION = new Color(0xD55E00);
  private static final Color PURPLE = new Color(0xCC79A7);
  private static final Color GREY = new Color(0x8C8C8C);

  /** The targets with their colours, in the order in which they stand in plots and tables. */
  private static final List<Map.Entry<String, Color>> KNOWN =
      List.of(
          Map.entry("pmstore", BLUE),
          Map.entry("pmstore-llpl", SKY),
          Map.entry("pmstore-tiered", PURPLE),
          Map.entry("nvwal", VERMILION),
          Map.entry("llpl-raw", GREEN),
          Map.entry("sqlite", ORANGE),
          Map.entry("postgres", VERMILION),
          Map.entry("idle", GREY),
          Map.entry("log", VERMILION),
          Map.entry("list", GREEN),
          Map.entry("tree", ORANGE),
          Map.entry("barrier", GREY),
          Map.entry("hashmap", Color.BLACK),
          Map.entry("bytes", GREY),
          Map.entry("java", PURPLE));

  static final List<String> TARGETS = KNOWN.stream().map(Map.Entry::getKey).toList();

  private static final Set<String> LIMITS = Set.of("barrier", "hashmap", "bytes");

  private static final List<Color> OTHERS =
      List.of(BLUE, ORANGE, GREEN, PURPLE, VERMILION, SKY, GREY);

  private Palette() {}

  /** The colour of a series: its own if it is a target, else the next that is free. */
  public static Color of(String series, int index) {
    int known = TARGETS.indexOf(series);
    return known >= 0 ? KNOWN.get(known).getValue() : OTHERS.get(index % OTHERS.size());
  }

  /** Where a target stands among the others; unknown ones are behind. */
  static int order(String target) {
    int index = TARGETS.indexOf(target);
    return index < 0 ? TARGETS.size() : index;
  }

  /** The name of the product that a target measures. */
  static String product(String target) {
    return switch (target) {
      case "sqlite" -> "SQLite";
      case "postgres" -> "PostgreSQL";
      default -> target;
    };
  }

  /** Returns true if a series is a bare limit, and no store. */
  static boolean isLimit(String series) {
    return LIMITS.contains(series);
  }

  /** Returns the name of a target in legends; limits are marked as such. */
  static String label(String target) {
    return isLimit(target) ? target + " (limit)" : target;
  }
}
