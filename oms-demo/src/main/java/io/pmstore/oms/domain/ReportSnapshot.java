package io.pmstore.oms.domain;

import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The values of an execution report, detached from every store.
 *
 * @param execId the id of the report
 * @param type what it tells
 * @param price a trade's price, otherwise the order's; null when the order has none
 * @param quantity a trade's quantity, otherwise the order's, in shares
 * @param time when it happened
 */
public record ReportSnapshot(
    String execId, ExecType type, @Nullable BigDecimal price, long quantity, Instant time) {

  /** Copies the values of a report. */
  public static ReportSnapshot of(ExecutionReport report) {
    return new ReportSnapshot(
        report.getExecId(),
        report.getType(),
        report.getPrice(),
        report.getQuantity(),
        report.getTime());
  }
}
