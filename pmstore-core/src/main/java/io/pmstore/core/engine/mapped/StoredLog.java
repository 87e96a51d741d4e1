package io.pmstore.core.engine.mapped;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.RangeLayout;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.StoredCommits;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.engine.mapped.recovery.Recovery;
import io.pmstore.core.log.LogRecord;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.LogScanner;
import io.pmstore.core.log.LogSegmentHeader;
import io.pmstore.core.medium.ReadOnlyMedium;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The redo log of a store that no process has open for writing: the records that the next opening
 * would replay, and those before them that are not overwritten yet. Changes nothing. Not
 * thread-safe.
 */
final class StoredLog implements StoredCommits {
  private final StoreLock lock;
  private final StoreFiles files;

  private StoredLog(StoreLock lock, StoreFiles files) {
    this.lock = lock;
    this.files = files;
  }

  /** A stretch of records that follow each other in a segment. */
  private record Run(int segment, long offset, LogRecord first) {}

  /**
   * Opens the log of a store, beside other readers.
   *
   * @throws StoreFormatException if the directory has no store with a redo log
   * @throws io.pmstore.StoreLockedException if a process has the store open for writing
   * @throws io.pmstore.StoreDamagedException if a header is damaged, or the heap is older than the
   *     log: then no entry is known to be in the heap
   */
  static StoredLog open(Path directory) {
    if (!StoreOpener.holdsStore(directory)) {
      throw new StoreFormatException(
          "there is no store with a redo log in %s; check the path".formatted(directory));
    }
    StoreLock lock = StoreLock.acquireShared(directory);
    try {
      return orClose(lock::release, () -> open(directory, lock));
    } catch (IOException | InternalError e) {
      throw new PmStoreException(
          "the log of the store in %s cannot be read: %s; all files in it must be readable"
              .formatted(directory, e),
          e);
    }
  }

  private static StoredLog open(Path directory, StoreLock lock) throws IOException {
    StoreFiles files = new StoreFiles(new ReadOnlyMedium(directory));
    return orClose(
        files,
        () -> {
          Recovery.checkNotOlder(files);
          return new StoredLog(lock, files);
        });
  }

  /** Returns true if the heap file has every commit. */
  @Override
  public boolean isClosed() {
    return header().closed();
  }

  private HeapHeader header() {
    return files.header().current();
  }

  @Override
  public long size() {
    return files.logs().bytes().stream().mapToLong(MemorySegment::byteSize).sum();
  }

  /** Shows the whole records. A commit has one, or several with the same position. */
  @Override
  public void forEach(long from, Visitor visitor) {
    List<Run> runs = new ArrayList<>();
    List<MemorySegment> segments = files.logs().bytes();
    for (int i = 0; i < segments.size(); i++) {
      LogRecord first = read(segments.get(i), LogSegmentHeader.SIZE);
      if (first != null) {
        runs.add(new Run(i, LogSegmentHeader.SIZE, first));
      }
    }
    runs.sort(
        Comparator.comparingLong((Run run) -> run.first().sequence())
            .thenComparingInt(run -> run.first().part()));
    for (Run run : runs) {
      visit(segments.get(run.segment()), run, from, visitor);
    }
  }

  private void visit(MemorySegment segment, Run run, long from, Visitor visitor) {
    long offset = run.offset();
    long last = 0;
    for (LogRecord record = run.first();
        record != null && record.sequence() >= last;
        record = read(segment, offset)) {
      if (record.sequence() >= from) {
        visitor.entry(entry(record, run.segment(), offset));
      }
      last = record.sequence();
      offset += record.length();
    }
  }

  private Entry entry(LogRecord record, int segment, long offset) {
    boolean isNeeded = !isClosed() && record.sequence() >= header().checkpoint().sequence();
    return new Entry(
        record.sequence(),
        record.part(),
        OptionalLong.of(record.epoch()),
        StoreLayout.log(segment),
        offset,
        record.length(),
        isNeeded ? State.TO_REPLAY : State.APPLIED,
        visitor -> forEachChange(record, visitor));
  }

  private static void forEachChange(LogRecord record, ChangeVisitor visitor) {
    byte[] bytes = record.bytes();
    for (int at = LogRecordLayout.HEADER_SIZE; at < record.length(); ) {
      int size = RangeLayout.size(bytes, at);
      long object = RangeLayout.object(bytes, at);
      if (size == 0) {
        visitor.freed(object);
      } else {
        visitor.object(object);
      }
      at += RangeLayout.HEADER_SIZE + size;
    }
  }

  private @Nullable LogRecord read(MemorySegment segment, long offset) {
    return LogScanner.read(segment, offset, header().storeId());
  }

  @Override
  public void close() {
    try {
      files.close();
    } catch (IOException e) {
      throw new PmStoreException(
          "the files of the store in %s cannot be closed: %s; nothing has changed"
              .formatted(files.directory(), e),
          e);
    } finally {
      lock.release();
    }
  }
}
