package io.pmstore.core.heap;

import io.pmstore.GcReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreMetrics;
import io.pmstore.StoreStatistics;
import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Knows which objects of a heap can be reached: collects garbage, counts and verifies. Found by
 * {@link ServiceLoader}, as a {@link Provider}. Safe for use by any number of threads.
 */
public interface Collector {
  /** Makes the collector of one store. */
  interface Provider {
    /**
     * Makes the collector of a heap that has just been opened. It starts no work of its own before
     * {@link Collector#start}.
     */
    Collector open(Heap heap);
  }

  /**
   * Starts to collect, as the options say. Called once, before the first transaction of a user.
   *
   * @param directory of the store, to identify it
   */
  void start(PmStoreOptions options, Path directory);

  /**
   * Collects all that cannot be reached now, as {@link io.pmstore.PmStore#gc} says. Returns what
   * was found and freed.
   */
  GcReport collect();

  /** Counts objects and bytes, as {@link io.pmstore.PmStore#statistics} says. */
  StoreStatistics statistics();

  /** Returns how many collections have ended, and what the last one did. Waits for nothing. */
  default StoreMetrics.Collections collections() {
    return new StoreMetrics.Collections(0, Optional.empty());
  }

  /**
   * Gives free space at the end of the heap back, as {@link io.pmstore.PmStore#compact} says, while
   * no collection runs. Returns the bytes given back.
   */
  long compact();

  /**
   * Checks all objects that can be reached, as {@link io.pmstore.PmStore#verify} says. Changes
   * nothing. No transaction may run meanwhile.
   *
   * @param progress told how far it is
   * @return what was found
   */
  VerificationReport verify(VerificationProgress progress);

  /** Does as {@link #verify(VerificationProgress)}, and tells nobody how far it is. */
  default VerificationReport verify() {
    return verify(VerificationProgress.NONE);
  }

  /** Stops the collector at its next step. The heap is still open. Closing twice is harmless. */
  void close();
}
