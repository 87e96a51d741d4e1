package io.pmstore.llpl;

import static io.pmstore.core.engine.FailedOpening.orClose;

import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.TransactionException;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreLockedException;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.medium.AccessRights;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The open pool of a store, with everything that has to be released when it is closed: the lock,
 * the views of its memory, the mapping.
 *
 * @param files the files of the store
 * @param set the description of a growing pool for PMDK
 * @param root the root block of the pool
 * @param growth makes the pool larger
 * @param arena the arena of all views of the pool's memory; it ends before the pool is closed
 */
record OpenPool(
    PoolFiles files,
    PoolHeader header,
    LlplPool pool,
    @Nullable PoolSet set,
    PoolGrowth growth,
    PoolRoot root,
    Arena arena,
    StoreLock lock) {
  // PMDK finds pools by their identity, and copies have the same.
  private static final ConcurrentMap<UUID, Path> OPEN = new ConcurrentHashMap<>();

  /**
   * Opens the store in a directory, or makes one there.
   *
   * @param directory of the store; made if there is none
   * @param options of which the pool's size matters, for a new store
   * @param trial whether to try the pool apart even if it was closed
   * @return the open pool; exceptions are those of {@link LlplEngine#open}
   */
  static OpenPool open(Path directory, PmStoreOptions options, boolean trial) {
    try {
      AccessRights rights = PoolFiles.rights(directory, options.groupAccess());
      PoolFiles files = new PoolFiles(directory, rights);
      files.precheck();
      files.createDirectory();
      StoreLock lock = StoreLock.acquire(directory, rights);
      return orClose(lock::release, () -> open(files, options, trial, lock));
    } catch (IOException e) {
      throw new PmStoreException("cannot open store %s: %s".formatted(directory, e), e);
    } catch (LinkageError | IllegalCallerException | UnsupportedOperationException e) {
      throw new PmStoreException(NativeLibraries.explain(e), e);
    }
  }

  private static OpenPool open(
      PoolFiles files, PmStoreOptions options, boolean trial, StoreLock lock) throws IOException {
    if (!files.exist()) {
      files.refuseOthers(); // again, now that nobody else makes one
      files.create(options.llplPoolSize());
    } else {
      files.syncNames();
    }
    PoolHeader header = files.check();
    Arena arena = Arena.ofShared();
    Path other = OPEN.putIfAbsent(header.uuid(), files.pool());
    if (other != null) {
      arena.close();
      throw new StoreLockedException(
          "%s is a copy of %s, which is open in this process; PMDK cannot have both open in one process, so close that one first"
              .formatted(files.pool(), other));
    }
    PoolSet set = null;
    LlplPool pool = null;
    try (PoolParts parts = PoolParts.open(files.pool(), header)) {
      if (header.growing()) {
        files.tidyUp(parts);
      }
      if (trial || !header.closed()) {
        PoolTrial.run(files, parts);
      }
      files.noteOpen(header);
      set = header.growing() ? files.writeSet(header) : null;
      pool = openPool(files, set);
      PoolRoot root = PoolRoot.open(pool, header, files.pool(), arena);
      PoolGrowth growth = new PoolGrowth(pool, header, parts, set, files);
      return new OpenPool(files, header, pool, set, growth, root, arena, lock);
    } catch (Throwable e) {
      giveBack(header, pool, set, arena);
      throw e;
    }
  }

  /** Opens a pool that the checks have let pass. */
  static LlplPool openPool(PoolFiles files, @Nullable PoolSet set) {
    try {
      return set == null ? LlplPool.open(files.pool()) : LlplPool.open(set);
    } catch (HeapException | TransactionException e) {
      throw new StoreDamagedException(
          "PMDK cannot open %s: %s. If the file is writable and no other program has it open, it is damaged: restore it from a backup"
              .formatted(files.pool(), e.getMessage()),
          e);
    }
  }

  private static void giveBack(
      PoolHeader header, @Nullable LlplPool pool, @Nullable PoolSet set, Arena arena)
      throws IOException {
    try {
      arena.close(); // readers that still hold a segment get an exception from now on, not a fault
      if (pool != null) {
        pool.close();
      }
      if (set != null) {
        set.close();
      }
    } finally {
      OPEN.remove(header.uuid());
    }
  }

  /**
   * Closes the pool, and gives the store's lock back whatever happens.
   *
   * @param whole whether all went well, so that the pool can be sealed
   */
  void close(boolean whole) {
    try {
      giveBack(header, pool, set, arena);
      if (whole) {
        files.noteClosed(header);
      }
    } catch (IOException e) {
      throw new PmStoreException(
          "store %s is closed and whole, but cannot be sealed: %s".formatted(files.pool(), e), e);
    } finally {
      lock.release();
    }
  }
}
