package io.pmstore.oms.targets;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The stores that are compared. */
public enum TargetKind implements TargetFactory {
  /** pmstore with its mapped heap and redo log. */
  PMSTORE("pmstore"),
  /** pmstore on a PMDK pool, through LLPL. */
  PMSTORE_LLPL("pmstore-llpl"),
  /** pmstore with its heap in main memory, behind two pools. */
  PMSTORE_TIERED("pmstore-tiered"),
  /** A pool of PMDK used by hand, through LLPL, without pmstore. */
  LLPL_RAW("llpl-raw"),
  /** SQLite with a write-ahead log. */
  SQLITE("sqlite"),
  /** PostgreSQL: one that the demo starts, or one that runs already. */
  POSTGRES("postgres");

  private final String label;

  TargetKind(String label) {
    this.label = label;
  }

  /** Its name on the command line and in the results. */
  @Override
  public String label() {
    return label;
  }

  /** Returns true if the target is a pool of PMDK. */
  public boolean usesLlpl() {
    return this == PMSTORE_LLPL || this == LLPL_RAW;
  }

  @Override
  public OmsTarget create(TargetSettings settings) {
    return switch (this) {
      case PMSTORE, PMSTORE_LLPL, PMSTORE_TIERED ->
          inDirectory(settings, () -> PmStoreService.open(this, settings));
      case LLPL_RAW -> inDirectory(settings, () -> LlplRawService.open(settings));
      case SQLITE -> inDirectory(settings, () -> SqliteService.open(settings));
      case POSTGRES -> new PostgresTarget(settings);
    };
  }

  private OmsTarget inDirectory(TargetSettings settings, Supplier<OmsService> opener) {
    return new DirectoryTarget(this, settings.directory(), opener);
  }

  /**
   * Measures a closed store of this kind.
   *
   * @param directory where all its files are
   * @return what it takes on the disk
   */
  public DiskUse diskUse(Path directory) {
    return switch (this) {
      case PMSTORE -> DiskUse.of(directory, "log", "redo");
      // PMDK's logs are inside the pool.
      case PMSTORE_TIERED -> new DiskUse(DiskUse.of(directory).bytes(), 0); // it has no log
      case PMSTORE_LLPL, LLPL_RAW -> new DiskUse(DiskUse.of(directory).bytes(), -1);
      case SQLITE -> DiskUse.of(directory, "-wal");
      case POSTGRES -> DiskUse.of(directory, "pg_wal");
    };
  }

  /**
   * Finds a target by its name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TargetKind ofLabel(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no target '%s'; the targets are %s"
                        .formatted(
                            label,
                            Arrays.stream(values())
                                .map(TargetKind::label)
                                .collect(Collectors.joining(", ")))));
  }
}
