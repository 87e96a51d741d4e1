package io.pmstore.oms.cluster;

import io.pmstore.oms.kill.AckProtocol.Acknowledgement;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the nodes have told: which reports they acknowledged, and who leads. Thread-safe. */
final class Journal {
  private final Map<Long, Integer> reports = new HashMap<>(); // all guarded by this
  private long acknowledged;
  private long lastNanos;
  private long repeated;
  private long unknown;
  private int leaderships;
  private @Nullable String leader;
  private @Nullable Awaited awaited;

  private record Awaited(String exceptFrom, CompletableFuture<Long> next) {}

  synchronized void acknowledged(String node, Acknowledgement report) {
    if (report.sequence() < reports.getOrDefault(report.orderId(), 0)) {
      repeated++;
    } else {
      acknowledged++;
      reports.put(report.orderId(), report.sequence() + 1);
    }
    lastNanos = System.nanoTime();
    if (awaited != null && !awaited.exceptFrom().equals(node)) {
      awaited.next().complete(lastNanos);
      awaited = null;
    }
  }

  synchronized void unknown() {
    unknown++;
  }

  synchronized void leads(String node) {
    leader = node;
    leaderships++;
  }

  /**
   * Notices the next acknowledgement of another node.
   *
   * @param node whose acknowledgements do not count
   * @return when it was, of {@link System#nanoTime}
   */
  synchronized CompletableFuture<Long> nextNotFrom(String node) {
    Awaited begun = new Awaited(node, new CompletableFuture<>());
    awaited = begun;
    return begun.next();
  }

  /** Returns the node that began to lead last, or null. */
  synchronized @Nullable String leader() {
    return leader;
  }

  /** Returns when the last report was acknowledged, of {@link System#nanoTime}. */
  synchronized long lastNanos() {
    return lastNanos;
  }

  /** Returns how many reports were acknowledged. */
  synchronized long acknowledged() {
    return acknowledged;
  }

  /** Returns what was told until now. */
  synchronized Claims claims() {
    return new Claims(Map.copyOf(reports), acknowledged, repeated, unknown, leaderships);
  }

  /**
   * What the nodes claim.
   *
   * @param reports for each order, how many must be there: those up to the last acknowledged one
   * @param acknowledged how many reports were acknowledged
   * @param repeated how many were acknowledged again, because a later leader did not find them
   * @param unknown how many reports a node that lives could not tell the outcome of
   * @param leaderships how often a node began to lead
   */
  record Claims(
      Map<Long, Integer> reports,
      long acknowledged,
      long repeated,
      long unknown,
      int leaderships) {}
}
