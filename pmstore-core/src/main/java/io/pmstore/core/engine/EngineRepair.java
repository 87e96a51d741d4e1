package io.pmstore.core.engine;

import io.pmstore.PmStoreException;
import io.pmstore.RepairReport;
import io.pmstore.StoreDamagedException;
import io.pmstore.VerificationReport;

/**
 * The repair of a closed store: {@link #prepare} recreates lost files beside the store, {@link
 * #finish} puts them in their places. Holds the store's lock until it is closed. Not thread-safe.
 */
public interface EngineRepair extends AutoCloseable {
  /**
   * Creates the new files, beside the store.
   *
   * @return the repaired store, for reading, which this repair closes. The caller verifies it
   *     before {@link #finish} if {@link #mustVerify}
   * @throws StoreDamagedException if the files do not belong together
   * @throws io.pmstore.StoreFullException if there is no room
   * @throws PmStoreException if a file cannot be read or written
   */
  Engine prepare();

  /**
   * Returns true if the caller must verify the store before {@link #finish}: the new checksums were
   * computed from the pages, so they show no damage from before. Returns false if the store kept
   * its own checksums.
   */
  boolean mustVerify();

  /** Returns the exception to throw if verification found faults. */
  StoreDamagedException unsound(VerificationReport found);

  /**
   * Gives the new files their final names, durably; keeps the files that they replace.
   *
   * @throws PmStoreException if that failed; the store can be repaired again
   */
  RepairReport finish();

  /** Deletes new files without final names, and releases the lock. */
  @Override
  void close();
}
