package io.pmstore.core.engine.mapped;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The open and mapped files of a store. Closing gives up all of them, and every mapping. */
final class StoreFiles implements AutoCloseable {
  private final Medium medium;
  private final Arena arena = Arena.ofShared();
  private final Deque<MediumFile> open = new ArrayDeque<>();
  private final MediumFile heap;
  private final List<MediumFile> logs = new ArrayList<>();
  private final List<MemorySegment> mappedLogs = new ArrayList<>();
  private final HeapMappings mappings = new HeapMappings();
  private final HeaderFile header;
  private final PageSums sums;

  /**
   * Opens a store whose directory is locked; refuses it, with nothing left open, if its files do
   * not fit together.
   */
  StoreFiles(Medium medium) throws IOException {
    this.medium = medium;
    try {
      heap = open(StoreLayout.HEAP);
      header = HeaderFile.read(heap, medium.directory());
      HeapHeader recorded = header.current();
      long heapSize = heap.size();
      if (heapSize < recorded.heapSize()) {
        throw wrongSize(StoreLayout.HEAP, heapSize, recorded.heapSize());
      }
      for (int i = 0; i < StoreLayout.LOG_SEGMENTS; i++) {
        MediumFile log = open(StoreLayout.log(i));
        logs.add(log);
        if (log.size() != recorded.segmentSize()) {
          throw wrongSize(StoreLayout.log(i), log.size(), recorded.segmentSize());
        }
        checkSegment(log, new LogSegmentHeader(recorded.store(), i, recorded.segmentSize()));
      }
      sums = new PageSums(open(StoreLayout.SUMS));
      sums.check(medium.directory(), recorded);
      for (MediumFile log : logs) {
        mappedLogs.add(log.map(0, recorded.segmentSize(), arena));
      }
      mappings.map(heap, recorded.heapSize());
      mappings.show(recorded.heapSize());
    } catch (Throwable e) {
      closeAfter(e);
      throw e;
    }
  }

  private MediumFile open(String name) throws IOException {
    MediumFile file = medium.open(name);
    open.push(file);
    return file;
  }

  private StoreDamagedException wrongSize(String name, long found, long expected) {
    return new StoreDamagedException(
        "%s has %d bytes; the store's header says %d. It was truncated or replaced; restore the directory from a backup"
            .formatted(medium.directory().resolve(name), found, expected));
  }

  private void checkSegment(MediumFile log, LogSegmentHeader expected) throws IOException {
    byte[] found = new byte[LogSegmentHeader.SIZE];
    log.read(0, found, 0, found.length);
    String fault = expected.findFault(found);
    if (fault != null) {
      throw new StoreDamagedException(
          "%s is not the store's log: %s. It was replaced or overwritten; restore the directory from a backup"
              .formatted(medium.directory().resolve(log.name()), fault));
    }
  }

  Path directory() {
    return medium.directory();
  }

  Medium medium() {
    return medium;
  }

  MediumFile heap() {
    return heap;
  }

  List<MediumFile> logs() {
    return logs;
  }

  /**
   * Gives up what the files have behind the heap size that the header says: the rest of a growth or
   * of a {@link HeapSize#shrink} that was cut short. The header must be durable in both copies.
   */
  void dropTail() throws IOException {
    long size = header.current().heapSize();
    if (heap.size() > size) {
      header.truncate();
    }
    sums.truncate(size);
  }

  /**
   * Refuses to go on if the heap file was cut short. Java code meets an exception where its pages
   * are gone; native code would end the process, and growth would put zeros there.
   */
  void checkNotCut() throws IOException {
    long recorded = header.current().heapSize(); // before the size, which grows first
    long size = heap.size();
    if (size < recorded) {
      throw new IOException(
          "%s was cut short while it was open: it has %d bytes; the store's header says %d"
              .formatted(medium.directory().resolve(StoreLayout.HEAP), size, recorded));
    }
  }

  /**
   * Compares every page of the heap file with its sum.
   *
   * @throws StoreDamagedException if a part cannot be read
   */
  void verify(Engine.FaultVisitor faults) {
    try {
      sums.verify(heap, memory().size(), faults);
    } catch (IOException e) {
      throw UnreadableStore.exception(directory(), e);
    }
  }

  /** The bytes of the log segments, for reading. */
  List<MemorySegment> mappedLogs() {
    return mappedLogs;
  }

  HeapMappings mappings() {
    return mappings;
  }

  HeapMemory memory() {
    return mappings.memory();
  }

  HeaderFile header() {
    return header;
  }

  PageSums sums() {
    return sums;
  }

  /** Where a log position is, for messages. */
  String describe(LogPosition position) {
    return "record %d at %d of %s"
        .formatted(
            position.sequence(),
            position.offset(),
            medium.directory().resolve(StoreLayout.log(position.segment())));
  }

  void closeAfter(Throwable reason) {
    try {
      close();
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    mappings.close();
    IOException failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    arena.close();
    if (failure != null) {
      throw failure;
    }
  }
}
