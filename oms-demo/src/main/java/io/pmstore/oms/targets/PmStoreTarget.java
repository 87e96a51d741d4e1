package io.pmstore.oms.targets;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.time.Duration;

/** pmstore, on any of its storages. */
public final class PmStoreTarget implements OmsTarget {
  private final TargetKind kind;
  private final TargetSettings settings;

  PmStoreTarget(TargetKind kind, TargetSettings settings) {
    this.kind = kind;
    this.settings = settings;
  }

  /**
   * Opens a store, as wherever pmstore is compared; makes it at the first time.
   *
   * @param kind {@link TargetKind#PMSTORE}, {@link TargetKind#PMSTORE_LLPL} or {@link
   *     TargetKind#PMSTORE_TIERED}
   * @param settings how
   * @return the store; the caller closes it
   */
  public static PmStore openStore(TargetKind kind, TargetSettings settings) {
    Storage storage =
        switch (kind) {
          case PMSTORE ->
              settings.medium() == Medium.PMEM ? Storage.PERSISTENT_MEMORY : Storage.FILE;
          case PMSTORE_LLPL -> Storage.LLPL;
          case PMSTORE_TIERED -> Storage.TIERED;
          case LLPL_RAW, SQLITE, POSTGRES ->
              throw new IllegalArgumentException(kind + " is not pmstore");
        };
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(settings.llplPoolBytes())
            .tieredPools(
                settings.medium() == Medium.PMEM ? Storage.PERSISTENT_MEMORY : Storage.FILE);
    if (settings.relaxed()) {
      options =
          options.durability(
              Durability.relaxed(Duration.ofMillis(TargetSettings.RELAXED_BOUND_MILLIS)));
    }
    return PmStore.open(settings.directory(), options);
  }

  @Override
  public OmsService open() {
    PmStore store = openStore(kind, settings);
    try {
      return new PmStoreService(store);
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  @Override
  public DiskUse diskUse() {
    return kind.diskUse(settings.directory());
  }
}
