package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The open files of a store. */
final class TieredFiles implements AutoCloseable {
  private final Places places;
  private final StoreHeaderFile header;
  private final MediumFile[] pools = new MediumFile[TieredLayout.POOLS];
  private final Arena arena = Arena.ofShared();

  /**
   * Opens the pools of a store and checks that they are its own. Changes nothing.
   *
   * @param header closed with these files
   * @param writable true to map pools of persistent memory, so that they are written in place
   */
  TieredFiles(Places places, StoreHeaderFile header, boolean writable) throws IOException {
    this.places = places;
    this.header = header;
    try {
      for (int i = 0; i < pools.length; i++) {
        openPool(i);
      }
      checkSpills();
      if (writable && places.pools().storesInPlace()) {
        for (MediumFile pool : pools) {
          pool.map(0, pool.size(), arena);
        }
      }
    } catch (Throwable e) {
      closeAfter(e, this);
      throw e;
    }
  }

  private void openPool(int number) throws IOException {
    String name = TieredLayout.pool(number);
    Path path = places.pools().directory().resolve(name);
    if (!places.pools().list().contains(name)) {
      throw new StoreDamagedException(
          "%s is missing, a pool of the store in %s. If its directory or device has another path now, open the store with PmStoreOptions.tieredPools; else restore the store from a backup"
              .formatted(path, places.main().directory()));
    }
    MediumFile file = places.pools().open(name);
    pools[number] = file;
    StoreHeader store = header.current();
    long size = PoolLayout.size(store.slots());
    if (file.size() != size) {
      throw new StoreDamagedException(
          "%s has %d bytes; the pool has %d. It was truncated or replaced; restore the store from a backup"
              .formatted(path, file.size(), size));
    }
    byte[] found = new byte[PoolLayout.HEADER];
    file.read(0, found, 0, found.length);
    if (!Arrays.equals(found, PoolLayout.header(store.store(), number, store.slots()))) {
      @Nullable UUID other = PoolLayout.store(found);
      throw new StoreDamagedException(
          "%s %s. Put the pool of the store in %s back, or restore the store from a backup"
              .formatted(
                  path,
                  other == null
                      ? "does not start with the header of a pool: it was replaced or overwritten"
                      : "is a pool of the store %s, or its other pool; this store is %s"
                          .formatted(other, store.store()),
                  places.main().directory()));
    }
  }

  private void checkSpills() throws IOException {
    SortedSet<String> names = places.spills().list();
    for (String needed : spills()) {
      if (!names.contains(needed)) {
        throw new StoreDamagedException(
            "%s is missing, a file of the store in %s. If its directory has another path now, open the store with PmStoreOptions.tieredSpillDirectory; else restore the store from a backup"
                .formatted(places.spills().directory().resolve(needed), places.main().directory()));
      }
    }
  }

  /** Returns the names of the base and of the spills that recovery reads, in this order. */
  List<String> spills() {
    StoreHeader store = header.current();
    List<String> names = new ArrayList<>();
    if (store.base() > 0) {
      names.add(TieredLayout.base(store.base()));
    }
    for (long i = store.base() + 1; i <= store.spill(); i++) {
      names.add(TieredLayout.spill(i));
    }
    return names;
  }

  /**
   * Deletes spills that recovery does not read: unfinished ones, and those that a base replaces.
   */
  void deleteOthers() throws IOException {
    List<String> needed = spills();
    for (String name : places.spills().list()) {
      if (TieredLayout.isSpill(name) && !needed.contains(name)) {
        places.spills().delete(name);
      }
    }
  }

  /** Returns the bytes that recovery reads. */
  long loadedBytes() throws IOException {
    long bytes = 0;
    for (MediumFile pool : pools) {
      bytes += pool.size();
    }
    for (String name : spills()) {
      bytes += size(name);
    }
    return bytes;
  }

  /** Reads a file of {@link #spills}. */
  long read(String name, LoadTasks tasks, SpillReader.Images images) throws IOException {
    try (MediumFile file = places.spills().open(name)) {
      return reader(name, file, tasks).read(images);
    }
  }

  /** Returns the position up to which a file of {@link #spills} has commits. */
  long position(String name) throws IOException {
    try (MediumFile file = places.spills().open(name);
        LoadTasks tasks = new LoadTasks(0)) {
      return reader(name, file, tasks).position();
    }
  }

  /** Returns the size of a file of {@link #spills} in bytes. */
  long size(String name) throws IOException {
    try (MediumFile file = places.spills().open(name)) {
      return file.size();
    }
  }

  private SpillReader reader(String name, MediumFile file, LoadTasks tasks) {
    boolean base = name.startsWith(TieredLayout.BASE);
    long number = Long.parseLong(name.substring(name.indexOf('-') + 1));
    Path path = places.spills().directory().resolve(name);
    return new SpillReader(file, path, header.current().store(), number, base, tasks);
  }

  Places places() {
    return places;
  }

  StoreHeaderFile header() {
    return header;
  }

  MediumFile pool(int number) {
    return pools[number];
  }

  Path directory() {
    return places.main().directory();
  }

  Path poolPath(int number) {
    return places.pools().directory().resolve(TieredLayout.pool(number));
  }

  @Override
  public void close() throws IOException {
    try (var _ = header;
        var _ = pools[0];
        var _ = pools[1];
        var _ = arena) {
      // closes all, the last one first, although one may throw
    }
  }
}
