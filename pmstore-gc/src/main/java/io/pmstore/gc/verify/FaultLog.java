package io.pmstore.gc.verify;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.Fault;
import java.util.ArrayList;
import java.util.List;

/** The faults found so far: all are counted, the first ones kept. */
final class FaultLog {
  private final List<Fault> kept = new ArrayList<>();
  private long count;

  void add(String path, String found, String expected) {
    count++;
    if (hasRoom()) {
      kept.add(new Fault(path, found, expected));
    }
  }

  /** Returns true if the next fault would be kept. If not, its path is not needed. */
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
