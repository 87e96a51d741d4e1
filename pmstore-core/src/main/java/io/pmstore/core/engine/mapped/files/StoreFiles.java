package io.pmstore.core.engine.mapped.files;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.UnreadableStore;
import io.pmstore.core.engine.mapped.header.FileFault;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeaderFile;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.sums.PageSums;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The open and mapped files of a store. Closing it closes all files and removes all mappings. */
public final class StoreFiles implements AutoCloseable {
  private final Medium medium;
  private final Deque<MediumFile> open = new ArrayDeque<>();
  // The mappings of segments: a replaced segment frees its space only when it is no longer
  // mapped.
  private final IdentityHashMap<MediumFile, Arena> segmentMappings =
      new IdentityHashMap<>(); // guarded by the monitor of open
  private final MediumFile heap;
  private final LogSegments logs;
  private final HeapMappings mappings = new HeapMappings();
  private final HeapHeaderFile header;
  private final PageSums sums;
  private final PageChecks checks = new PageChecks(this);

  /**
   * Opens a store whose directory is locked. Throws, with nothing left open, if its files do not
   * belong together.
   */
  public StoreFiles(Medium medium) throws IOException {
    this.medium = medium;
    try {
      heap = open(StoreLayout.HEAP);
      header = HeapHeaderFile.read(heap, medium.directory());
      HeapHeader recorded = header.current();
      requireWhole(heap, medium.directory(), recorded);
      List<MediumFile> files = new ArrayList<>();
      for (int i = 0; i < StoreLayout.LOG_SEGMENTS; i++) {
        MediumFile log = open(StoreLayout.log(i));
        refuse(log.name(), FileFault.ofSegment(log, recorded.store(), i));
        files.add(log);
      }
      sums = new PageSums(open(StoreLayout.SUMS));
      refuse(StoreLayout.SUMS, sums.findFault(recorded));
      List<LogSegments.Segment> segments = new ArrayList<>();
      for (MediumFile log : files) {
        segments.add(mapSegment(log, log.size()));
      }
      logs = new LogSegments(segments);
      mappings.map(heap, recorded.heapSize());
      mappings.show(recorded.heapSize());
    } catch (Throwable e) {
      closeAfter(e, this);
      throw e;
    }
  }

  private MediumFile open(String name) throws IOException {
    MediumFile file = medium.open(name);
    open.push(file);
    return file;
  }

  /** Refuses a heap file that is shorter than its header says. */
  public static void requireWhole(MediumFile heap, Path directory, HeapHeader recorded)
      throws IOException {
    long size = heap.size();
    if (size < recorded.heapSize()) {
      throw new StoreDamagedException(
          "%s has %d bytes; the store's header says %d. It was truncated or replaced; restore the directory from a backup"
              .formatted(directory.resolve(heap.name()), size, recorded.heapSize()));
    }
  }

  private void refuse(String name, @Nullable FileFault fault) {
    if (fault != null) {
      throw fault.refusal(medium.directory().resolve(name), header.current().closed());
    }
  }

  public Path directory() {
    return medium.directory();
  }

  public Medium medium() {
    return medium;
  }

  public MediumFile heap() {
    return heap;
  }

  public LogSegments logs() {
    return logs;
  }

  /** Creates the file of a log segment. Its contents are durable, its name is not. */
  public static MediumFile makeSegment(
      Medium medium, String name, UUID store, int number, long size) throws IOException {
    MediumFile log = medium.create(name);
    try {
      log.allocate(0, size, true);
      writeHeader(log, store, number, size);
      return log;
    } catch (Throwable e) {
      closeAfter(e, log);
      throw e;
    }
  }

  private static void writeHeader(MediumFile log, UUID store, int number, long size)
      throws IOException {
    byte[] header = new LogSegmentHeader(store, number, size).encode();
    log.write(0, header, 0, header.length);
    log.sync();
  }

