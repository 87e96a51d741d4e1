package io.pmstore.gc.verify;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import java.util.ArrayList;
import java.util.List;

/** The faults found so far: all counted, the first ones kept. */
final class FaultLog {
  private final List<Fault> kept = new ArrayList<>();
  private long count;

  void add(String path, String found, String expected) {
    count++;
    if (hasRoom()) {
      kept.add(new Fault(path, found, expected));
    }
  }

  /** Whether the next fault would be kept; if not, its path need not be looked for. */
  boolean hasRoom() {
    return kept.size() < VerificationReport.FAULTS_MAX;
  }

  long count() {
    return count;
  }

  List<Fault> kept() {
    return kept;
  }
}
