package io.pmstore.core.heap;

import io.pmstore.VerificationReport;
import java.util.ServiceLoader;

/**
 * What knows which objects of a heap can be reached. Found by {@link ServiceLoader}, as a {@link
 * Provider}.
 */
public interface Collector {
  /** Makes the collector of one store. */
  interface Provider {
    /**
     * Makes the collector of a heap that has just been opened.
     *
     * @param heap the heap
     * @return its collector
     */
    Collector open(Heap heap);
  }

  /**
   * Walks all that can be reached and checks it, as {@link io.pmstore.PmStore#verify} says. Changes
   * nothing. No transaction may run meanwhile.
   *
   * @return what was found
   */
  VerificationReport verify();
}
