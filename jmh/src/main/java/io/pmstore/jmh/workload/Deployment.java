package io.pmstore.jmh.workload;

import io.pmstore.jmh.results.Subject;
import io.pmstore.oms.targets.NativeLibraries;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A store, where it is, how durable it is, and by how many threads it is used.
 *
 * @param kind the store
 * @param medium {@code file}, {@code pmem}, or {@code memory} for what keeps nothing
 * @param durability {@code sync}, {@code relaxed} or {@code none}
 * @param threads how many threads use it, at least 1
 */
public record Deployment(StoreKind kind, String medium, String durability, int threads) {
  /** An ordinary file system. */
  public static final String FILE = "file";

  /** Persistent memory, or what emulates it. */
  public static final String PMEM = "pmem";

  /** A transaction is durable when it is acknowledged. */
  public static final String SYNC = "sync";

  /** A transaction is acknowledged before it is durable. */
  public static final String RELAXED = "relaxed";

  private static final int[] THREADS = {1, 4, 16};

  /**
   * Plain objects.
   *
   * @param threads how many threads use them
   * @return the deployment
   */
  public static Deployment inMemory(int threads) {
    return new Deployment(StoreKind.HASHMAP, "memory", "none", threads);
  }

  /**
   * Every combination that says something. A transaction of PMDK is always durable when it ends;
   * and the processes that measure tell PMDK to take everything for persistent memory, so that on a
   * file it would not sync: there it is not measured.
   *
   * @return the combinations
   */
  public static List<Deployment> all() {
    List<Deployment> all = new ArrayList<>();
    for (int threads : THREADS) {
      for (String medium : List.of(FILE, PMEM)) {
        for (String durability : List.of(SYNC, RELAXED)) {
          for (StoreKind kind : List.of(StoreKind.PMSTORE, StoreKind.SQLITE, StoreKind.POSTGRES)) {
            all.add(new Deployment(kind, medium, durability, threads));
          }
        }
      }
      all.add(new Deployment(StoreKind.PMSTORE_LLPL, PMEM, SYNC, threads));
      all.add(inMemory(threads));
    }
    return all;
  }

  /**
   * One of each kind of store, on each medium, with each durability, with one thread or several:
   * what shows that all of them work.
   *
   * @return some combinations
   */
  public static List<Deployment> some() {
    return List.of(
        new Deployment(StoreKind.PMSTORE, FILE, SYNC, 1),
        new Deployment(StoreKind.PMSTORE, PMEM, RELAXED, 4),
        new Deployment(StoreKind.PMSTORE_LLPL, PMEM, SYNC, 4),
        new Deployment(StoreKind.SQLITE, FILE, RELAXED, 4),
        new Deployment(StoreKind.SQLITE, PMEM, SYNC, 1),
        new Deployment(StoreKind.POSTGRES, FILE, SYNC, 4),
        inMemory(4));
  }

  /**
   * Whether it may lose what it acknowledged last.
   *
   * @return true for {@link #RELAXED}
   */
  public boolean relaxed() {
    return durability.equals(RELAXED);
  }

  /**
   * Whether it has files.
   *
   * @return false for what is in memory only
   */
  public boolean stored() {
    return kind != StoreKind.HASHMAP;
  }

  /**
   * What it needs and this machine does not have.
   *
   * @return what is missing, for the reader of the report; null if nothing is known to be
   */
  public @Nullable String missing() {
    return switch (kind) {
      case PMSTORE -> medium.equals(PMEM) ? NativeLibraries.missingForPersistentMemory() : null;
      case PMSTORE_LLPL -> NativeLibraries.missingForLlpl();
      case SQLITE, POSTGRES, HASHMAP -> null;
    };
  }

  /**
   * The name of a step that measures it.
   *
   * @param suite the suite's name
   * @return the name
   */
  public String stepName(String suite) {
    return "%s/%s/%s/%s/%d".formatted(suite, kind.label(), medium, durability, threads);
  }

  /**
   * What is measured.
   *
   * @param suite the suite's name
   * @param workload what is done
   * @param size how many elements there are
   * @return the subject
   */
  public Subject subject(String suite, String workload, long size) {
    return new Subject(suite, workload, kind.label(), medium, durability, threads, size);
  }
}
