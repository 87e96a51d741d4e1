package io.pmstore.jmh.ycsb;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.jmh.nvwal.NvwalProvider;
import java.nio.file.Path;
import java.util.Map;

/** An engine with a heap in DRAM, little persistent memory, and files on a disk. */
enum PoolEngine {
  /** Two pools of images. */
  TIERED("pmstore-tiered") {
    @Override
    PmStore open(Path disk, Path pools, long poolBytes) {
      return PmStore.open(
          disk,
          PmStoreOptions.defaults()
              .storage(Storage.TIERED)
              .tieredPools(pools, Storage.PERSISTENT_MEMORY)
              .tieredPoolSize(poolBytes / 2));
    }
  },
  /** A redo log of the same size. */
  NVWAL("nvwal") {
    @Override
    PmStore open(Path disk, Path pools, long poolBytes) {
      return PmStore.open(
          disk,
          PmStoreOptions.defaults()
              .engine(
                  NvwalProvider.NAME,
                  Map.of(
                      "log.size", Long.toString(poolBytes),
                      "log.medium", "pmem",
                      "log.directory", pools.toString())));
    }
  };

  private final String label;

  PoolEngine(String label) {
    this.label = label;
  }

  /** Its name in the results. */
  String label() {
    return label;
  }

  /**
   * Opens a store; makes it at the first time.
   *
   * @param disk the store's directory, and that of its files
   * @param pools a directory on persistent memory
   * @param poolBytes how much of it is used
   */
  abstract PmStore open(Path disk, Path pools, long poolBytes);
}
