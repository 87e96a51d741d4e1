package io.pmstore.jmh.workload;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.oms.targets.TargetSettings;
import java.nio.file.Path;
import java.time.Duration;

/** Opens pmstore as a deployment says. */
public final class PmStores {
  private static final long LLPL_POOL_BYTES = 16L << 30;

  private PmStores() {}

  /**
   * Opens a store; makes it at the first time.
   *
   * @param deployment one of pmstore
   * @param directory absent, empty or with such a store
   * @return the store
   */
  public static PmStore open(Deployment deployment, Path directory) {
    Storage storage =
        switch (deployment.kind()) {
          case PMSTORE ->
              deployment.medium().equals(Deployment.PMEM)
                  ? Storage.PERSISTENT_MEMORY
                  : Storage.FILE;
          case PMSTORE_LLPL -> Storage.LLPL;
          case SQLITE, POSTGRES, HASHMAP ->
              throw new IllegalArgumentException(deployment + " is not pmstore");
        };
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(storage).llplPoolSize(LLPL_POOL_BYTES);
    return PmStore.open(
        directory,
        deployment.relaxed()
            ? options.durability(
                Durability.relaxed(Duration.ofMillis(TargetSettings.RELAXED_BOUND_MILLIS)))
            : options);
  }
}
