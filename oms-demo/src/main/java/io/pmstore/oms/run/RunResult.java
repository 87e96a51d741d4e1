package io.pmstore.oms.run;

import io.pmstore.oms.targets.DiskUse;
import java.util.Locale;

/**
 * The row of one target.
 *
 * @param target the target's name
 * @param medium {@code file} or {@code pmem}
 * @param durability {@code sync} or {@code relaxed}
 * @param threads how many threads applied the flow
 * @param orders how many orders
 * @param reports how many execution reports: insertions and updates
 * @param seconds from the first call to the last acknowledgement
 * @param p50Micros half of the reports were acknowledged within these microseconds
 * @param p99Micros 99 of 100 reports were acknowledged within these microseconds
 * @param disk what the closed store takes
 * @param reopenMillis from the start of opening to the first order read, in milliseconds
 */
public record RunResult(
    String target,
    String medium,
    String durability,
    int threads,
    long orders,
    long reports,
    double seconds,
    double p50Micros,
    double p99Micros,
    DiskUse disk,
    double reopenMillis) {

  /** The first line of a CSV file of results. */
  public static final String CSV_HEADER =
      "target,medium,durability,threads,ratio,orders,reports,seconds,reports_per_s,p50_us,p99_us,bytes,reopen_ms";

  /** Updates for each order: a whole number, or for a flow from a file two decimals. */
  public String ratio() {
    long updates = reports - orders;
    return orders == 0 || updates % orders == 0
        ? Long.toString(orders == 0 ? 0 : updates / orders)
        : String.format(Locale.ROOT, "%.2f", (double) updates / orders);
  }

  /** Throughput: reports a second. */
  public double reportsPerSecond() {
    return reports / seconds;
  }

  /** The row as a line of CSV, in the order of {@link #CSV_HEADER}. */
  public String csv() {
    return String.format(
        Locale.ROOT,
        "%s,%s,%s,%d,%s,%d,%d,%.3f,%.1f,%.1f,%.1f,%d,%.1f",
        target,
        medium,
        durability,
        threads,
        ratio(),
        orders,
        reports,
        seconds,
        reportsPerSecond(),
        p50Micros,
        p99Micros,
        disk.bytes(),
        reopenMillis);
  }
}
