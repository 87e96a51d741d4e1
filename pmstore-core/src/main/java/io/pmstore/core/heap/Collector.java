package io.pmstore.core.heap;

import io.pmstore.GcReport;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreStatistics;
import io.pmstore.VerificationReport;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * What knows which objects of a heap can be reached. Found by {@link ServiceLoader}, as a {@link
 * Provider}. Safe for use by any number of threads.
 */
public interface Collector {
  /** Makes the collector of one store. */
  interface Provider {
    /**
     * Makes the collector of a heap that has just been opened. It does nothing by itself before
     * {@link Collector#start}.
     *
     * @param heap the heap
     * @return its collector
     */
    Collector open(Heap heap);
  }

  /**
   * Begins to collect, as the options say. To be called once, before the first transaction of a
   * user.
   *
   * @param options of the store
   * @param directory of the store, to tell it from others
   */
  void start(PmStoreOptions options, Path directory);

  /**
   * Collects all that cannot be reached now, as {@link io.pmstore.PmStore#gc} says.
   *
   * @return what was found and freed
   */
  GcReport collect();

  /**
   * Counts what there is, as {@link io.pmstore.PmStore#statistics} says.
   *
   * @return the counts
   */
  StoreStatistics statistics();

  /**
   * Gives the end of the heap back, as {@link io.pmstore.PmStore#compact} says, while no collection
   * runs.
   *
   * @return the bytes given back
   */
  long compact();

  /**
   * Walks all that can be reached and checks it, as {@link io.pmstore.PmStore#verify} says. Changes
   * nothing. No transaction may run meanwhile.
   *
   * @return what was found
   */
  VerificationReport verify();

  /** Ends what was started, at its next step. The heap is still open. Closing twice is harmless. */
  void close();
}
