package io.pmstore.core.engine.mapped.files;

import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.mapped.header.FileFault;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.ReadOnlyMedium;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The contents of a directory, and the creation of a store in it.
 *
 * <p>The heap file gets its name last, when everything is durable. So a directory that has {@code
 * heap.new} or {@code heap.backup} but no {@code heap} never held a store, and a directory with
 * {@code heap} holds a whole store or a damaged one.
 */
public final class StoreDirectory {
  private static final Set<String> OWN = own();
  private static final int NAMES_SHOWN_MAX = 5;

  private StoreDirectory() {}

  private static Set<String> own() {
    Set<String> names = new TreeSet<>(StoreLayout.PARTS);
    names.addAll(
        List.of(StoreLayout.LOCK, StoreLayout.HEAP, StoreLayout.HEAP_NEW, StoreLayout.HEAP_BACKUP));
    return names;
  }

  /**
   * Returns true if a directory holds a store, false if a store can be created in it.
   *
   * @param names of its entries
   * @throws StoreFormatException if it holds something else, or an unfinished backup
   * @throws StoreDamagedException if it holds parts of a store
   */
  public static boolean holdsStore(Path directory, SortedSet<String> names) {
    boolean taken = isTaken(directory, names);
    if (isUnfinishedBackup(names)) {
      throw new StoreFormatException(
          "%s holds an unfinished backup ('%s'): the backup is still running, or its process was killed. If none is running, delete the directory and make the backup again; another backup to the same directory replaces it too"
              .formatted(directory, StoreLayout.HEAP_BACKUP));
    }
    return taken;
  }

  /**
   * Returns true if a directory holds what a killed or running backup has written so far.
   *
   * @param names of its entries
   */
  public static boolean isUnfinishedBackup(SortedSet<String> names) {
    return names.contains(StoreLayout.HEAP_BACKUP) && !names.contains(StoreLayout.HEAP);
  }

  /**
   * Returns true if a directory holds a store, false if a backup can be written to it: to an
   * unfinished one too.
   *
   * @param names of its entries
   * @throws StoreFormatException if it holds something else
   * @throws StoreDamagedException if it holds parts of a store
   */
  public static boolean isTaken(Path directory, SortedSet<String> names) {
    SortedSet<String> foreign = new TreeSet<>(names);
    foreign.removeAll(OWN);
    boolean heap = names.contains(StoreLayout.HEAP);
    if (!heap && !foreign.isEmpty()) {
      throw new StoreFormatException(
          ("%s holds %s and no file '%s': it is no pmstore store, or one of an engine that is not"
               + " here (a PMDK pool needs io.pmstore:pmstore-llpl), and a new one is only made in"
               + " an absent or empty directory; choose another directory")
              .formatted(
                  directory,
                  foreign.stream().limit(NAMES_SHOWN_MAX).toList()
                      + (foreign.size() > NAMES_SHOWN_MAX ? " and others" : ""),
                  StoreLayout.HEAP));
    }
    if (isUnfinishedBackup(names)
        || (!heap && names.contains(StoreLayout.HEAP_NEW) && names.contains(StoreLayout.LOCK))) {
      return false;
    }
    for (String part : StoreLayout.PARTS) {
      if (names.contains(part) != heap) {
        throw new StoreDamagedException(
            heap
                ? "%s has no file '%s': a part of the store is missing, and its data is still in '%s', so delete nothing; put the missing file back, or %s"
                    .formatted(
                        directory,
                        part,
                        StoreLayout.HEAP,
                        isClosed(directory)
                            ? "let it be made: " + FileFault.advice(directory)
                            : "restore the directory from a backup")
                : "%s has '%s' but no file '%s', which holds the data of the store; put that back, or restore the directory from a backup"
                    .formatted(directory, part, StoreLayout.HEAP));
      }
    }
    if (!heap && names.contains(StoreLayout.HEAP_NEW)) {
      throw new StoreFormatException(
          "%s holds '%s' without '%s', as no interrupted creation of a store leaves it; put the missing file back, or choose another directory"
              .formatted(directory, StoreLayout.HEAP_NEW, StoreLayout.LOCK));
    }
    return heap;
  }

  /**
   * Returns true if the directory's heap has a readable header that says that the store was closed.
   */
  private static boolean isClosed(Path directory) {
    try (MediumFile heap = new ReadOnlyMedium(directory).open(StoreLayout.HEAP)) {
      return HeapHeaderFile.read(heap, directory).current().closed();
    } catch (IOException | PmStoreException e) {
      return false; // opening reports the fault once the missing file is back
    }
  }

