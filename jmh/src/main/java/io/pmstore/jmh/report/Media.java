package io.pmstore.jmh.report;

import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.results.Subject;

/** The names of media: emulated persistent memory is always called so. */
final class Media {
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
      case Subject.FILE -> "ordinary file";
      case Subject.PMEM -> isEmulated(results) ? "emulated persistent memory" : "persistent memory";
      case Subject.MEMORY -> "memory (nothing kept)";
      default -> medium;
    };
  }

  /** Returns true if the facts of the run call its persistent memory emulated. */
  static boolean isEmulated(Results results) {
    return results.run().values().stream().anyMatch(fact -> fact.contains(Results.EMULATED));
  }
}
