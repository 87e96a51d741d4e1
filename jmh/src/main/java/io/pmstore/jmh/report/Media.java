package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Results;
import java.util.Locale;

/** What media are called: persistent memory that is only emulated is always called so. */
final class Media {
  /** The medium of what keeps nothing. */
  static final String NO_STORE = "memory";

  private Media() {}

  /**
   * The name of a medium.
   *
   * @param results of a run, whose facts say what its persistent memory is
   * @param medium {@code file}, {@code pmem}, {@code memory}
   * @return for titles and captions
   */
  static String name(Results results, String medium) {
    return switch (medium) {
      case "file" -> "ordinary file";
      case "pmem" -> isEmulated(results) ? "emulated persistent memory" : "persistent memory";
      case NO_STORE -> "memory (nothing kept)";
      default -> medium;
    };
  }

  /** Whether a fact about persistent memory says that it is emulated, or names tmpfs. */
  static boolean isEmulated(Results results) {
    return results.run().entrySet().stream()
        .filter(fact -> isAboutMemory(lower(fact.getKey()) + " " + lower(fact.getValue())))
        .map(fact -> lower(fact.getKey() + " " + fact.getValue()))
        .anyMatch(text -> text.contains("emulat") || text.contains("tmpfs"));
  }

  private static boolean isAboutMemory(String text) {
    return text.contains("pmem") || text.contains("persistent memory");
  }

  private static String lower(String text) {
    return text.toLowerCase(Locale.ROOT);
  }
}
