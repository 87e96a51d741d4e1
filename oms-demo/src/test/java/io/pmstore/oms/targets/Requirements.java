package io.pmstore.oms.targets;

import org.junit.jupiter.api.Assumptions;

/** What a test of a target needs and may not have: then it is skipped, loudly. */
public final class Requirements {
  private Requirements() {}

  /** Aborts the test if the target cannot be had on this machine. */
  public static void require(TargetKind kind) {
    String missing = kind.usesLlpl() ? NativeLibraries.missingForLlpl() : null;
    if (missing != null) {
      System.err.println("SKIPPED: a test of " + kind.label() + ": " + missing);
      Assumptions.abort(missing);
    }
  }
}
