package io.pmstore.jmh.workload;

/** The stores that operations are run on. */
public enum StoreKind {
  /** pmstore with its mapped heap and redo log. */
  PMSTORE("pmstore"),
  /** pmstore on a PMDK pool, through LLPL. */
  PMSTORE_LLPL("pmstore-llpl"),
  /** SQLite with a write-ahead log. */
  SQLITE("sqlite"),
  /** A PostgreSQL server of the step's own. */
  POSTGRES("postgres"),
  /** Plain objects in the memory of the JVM, without durability. */
  HASHMAP("hashmap");

  private final String label;

  StoreKind(String label) {
    this.label = label;
  }

  /**
   * Its name in the results.
   *
   * @return the name
   */
  public String label() {
    return label;
  }
}