  /** The contents of a new store's heap. */
  public interface Contents {
    /** Returns the name of the heap file until the store is whole. */
    default String unfinishedHeap() {
      return StoreLayout.HEAP_NEW;
    }

    /** Returns the size of the heap, one that a heap can have. */
    long heapSize();

    /**
     * Returns when a repair computed the sums of the contents, in milliseconds since 1970, or 0.
     */
    default long sumsMade() {
      return 0;
    }

    /**
     * Writes the heap except the header copies, and the sums of the written pages; neither need be
     * durable. The heap is all zeros before.
     */
    void write(MediumFile heap, PageSums sums) throws IOException;
  }

  /** An unwritten heap of the smallest size. */
  public static final Contents EMPTY =
      new Contents() {
        @Override
        public long heapSize() {
          return StoreLayout.HEAP_MIN;
        }

        @Override
        public void write(MediumFile heap, PageSums sums) {}
      };

  /**
   * Creates a store. The directory is locked, and empty except for what an interrupted creation
   * left. If this fails there is no store, and its files are deleted.
   *
   * @param segmentSize the log's normal segment size in bytes
   */
  public static void create(Medium medium, long segmentSize, Storage storage, Contents contents)
      throws IOException {
    deleteHalfMade(medium);
    try {
      make(medium, segmentSize, storage, contents);
    } catch (Throwable e) {
      try {
        deleteHalfMade(medium);
      } catch (IOException | RuntimeException deleting) {
        e.addSuppressed(deleting);
      }
      throw e;
    }
  }

  private static void make(Medium medium, long segmentSize, Storage storage, Contents contents)
      throws IOException {
    UUID name = newStoreName();
    String unfinished = contents.unfinishedHeap();
    try (MediumFile heap = medium.create(unfinished)) {
      // Durable before any other file: parts without a heap or an unfinished one mean that a store
      // lost its heap.
      medium.syncDirectory();
      for (int i = 0; i < StoreLayout.LOG_SEGMENTS; i++) {
        StoreFiles.makeSegment(
                medium, StoreLayout.log(i), name, i, StoreLayout.firstSegmentSize(segmentSize))
            .close();
      }
      heap.allocate(0, contents.heapSize(), false);
      try (MediumFile sums = medium.create(StoreLayout.SUMS)) {
        PageSums.create(sums, name, contents.heapSize(), contents.sumsMade());
        contents.write(heap, new PageSums(sums));
        sums.sync();
      }
      HeapHeaderFile.create(
          heap,
          new HeapHeader(
              name,
              storage,
              0,
              1,
              true,
              RedoLog.startOf(0, 1),
              contents.heapSize(),
              segmentSize,
              List.of()));
    }
    medium.syncDirectory();
    medium.rename(unfinished, StoreLayout.HEAP);
    try {
      medium.syncDirectory();
    } catch (Throwable e) {
      medium.rename(StoreLayout.HEAP, unfinished); // to be deleted with the rest
      throw e;
    }
  }

  private static UUID newStoreName() throws IOException {
    UUID name = randomName();
    // The store's id in log records would be zero, which every unwritten byte matches.
    return name.getMostSignificantBits() == name.getLeastSignificantBits() ? newStoreName() : name;
  }

  /**
   * Returns a random UUID from the JDK's source of randomness. UUID.randomUUID would take a new
   * process as long as creating the files.
   */
  private static UUID randomName() throws IOException {
    byte[] bytes = new byte[16];
    try (InputStream random = new FileInputStream("/dev/urandom")) {
      if (random.readNBytes(bytes, 0, bytes.length) < bytes.length) {
        throw new EOFException("/dev/urandom has ended");
      }
    }
    ByteBuffer name = ByteBuffer.wrap(bytes);
    // the version, 4, and the variant
    return new UUID(
        (name.getLong() & ~0xF000L) | 0x4000L, (name.getLong() & (~0L >>> 2)) | Long.MIN_VALUE);
  }

  private static void deleteHalfMade(Medium medium) throws IOException {
    SortedSet<String> names = medium.list();
    if (names.contains(StoreLayout.HEAP)) {
      return;
    }
    // The heap goes last: as long as it is there, the directory can be recognized as half-made.
    for (String part : StoreLayout.PARTS) {
      if (names.contains(part)) {
        medium.delete(part);
      }
    }
    medium.syncDirectory();
    for (String unfinished : List.of(StoreLayout.HEAP_NEW, StoreLayout.HEAP_BACKUP)) {
      if (names.contains(unfinished)) {
        medium.delete(unfinished);
        medium.syncDirectory();
      }
    }
  }
}
