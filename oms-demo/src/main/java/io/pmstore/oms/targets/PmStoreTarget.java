package io.pmstore.oms.targets;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.time.Duration;

/** pmstore, on any of its storages. */
final class PmStoreTarget implements OmsTarget {
  private final TargetSettings settings;
  private final Storage storage;

  PmStoreTarget(TargetSettings settings, Storage storage) {
    this.settings = settings;
    this.storage = storage;
  }

  @Override
  public OmsService open() {
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(storage).llplPoolSize(settings.llplPoolBytes());
    if (settings.relaxed()) {
      options =
          options.durability(
              Durability.relaxed(Duration.ofMillis(TargetSettings.RELAXED_BOUND_MILLIS)));
    }
    return new PmStoreService(PmStore.open(settings.directory(), options));
  }

  @Override
  public DiskUse diskUse() {
    DiskUse use = DiskUse.of(settings.directory(), "log", "redo");
    // PMDK's logs are inside the pool.
    return storage == Storage.LLPL ? new DiskUse(use.bytes(), -1) : use;
  }

  @Override
  public void close() {
    // Everything is in the directory.
  }
}