  /** Creates a segment that is to replace another one, prepared for its first writes. */
  public LogSegments.Segment makeSegment(int number, long size) throws IOException {
    String name = StoreLayout.newLog(number);
    medium.deleteIfThere(name);
    try {
      MediumFile log = makeSegment(medium, name, header.current().store(), number, size);
      synchronized (open) {
        open.push(log);
      }
      LogSegments.Segment segment = mapSegment(log, size);
      log.populate(segment.bytes());
      return segment;
    } catch (Throwable e) {
      medium.deleteIfThere(name);
      throw e;
    }
  }

  /** Puts a new segment in the place of the one with a number, durably. */
  public void nameSegment(LogSegments.Segment made, int number) throws IOException {
    MediumFile log = made.file();
    if (!log.name().equals(StoreLayout.newLog(number))) {
      writeHeader(log, header.current().store(), number, made.size());
    }
    medium.rename(log.name(), StoreLayout.log(number));
    medium.syncDirectory();
  }

  private LogSegments.Segment mapSegment(MediumFile log, long size) throws IOException {
    Arena arena = Arena.ofShared();
    synchronized (open) {
      segmentMappings.put(log, arena);
    }
    return new LogSegments.Segment(log, log.map(0, size, arena));
  }

  /** Closes a replaced segment, which no thread reads or writes any more. */
  public void closeSegment(LogSegments.Segment segment) throws IOException {
    @Nullable Arena arena;
    synchronized (open) {
      open.remove(segment.file());
      arena = segmentMappings.remove(segment.file());
    }
    segment.file().close();
    if (arena != null) {
      arena.close();
    }
  }

  /** Closes and deletes a new segment. */
  public void dropSegment(LogSegments.Segment made) throws IOException {
    closeSegment(made);
    medium.deleteIfThere(made.file().name());
  }

  /** Deletes the unfinished replacements of files that an earlier process left. */
  public void dropLeftOvers() throws IOException {
    for (String part : StoreLayout.PARTS) {
      medium.deleteIfThere(StoreLayout.newName(part));
    }
  }

  /**
   * Truncates the files to the header's heap size, which a growth or a shrinking may have failed to
   * do before a crash. The header must be durable in both copies.
   */
  public void dropTail() throws IOException {
    long size = header.current().heapSize();
    if (heap.size() > size) {
      header.truncate();
    }
    sums.truncate(size);
  }

  /**
   * Throws if the heap file was truncated by somebody else. Java code gets an exception when it
   * accesses missing pages; native code would crash the process, and growth would fill them with
   * zeros.
   */
  public void checkNotCut() throws IOException {
    long recorded = header.current().heapSize(); // read before the size, which grows first
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
  public void verify(Engine.FaultVisitor faults) {
    try {
      sums.verify(heap, memory().writableBytes(), faults);
    } catch (IOException e) {
      throw UnreadableStore.exception(directory(), e);
    }
  }

  /** Returns when a repair computed the sums, or null. */
  public @Nullable Instant checksumsMade() {
    try {
      return sums.made();
    } catch (IOException e) {
      throw UnreadableStore.exception(directory(), e);
    }
  }

  public HeapMappings mappings() {
    return mappings;
  }

  public HeapMemory memory() {
    return mappings.memory();
  }

  public HeapHeaderFile header() {
    return header;
  }

  public PageSums sums() {
    return sums;
  }

  public PageChecks checks() {
    return checks;
  }

  /** Describes a log position for messages. */
  public String describe(LogPosition position) {
    return "record %d at %d of %s"
        .formatted(
            position.sequence(),
            position.offset(),
            medium.directory().resolve(StoreLayout.log(position.segment())));
  }

  @Override
  public void close() throws IOException {
    try (Closeable _ = this::unmapSegments;
        Closeable _ = this::closeFiles;
        var _ = mappings) {
      // closes all, although one may throw
    }
  }

  private void closeFiles() throws IOException {
    if (!open.isEmpty()) {
      try (var _ = open.pop()) {
        closeFiles();
      }
    }
  }

  private void unmapSegments() {
    segmentMappings.values().forEach(Arena::close);
    segmentMappings.clear();
  }
}
