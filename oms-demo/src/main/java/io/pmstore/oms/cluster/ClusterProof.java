package io.pmstore.oms.cluster;

import io.pmstore.PmStore;
import io.pmstore.VerificationReport;
import io.pmstore.oms.kill.KillAudit;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.PmStoreService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Compares what the nodes have in the end with what they claimed, and with each other. */
final class ClusterProof {
  private final List<String> lines = new ArrayList<>();
  private boolean holds = true;

  /** Returns true if nothing was found that must not be. */
  boolean holds() {
    return holds;
  }

  /** What was found, in words. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  private void require(boolean condition, String line) {
    holds &= condition;
    lines.add(condition ? line : "FAILED: " + line);
  }

  /**
   * Compares the contents of a store with what was acknowledged, field by field.
   *
   * @param backup of one of the nodes
   * @param claims what all nodes have told
   * @param threads that drove, on each leader
   */
  void contents(Path backup, Journal.Claims claims, int threads) {
    // A thread may have begun a batch of which nothing was acknowledged.
    int last =
        claims.reports().keySet().stream().mapToInt(Batches::ofOrder).max().orElse(0) + threads;
    KillAudit audit =
        new KillAudit(new ExpectedOrders(Batches.upTo(last)), claims.reports(), threads);
    try (OmsService service = new PmStoreService(PmStore.open(backup))) {
      service.scan(audit);
    }
    KillAudit.Result result = audit.result();
    long lost = result.lost() + claims.repeated(); // a later leader made those again
    require(
        lost == 0,
        "acknowledged reports: %,d, of which %,d are lost".formatted(claims.acknowledged(), lost));
    long orders = result.reportsByOrder().size();
    require(
        result.partial() == 0,
        "orders: %,d, of which %,d do not have the fields and reports that they should"
            .formatted(orders, result.partial()));
    long unanswered = result.acknowledged() - claims.acknowledged() + result.inFlight();
    long unansweredMax = (long) threads * Math.max(0, claims.leaderships() - 1);
    require(
        unanswered >= 0 && unanswered <= unansweredMax,
        "reports of unknown outcome that are there: %,d, at most %,d can be (one for each thread of a leader that was lost)"
            .formatted(unanswered, unansweredMax));
    if (claims.unknown() > 0) {
      lines.add(
          "reports whose outcome a living node could not tell: %,d; the next leader found or made them"
              .formatted(claims.unknown()));
    }
    result.shown().forEach(finding -> lines.add("  " + finding));
  }

  /** Compares the digests of all nodes, each of which is the index of an entry and the SHA-256. */
  void digests(Map<String, String> digests) {
    boolean equal = digests.values().stream().distinct().count() == 1;
    String first = digests.values().iterator().next();
    require(
        equal,
        equal
            ? "replicas: %s have the same digest at entry %s: %.16s..."
                .formatted(
                    String.join(", ", digests.keySet()),
                    first.substring(0, first.indexOf(' ')),
                    first.substring(first.indexOf(' ') + 1))
            : "replicas: their digests differ: " + digests);
  }

  /** Verifies the closed store of a node. */
  void verify(String id, Path directory) {
    VerificationReport report = PmStore.verify(directory);
    require(
        report.isSound(),
        report.isSound()
            ? "verified: %s is sound".formatted(id)
            : "verified: " + id + ": " + report);
  }
}
