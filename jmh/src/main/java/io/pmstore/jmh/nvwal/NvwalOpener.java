package io.pmstore.jmh.nvwal;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StorePlatform;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.memory.DramHeap;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** Creates, checks and recovers a store. */
final class NvwalOpener {
  /** What recovery has found. */
  record Recovered(long sequence, long position, long end) {}

  private static final Set<String> UNFINISHED = Set.of(NvwalHeader.UNFINISHED, StoreLock.FILE);

  private NvwalOpener() {}

  static NvwalEngine open(Path directory, NvwalSettings settings) {
    StorePlatform.require(directory);
    if (settings.persistentMemory()) {
      PmemMedium.requireLibrary();
    }
    try {
      for (Path each : List.of(directory, settings.logDirectory(), settings.archiveDirectory())) {
        Files.createDirectories(each);
      }
      StoreLock lock = StoreLock.acquire(directory, AccessRights.OWNER);
      return orClose(lock::release, () -> openLocked(directory, settings, lock));
    } catch (MediumException e) {
      if (e.noRoom()) {
        throw new StoreFullException(
            "there is no room for the store in %s: %s".formatted(directory, e.getMessage()), e);
      }
      throw cannotOpen(directory, e);
    } catch (IOException e) {
      throw cannotOpen(directory, e);
    }
  }

  private static PmStoreException cannotOpen(Path directory, IOException e) {
    return new PmStoreException(
        "the store in %s cannot be opened: %s".formatted(directory, e.getMessage()), e);
  }

  private static NvwalEngine openLocked(Path directory, NvwalSettings settings, StoreLock lock)
      throws IOException {
    Medium main = new FileMedium(directory);
    Medium logs =
        settings.persistentMemory()
            ? new PmemMedium(settings.logDirectory())
            : new FileMedium(settings.logDirectory());
    Medium archives = new FileMedium(settings.archiveDirectory());
    if (!main.list().contains(NvwalHeader.FILE)) {
      create(main, logs, settings);
    }
    MediumFile headerFile = main.open(NvwalHeader.FILE);
    MediumFile log = null;
    DramHeap heap = new DramHeap(directory, HeapMemory.EXTENTS_MAX);
    boolean opened = false;
    try {
      NvwalHeader header = NvwalHeader.read(headerFile, directory);
      log = NvwalLog.open(logs, header, 0);
      heap.grow(1);
      Recovered found = recover(heap, header, log, logs, archives);
      log.sync();
      headerFile.sync(); // before one copy is overwritten
      NvwalHeader now = header.opened(found.sequence()).write(headerFile);
      NvwalEngine engine =
          new NvwalEngine(lock, directory, headerFile, now, logs, log, archives, heap, found);
      opened = true;
      return engine;
    } finally {
      if (!opened) {
        heap.clear();
        heap.close();
        headerFile.close();
        if (log != null) {
          log.close();
        }
      }
    }
  }

  private static void create(Medium main, Medium logs, NvwalSettings settings) throws IOException {
    for (String name : main.list()) {
      if (!UNFINISHED.contains(name)) {
        throw new StoreFormatException(
            "%s is no store and not empty: it has %s; choose another directory, or empty this one"
                .formatted(main.directory(), name));
      }
    }
    main.deleteIfThere(NvwalHeader.UNFINISHED);
    NvwalHeader first = NvwalHeader.first(settings.logSize());
    NvwalLog.create(logs, first);
    logs.syncDirectory();
    try (MediumFile file = main.create(NvwalHeader.UNFINISHED)) {
      file.allocate(0, (long) NvwalHeader.COPIES * NvwalHeader.COPY, false);
      first.write(file);
    }
    main.rename(NvwalHeader.UNFINISHED, NvwalHeader.FILE);
    main.syncDirectory();
  }

  private static Recovered recover(
      DramHeap heap, NvwalHeader header, MediumFile log, Medium logs, Medium archives)
      throws IOException {
    Replay replay = new Replay(heap, header);
    for (long i = 1; i <= header.archives(); i++) {
      try (MediumFile file = NvwalLog.open(archives, header, i)) {
        Path path = archives.directory().resolve(file.name());
        if (replay.run(file, file.size()) != file.size()) {
          throw damaged(path, replay.sequence, "its records do not reach its end");
        }
      }
    }
    Path path = logs.directory().resolve(log.name());
    if (replay.sequence != header.archived()) {
      throw damaged(
          archives.directory(), replay.sequence, "the last one written is " + header.archived());
    }
    long end = replay.run(log, header.logSize());
    if (replay.sequence < header.floor()) {
      throw damaged(path, replay.sequence, header.floor() + " was durable");
    }
    if (header.end() >= 0 && replay.sequence != header.end()) {
      throw damaged(path, replay.sequence, header.end() + " was the last when it was closed");
    }
    return new Recovered(replay.sequence, replay.position, end);
  }

  private static StoreDamagedException damaged(Path path, long sequence, String why) {
    return new StoreDamagedException(
        "%s is damaged: its last whole record is %d, but %s; restore the store from a backup"
            .formatted(path, sequence, why));
  }

  /** Applies records in their order. */
  private static final class Replay {
    private final DramHeap heap;
    private final NvwalHeader header;
    private long sequence;
    private long position;

    Replay(DramHeap heap, NvwalHeader header) {
      this.heap = heap;
      this.header = header;
    }

    /** Applies the records of a file. Returns where they end. */
    long run(MediumFile file, long end) throws IOException {
      RecordReader reader =
          new RecordReader(file, header.store().getLeastSignificantBits(), NvwalLog.START, end);
      for (int at = reader.peek(); at >= 0 && isNext(reader.bytes(), at); at = reader.peek()) {
        apply(reader.bytes(), at);
        reader.skip();
      }
      return reader.offset();
    }

    private boolean isNext(byte[] bytes, int at) {
      long found = NvwalRecord.sequence(bytes, at);
      return found == sequence + 1
          && (found <= Math.max(header.floor(), header.archived())
              || NvwalRecord.epoch(bytes, at) == header.epoch());
    }

    private void apply(byte[] bytes, int at) {
      sequence = NvwalRecord.sequence(bytes, at);
      position = NvwalRecord.position(bytes, at);
      int extents = NvwalRecord.extents(bytes, at);
      if (extents == 0) {
        RangeLayout.forEach(
            bytes,
            at + NvwalRecord.HEADER,
            at + NvwalRecord.length(bytes, at),
            heap.memory()::write);
      } else if (extents > heap.extents()) {
        heap.checkRoom(extents);
        heap.grow(extents);
      } else {
        heap.cut(extents * HeapMemory.EXTENT_SIZE);
      }
    }
  }
}
