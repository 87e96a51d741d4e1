package io.pmstore.model.predict;

import io.pmstore.model.profile.Level;
import java.util.List;

/**
 * What the operations of a workload do, as {@code ./model observe} counts it. All figures are means
 * of one operation of a kind.
 *
 * @param name as the command line has it
 * @param unit what an operation is: {@code reports}, {@code operations}
 * @param observedOn the machine whose processor the times are of
 * @param operations the kinds
 * @param relaxedNanos the processor's time of an operation over threads, in ns; empty if it was
 *     observed with one thread only
 */
public record Workload(
    String name,
    String unit,
    String observedOn,
    List<Operation> operations,
    List<ProcessorTime> relaxedNanos) {

  /**
   * A kind of operation.
   *
   * @param kind its name
   * @param share of all operations
   * @param processorNanos the time of the processor: all but waiting for lines and barriers
   * @param linesRead lines of the heap that it reads
   * @param linesWritten lines of the heap that it writes
   * @param linesAwaited lines of the heap that it waits for
   * @param misses how many of them are not in caches of some sizes
   * @param logBytes what it appends to the log
   * @param logRecords in how many records
   * @param barriers how often it makes the log durable
   */
  public record Operation(
      String kind,
      double share,
      double processorNanos,
      double linesRead,
      double linesWritten,
      double linesAwaited,
      List<Misses> misses,
      double logBytes,
      double logRecords,
      double barriers) {}

  /**
   * Misses of a cache, or of a TLB.
   *
   * @param kind which
   * @param bytes its capacity, smallest first for each kind
   * @param each lines of an operation that it does not have
   */
  public record Misses(Level.Kind kind, double bytes, double each) {}

  /**
   * The processor's time of an operation when several threads run.
   *
   * @param threads how many
   * @param nanos of all processors together for one operation
   */
  public record ProcessorTime(int threads, double nanos) {}

  /** Copies the lists. */
  public Workload {
    operations = List.copyOf(operations);
    relaxedNanos = List.copyOf(relaxedNanos);
    if (operations.isEmpty()) {
      throw new IllegalArgumentException("the workload '%s' has no operations".formatted(name));
    }
    double shares = operations.stream().mapToDouble(Operation::share).sum();
    if (!(Math.abs(shares - 1) < 0.01)) {
      throw new IllegalArgumentException(
          "the shares of the operations of '%s' add up to %.3f, not to 1".formatted(name, shares));
    }
  }
}
