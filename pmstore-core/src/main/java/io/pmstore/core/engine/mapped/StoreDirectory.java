package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What a directory holds, and how a store comes to be in it.
 *
 * <p>The heap file gets its name last, when everything is durable. So a directory without it in
 * which one is being made never held a store, and a directory with it holds a whole one, or a
 * damaged one.
 */
final class StoreDirectory {
  private static final Set<String> OWN = own();
  // In the root directory of every ext file system.
  private static final String LOST_AND_FOUND = "lost+found";
  private static final int NAMES_SHOWN_MAX = 5;

  private StoreDirectory() {}

  private static Set<String> own() {
    Set<String> names = new TreeSet<>(StoreLayout.PARTS);
    names.addAll(List.of(StoreLayout.LOCK, StoreLayout.HEAP, StoreLayout.HEAP_NEW));
    return names;
  }

  /**
   * Says whether a directory holds a store.
   *
   * @param names of its entries
   * @return true if it does; false if a store can be made in it
   * @throws StoreFormatException if it holds something else
   * @throws StoreDamagedException if it holds parts of a store
   */
  static boolean holdsStore(Path directory, SortedSet<String> names) {
    SortedSet<String> foreign = new TreeSet<>(names);
    foreign.removeAll(OWN);
    foreign.remove(LOST_AND_FOUND);
    boolean heap = names.contains(StoreLayout.HEAP);
    if (!heap && !foreign.isEmpty()) {
      throw new StoreFormatException(
          ("%s holds %s and no file '%s': it is no pmstore store, and a new one is only made in an"
                  + " absent or empty directory; choose another directory")
              .formatted(
                  directory,
                  foreign.stream().limit(NAMES_SHOWN_MAX).toList()
                      + (foreign.size() > NAMES_SHOWN_MAX ? " and others" : ""),
                  StoreLayout.HEAP));
    }
    if (!heap && (names.contains(StoreLayout.HEAP_NEW) && names.contains(StoreLayout.LOCK))) {
      return false;
    }
    for (String part : StoreLayout.PARTS) {
      if (names.contains(part) != heap) {
        throw new StoreDamagedException(
            ("%s has '%s' but no file '%s': a part of the store is missing; restore the directory"
                    + " from a backup, or empty it to make a new store")
                .formatted(
                    directory, heap ? StoreLayout.HEAP : part, heap ? part : StoreLayout.HEAP));
      }
    }
    if (!heap && names.contains(StoreLayout.HEAP_NEW)) {
      throw new StoreFormatException(
          "%s holds '%s' without '%s', as no interrupted creation of a store leaves it; empty it to make a new store"
              .formatted(directory, StoreLayout.HEAP_NEW, StoreLayout.LOCK));
    }
    return heap;
  }

  /**
   * Makes a store; the directory is locked, and holds nothing but what an interrupted creation
   * left.
   */
  static void create(Medium medium, PmStoreOptions options, Storage storage) throws IOException {
    deleteHalfMade(medium);
    try {
      make(medium, options, storage);
    } catch (Throwable e) {
      try {
        deleteHalfMade(medium);
      } catch (IOException | RuntimeException deleting) {
        e.addSuppressed(deleting);
      }
      throw e;
    }
  }

  private static void make(Medium medium, PmStoreOptions options, Storage storage)
      throws IOException {
    UUID name = newStoreName();
    try (MediumFile heap = medium.create(StoreLayout.HEAP_NEW)) {
      // Durable before any other file: a part without any heap is of a store that lost its heap.
      medium.syncDirectory();
      for (int i = 0; i < StoreLayout.LOG_SEGMENTS; i++) {
        try (MediumFile log = medium.create(StoreLayout.log(i))) {
          log.allocate(0, options.logSegmentSize(), true);
          byte[] header = new LogSegmentHeader(name, i, options.logSegmentSize()).encode();
          log.write(0, header, 0, header.length);
          log.sync();
        }
      }
      try (MediumFile sums = medium.create(StoreLayout.SUMS)) {
        PageSums.create(sums, name, HeapMemory.EXTENT_SIZE);
      }
      heap.allocate(0, HeapMemory.EXTENT_SIZE, false);
      HeaderFile.create(
          heap,
          new HeapHeader(
              name,
              storage,
              0,
              1,
              true,
              RedoLog.startOf(0, 1),
              HeapMemory.EXTENT_SIZE,
              options.logSegmentSize(),
              List.of()));
    }
    medium.syncDirectory();
    medium.rename(StoreLayout.HEAP_NEW, StoreLayout.HEAP);
    medium.syncDirectory();
  }

  private static UUID newStoreName() {
    UUID name = UUID.randomUUID();
    // Zero as the store's id in log records would be found in every unwritten byte.
    return name.getMostSignificantBits() == name.getLeastSignificantBits() ? newStoreName() : name;
  }

  private static void deleteHalfMade(Medium medium) throws IOException {
    SortedSet<String> names = medium.list();
    if (names.contains(StoreLayout.HEAP)) {
      return;
    }
    // The heap goes last: as long as it is there, the directory can be told to be half-made.
    for (String part : StoreLayout.PARTS) {
      if (names.contains(part)) {
        medium.delete(part);
      }
    }
    medium.syncDirectory();
    if (names.contains(StoreLayout.HEAP_NEW)) {
      medium.delete(StoreLayout.HEAP_NEW);
      medium.syncDirectory();
    }
  }
}
