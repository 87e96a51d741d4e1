package io.pmstore.jmh.results;

/**
 * What was measured. Two subjects are compared only if their durability is the same.
 *
 * @param suite the suite: {@code oms}, {@code ycsb}, {@code tpcb}, {@code intset}, {@code tiered},
 *     {@code consensus}, {@code objects}
 * @param workload what was done, as the suite names it: {@code ratio 6}, {@code A}, {@code list}
 * @param target who did it: {@code pmstore}, {@code pmstore-llpl}, {@code pmstore-tiered}, {@code
 *     nvwal}, {@code llpl-raw}, {@code sqlite}, {@code postgres}, {@code hashmap}, {@code bytes},
 *     {@code barrier}, {@code java}, {@code idle}, {@code log}, {@code list}, {@code tree}
 * @param medium {@code file}, {@code pmem}, or {@code memory} for what keeps nothing
 * @param durability {@code sync}, {@code relaxed} or {@code none}
 * @param threads how many threads did it, at least 1
 * @param size how many elements there were; 0 where the suite has one size
 */
public record Subject(
    String suite,
    String workload,
    String target,
    String medium,
    String durability,
    int threads,
    long size) {
  /** An ordinary file system. */
  public static final String FILE = "file";

  /** Persistent memory, or what emulates it. */
  public static final String PMEM = "pmem";

  /** The JVM's own memory, for what keeps nothing. */
  public static final String MEMORY = "memory";

  /** A transaction is durable when it is acknowledged. */
  public static final String SYNC = "sync";

  /** A transaction is acknowledged before it is durable. */
  public static final String RELAXED = "relaxed";

  /** Nothing is durable. */
  public static final String NONE = "none";
}
