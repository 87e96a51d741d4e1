package io.pmstore.jmh.workload;

import io.pmstore.PmStore;
import io.pmstore.jmh.results.Subject;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.NativeLibraries;
import io.pmstore.oms.targets.PmStoreService;
import io.pmstore.oms.targets.TargetSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store, where it is, how durable it is, and by how many threads it is used.
 *
 * @param medium {@code file}, {@code pmem}, or {@code memory} for what keeps nothing
 * @param durability {@code sync}, {@code relaxed} or {@code none}
 * @param threads how many threads use it, at least 1
 */
public record Deployment(StoreKind kind, String medium, String durability, int threads) {
  private static final long LLPL_POOL_BYTES = 16L << 30; // grows up to it
  private static final int[] THREADS = {1, 4, 16};

  /**
   * Plain objects.
   *
   * @param threads how many threads use them
   */
  public static Deployment inMemory(int threads) {
    return inMemory(StoreKind.HASHMAP, threads);
  }

  /** Bytes outside of the Java heap, used by one thread. */
  public static Deployment asBytes() {
    return inMemory(StoreKind.BYTES, 1);
  }

  private static Deployment inMemory(StoreKind kind, int threads) {
    return new Deployment(kind, Subject.MEMORY, Subject.NONE, threads);
  }

  /**
   * Every combination that says something. A transaction of PMDK is always durable when it ends.
   */
  public static List<Deployment> all() {
    List<Deployment> all = new ArrayList<>();
    for (int threads : THREADS) {
      for (String medium : List.of(Subject.FILE, Subject.PMEM)) {
        for (String durability : List.of(Subject.SYNC, Subject.RELAXED)) {
          for (StoreKind kind : List.of(StoreKind.PMSTORE, StoreKind.SQLITE, StoreKind.POSTGRES)) {
            all.add(new Deployment(kind, medium, durability, threads));
          }
        }
      }
      for (String medium : List.of(Subject.FILE, Subject.PMEM)) {
        all.add(new Deployment(StoreKind.PMSTORE_LLPL, medium, Subject.SYNC, threads));
      }
      all.add(inMemory(threads));
    }
    return all;
  }

  /**
   * One of each kind of store, on each medium, with each durability, with one thread or several:
   * what shows that all of them work.
   */
  public static List<Deployment> some() {
    return List.of(
        new Deployment(StoreKind.PMSTORE, Subject.FILE, Subject.SYNC, 1),
        new Deployment(StoreKind.PMSTORE, Subject.PMEM, Subject.RELAXED, 4),
        new Deployment(StoreKind.PMSTORE_LLPL, Subject.PMEM, Subject.SYNC, 4),
        new Deployment(StoreKind.SQLITE, Subject.FILE, Subject.RELAXED, 4),
        new Deployment(StoreKind.SQLITE, Subject.PMEM, Subject.SYNC, 1),
        new Deployment(StoreKind.POSTGRES, Subject.FILE, Subject.SYNC, 4),
        inMemory(4));
  }

  /** Returns true if the store may lose what it acknowledged last. */
  public boolean relaxed() {
    return durability.equals(Subject.RELAXED);
  }

  /** Returns true if the store has files; false for what is in memory only. */
  public boolean stored() {
    return kind.stored();
  }

  /**
   * Returns what the store needs and this machine lacks, for the reader of the report; null if
   * nothing is known to be missing.
   */
  public @Nullable String missing() {
    return switch (kind) {
      case PMSTORE ->
          medium.equals(Subject.PMEM) ? NativeLibraries.missingForPersistentMemory() : null;
      case PMSTORE_LLPL -> NativeLibraries.missingForLlpl();
      case SQLITE, POSTGRES, HASHMAP, BYTES -> null;
    };
  }

  /**
   * As {@link io.pmstore.jmh.suite.Step#forcesPersistentMemory} says: false for PMDK on an ordinary
   * file.
   */
  public boolean forcesPersistentMemory() {
    return kind != StoreKind.PMSTORE_LLPL || !medium.equals(Subject.FILE);
  }

  /**
   * Opens pmstore; makes the store at the first time.
   *
   * @param directory absent, empty or with such a store
   * @return the store; the caller closes it
   */
  public PmStore openPmStore(Path directory) {
    return PmStoreService.openStore(
        kind.target(),
        new TargetSettings(
            directory,
            medium.equals(Subject.PMEM) ? Medium.PMEM : Medium.FILE,
            relaxed(),
            threads,
            LLPL_POOL_BYTES,
            null));
  }

  /** The name of a step that measures it. */
  public String stepName(String suite) {
    return "%s/%s/%s/%s/%d".formatted(suite, kind.label(), medium, durability, threads);
  }

  /**
   * What is measured.
   *
   * @param workload what is done
   * @param size how many elements there are
   */
  public Subject subject(String suite, String workload, long size) {
    return new Subject(suite, workload, kind.label(), medium, durability, threads, size);
  }
}
