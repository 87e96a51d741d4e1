package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.ycsb.generators.Chooser;
import io.pmstore.jmh.ycsb.generators.Latest;
import io.pmstore.jmh.ycsb.generators.ScrambledZipfian;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A workload: YCSB's core workloads A to F, and the mixes that ETERNAL was evaluated with.
 *
 * <p>Percentages of {@link OperationKind}s in their order.
 */
enum Workload {
  /** Update heavy: sessions. */
  A("A", false, 50, 50, 0, 0, 0, 0),
  /** Read mostly: photo tags. */
  B("B", false, 95, 5, 0, 0, 0, 0),
  /** Read only: a cache of profiles. */
  C("C", false, 100, 0, 0, 0, 0, 0),
  /** Read latest: status updates. */
  D("D", true, 95, 0, 5, 0, 0, 0),
  /** Short ranges: threaded conversations. */
  E("E", false, 0, 0, 5, 95, 0, 0),
  /** Read, modify, write: a database of users. */
  F("F", false, 50, 0, 0, 0, 50, 0),
  /** ETERNAL: updates. */
  UPDATE_ZIPFIAN("update zipfian", false, 0, 100, 0, 0, 0, 0),
  /** ETERNAL: updates of what is new. */
  UPDATE_LATEST("update latest", true, 0, 100, 0, 0, 0, 0),
  /** ETERNAL: insertions and updates. */
  INSERT_ZIPFIAN("insert 50 % zipfian", false, 0, 50, 50, 0, 0, 0),
  /** ETERNAL: insertions and updates of what is new. */
  INSERT_LATEST("insert 50 % latest", true, 0, 50, 50, 0, 0, 0),
  /** Updates that write whole records, as an engine of keys and values does. */
  REPLACE_ZIPFIAN("replace zipfian", false, 0, 0, 0, 0, 0, 100),
  /** The same of what is new. */
  REPLACE_LATEST("replace latest", true, 0, 0, 0, 0, 0, 100);

  /** Those that follow each other on one load, as YCSB publishes their order. */
  static final List<Workload> ON_FIRST_LOAD = List.of(A, B, C, F, D);

  /** Those of ETERNAL's evaluation. */
  static final List<Workload> MIXES =
      List.of(UPDATE_ZIPFIAN, UPDATE_LATEST, INSERT_ZIPFIAN, INSERT_LATEST);

  /** {@link #MIXES}, and their updates with whole records. */
  static final List<Workload> POOL_MIXES =
      List.of(
          UPDATE_ZIPFIAN,
          UPDATE_LATEST,
          REPLACE_ZIPFIAN,
          REPLACE_LATEST,
          INSERT_ZIPFIAN,
          INSERT_LATEST);

  private static final int HUNDRED = 100;
  private static final int GROWTH = 2;

  private final String label;
  private final boolean latest;
  private final int reads;
  private final int updates;
  private final int inserts;
  private final int scans;
  private final int readModifyWrites;

  Workload(
      String label,
      boolean latest,
      int reads,
      int updates,
      int inserts,
      int scans,
      int readModifyWrites,
      int replaces) {
    this.label = label;
    this.latest = latest;
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.readModifyWrites = readModifyWrites;
    if (reads + updates + inserts + scans + readModifyWrites + replaces != HUNDRED) {
      throw new IllegalArgumentException(label + " does not add up to 100 %");
    }
  }

  /** Its name in the results. */
  String label() {
    return label;
  }

  /** Chooses what to do next. */
  OperationKind next(SplittableRandom random) {
    int rest = random.nextInt(HUNDRED) - reads;
    if (rest < 0) {
      return OperationKind.READ;
    }
    rest -= updates;
    if (rest < 0) {
      return OperationKind.UPDATE;
    }
    rest -= inserts;
    if (rest < 0) {
      return OperationKind.INSERT;
    }
    rest -= scans;
    if (rest < 0) {
      return OperationKind.SCAN;
    }
    return rest < readModifyWrites ? OperationKind.READ_MODIFY_WRITE : OperationKind.REPLACE;
  }

  /**
   * Makes what chooses records, for one thread.
   *
   * @param records how many there are in the beginning; where the workload inserts, as many more
   *     are expected, which is when zipfian popularity goes to no further ones
   */
  Chooser newChooser(long records) {
    return latest ? new Latest() : new ScrambledZipfian(inserts > 0 ? GROWTH * records : records);
  }
}
