package io.pmstore.tiered;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.medium.Media;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Creates stores. The header has another name until everything else is durable, so a crash leaves a
 * store, or something that says to be unfinished and where its parts are.
 */
final class StoreCreation {
  private StoreCreation() {}

  /** Creates a store in place of an unfinished one, if there is one. */
  static void create(Medium main, PmStoreOptions options, Places.Media media) throws IOException {
    @Nullable StoreHeader unfinished = unfinished(main);
    StoreHeader first = first(main, options, media);
    UUID known = unfinished == null ? first.store() : unfinished.store();
    for (DirectoryOwner owner : DirectoryOwner.all(first, known, media::of)) {
      owner.check(); // before anything is deleted
    }
    if (unfinished != null) {
      for (DirectoryOwner owner : DirectoryOwner.all(unfinished, known, media::of)) {
        owner.removeUnfinished(main.directory(), media.rights());
      }
    }
    if (main.list().contains(TieredLayout.HEADER_NEW)) {
      TieredLayout.deletePools(main);
      main.delete(TieredLayout.HEADER_NEW); // last: it says that the others are unfinished
    }
    Places places = Places.of(main, first, options, media);
    StoreHeaderFile.create(main.create(TieredLayout.HEADER_NEW), first);
    main.syncDirectory(); // before a mark or a pool is there: it says that the store is unfinished
    for (DirectoryOwner owner : DirectoryOwner.all(first, first.store(), media::of)) {
      owner.claim();
    }
    for (int i = 0; i < TieredLayout.POOLS; i++) {
      createPool(places.pools(), first, i);
    }
    places.pools().syncDirectory();
    main.rename(TieredLayout.HEADER_NEW, TieredLayout.HEADER);
    main.syncDirectory();
  }

  /** Returns the header of an unfinished store; null if there is none, or it was being written. */
  private static @Nullable StoreHeader unfinished(Medium main) throws IOException {
    if (!main.list().contains(TieredLayout.HEADER_NEW)) {
      return null;
    }
    byte[] copy = new byte[StoreHeader.SIZE];
    try (MediumFile file = main.open(TieredLayout.HEADER_NEW)) {
      for (int i = 0; i < StoreHeaderFile.COPIES && file.size() >= (i + 1L) * copy.length; i++) {
        file.read((long) i * copy.length, copy, 0, copy.length);
        if (StoreHeader.fault(copy) == null) {
          return StoreHeader.decode(copy);
        }
      }
    }
    return null;
  }

  private static StoreHeader first(Medium main, PmStoreOptions options, Places.Media media)
      throws IOException {
    Path pools = options.tieredPoolDirectory().orElse(main.directory());
    media.rights().createDirectories(pools);
    media.rights().createDirectories(options.tieredSpillDirectory().orElse(main.directory()));
    Storage medium = options.tieredPoolStorage();
    if (medium == Storage.AUTO) {
      medium =
          Media.isDax(pools) && PmemMedium.hasLibrary() ? Storage.PERSISTENT_MEMORY : Storage.FILE;
    }
    StoreHeader first =
        new StoreHeader(
            UUID.randomUUID(),
            0,
            PoolLayout.slots(options.tieredPoolSize()),
            medium,
            1,
            false,
            List.of(1L, 1L),
            0,
            0,
            0,
            List.of(StoreHeader.Contents.NONE, StoreHeader.Contents.NONE),
            null,
            null,
            List.of());
    return Places.named(main, first, options);
  }

  private static void createPool(Medium pools, StoreHeader store, int number) throws IOException {
    try (MediumFile file = pools.create(TieredLayout.pool(number))) {
      file.allocate(0, PoolLayout.size(store.slots()), false);
      byte[] header = PoolLayout.header(store.store(), number, store.slots());
      file.write(0, header, 0, header.length);
      file.sync();
    }
  }
}
