package io.pmstore.jmh.workload;

import io.pmstore.oms.targets.TargetKind;
import org.jspecify.annotations.Nullable;

/** The stores that operations are run on. */
public enum StoreKind {
  /** pmstore with its mapped heap and redo log. */
  PMSTORE(TargetKind.PMSTORE),
  /** pmstore on a PMDK pool, through LLPL. */
  PMSTORE_LLPL(TargetKind.PMSTORE_LLPL),
  /** SQLite with a write-ahead log. */
  SQLITE(TargetKind.SQLITE),
  /** A PostgreSQL server of the step's own. */
  POSTGRES(TargetKind.POSTGRES),
  /** Plain objects in the memory of the JVM, without durability. */
  HASHMAP("hashmap"),
  /** Bytes outside of the Java heap, without durability; only for records, and for one thread. */
  BYTES("bytes");

  private final String label;
  private final @Nullable TargetKind target;

  StoreKind(TargetKind target) {
    this.label = target.label();
    this.target = target;
  }

  StoreKind(String label) {
    this.label = label;
    this.target = null;
  }

  /** Its name in the results. */
  public String label() {
    return label;
  }

  /** Returns true if it keeps something; false for what is in memory only. */
  boolean stored() {
    return target != null;
  }

  /**
   * The same store as the order management system has it.
   *
   * @return how it is opened and measured
   * @throws IllegalStateException if it is no store
   */
  public TargetKind target() {
    if (target == null) {
      throw new IllegalStateException(label + " keeps nothing");
    }
    return target;
  }
}
