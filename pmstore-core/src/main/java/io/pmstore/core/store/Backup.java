package io.pmstore.core.store;

import io.pmstore.PmStoreException;
import io.pmstore.core.engine.BackupTarget;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Copies an open store of any engine, as a snapshot shows it, into a new store of mapped files. */
final class Backup {
  private Backup() {}

  /**
   * Writes a backup.
   *
   * @param engines of which one writes it
   * @param heap of the store
   * @param source the store's directory
   * @param logSegmentSize of the backup, in bytes
   * @param target where the backup will be
   */
  static void write(Engines engines, Heap heap, Path source, long logSegmentSize, Path target) {
    if (heap.inTransaction()) {
      throw new IllegalStateException(
          "a backup inside a transaction or a snapshot would not have what the transaction or"
              + " snapshot shows; make it outside");
    }
    refuseInside(source, target);
    try (BackupTarget writer = engines.backupTo(target, engines.groupAccess(source));
        HeapSnapshot snapshot = heap.openSnapshot()) {
      writer.write(logSegmentSize, snapshot.size(), snapshot::copyExtent, snapshot.checksumsMade());
    } catch (InternalError e) { // what reading a mapped file gives where the disk cannot be read
      throw UnreadableStore.exception(source, e);
    }
  }

  private static void refuseInside(Path source, Path target) {
    try {
      if (realPath(target.toAbsolutePath().normalize()).startsWith(source.toRealPath())) {
        throw new IllegalArgumentException(
            "%s is inside the directory of the store itself, %s; write the backup elsewhere"
                .formatted(target, source));
      }
    } catch (IOException e) {
      throw new PmStoreException(
          "the backup in %s cannot be written: %s; choose another directory".formatted(target, e),
          e);
    }
  }

  /** The real path of what may not be there yet. */
  private static Path realPath(Path path) throws IOException {
    Path parent = path.getParent();
    return Files.exists(path) || parent == null
        ? path.toRealPath()
        : realPath(parent).resolve(path.getFileName());
  }
}
