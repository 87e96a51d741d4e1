package io.pmstore.core.engine.mapped.recovery;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.HeapHeader.PastEpoch;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogRecord;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.LogScanner;
import java.io.IOException;

/**
 * Brings the heap to the state of the last whole commit in the log. Recovery is idempotent, so it
 * may crash and start again: ranges hold absolute bytes, and nothing is written to the log before
 * the new header is durable.
 */
public final class Recovery {

  private final StoreFiles files;
  private final HeapHeader header;

  public Recovery(StoreFiles files) {
    this.files = files;
    this.header = files.header().current();
  }

  /**
   * Replays the log into memory. The store's files do not change, unless the memory is the file.
   *
   * @param heap receives the changes
   * @return the end of the log
   * @throws StoreDamagedException if records are missing from it, or from a heap that is older
   */
  public LogPosition replay(WriteSet.RangeVisitor heap) throws IOException {
    LogPosition from = header.checkpoint();
    if (header.closed()) {
      checkNotOlder(files);
      return from;
    }
    // The last process's records may be only in the page cache. They must be durable before any
    // heap page is.
    for (int i = 0; i < files.logs().count(); i++) {
      files.logs().get(i).file().sync();
    }
    // Everything is checked before anything is applied: on persistent memory applying changes the
    // file.
    LogPosition end = scan(Long.MAX_VALUE, this::check);
    LogScanner.Evidence damage =
        LogScanner.findDamage(files.logs().bytes(), header.storeId(), header.epoch(), end);
    if (damage != null) {
      throw damaged(end, damage);
    }
    Replay replay = new Replay(heap);
    scan(
        end.sequence(),
        (record, at) -> replay.add(record)); // without the records of a commit that is not whole
    replay.apply();
    System.getLogger(Recovery.class.getName())
        .log(
            System.Logger.Level.DEBUG,
            () ->
                "%s: was not closed; replayed %d commits from its log"
                    .formatted(files.directory(), end.sequence() - from.sequence()));
    return end;
  }

  /**
   * Throws if a segment of the log starts with a record of a later epoch than the heap's. Reads no
   * other records.
   *
   * @throws StoreDamagedException if the heap is older than its log
   */
  public static void checkNotOlder(StoreFiles files) {
    HeapHeader header = files.header().current();
    LogScanner.Evidence later =
        LogScanner.findLater(files.logs().bytes(), header.storeId(), header.epoch());
    if (later != null) {
      throw older(files, later);
    }
  }

  private static StoreDamagedException older(StoreFiles files, LogScanner.Evidence later) {
    return new StoreDamagedException(
        "%s belongs to epoch %d; the heap's header says that the store is in epoch %d: the heap is older than its log. Put back the heap that the log belongs to, or restore all of the directory from one backup"
            .formatted(describe(files, later), later.epoch(), files.header().current().epoch()));
  }

  private static String describe(StoreFiles files, LogScanner.Evidence record) {
    return files.describe(new LogPosition(record.segment(), record.offset(), record.sequence()));
  }

  /** Reads the epochs from the checkpoint on, up to a sequence. */
  private LogPosition scan(long limit, LogScanner.Visitor visitor) {
    LogPosition at = header.checkpoint();
    for (PastEpoch past : header.past()) {
      at = scan(past.epoch(), at, past.end().sequence(), visitor);
      if (at.sequence() < past.end().sequence()) {
        throw new StoreDamagedException(
            "%s is damaged or missing: the header says that epoch %d goes on to record %d. Committed data is lost; restore the directory from a backup"
                .formatted(files.describe(at), past.epoch(), past.end().sequence() - 1));
      }
      at = past.end();
    }
    return scan(header.epoch(), at, limit, visitor);
  }

  private LogPosition scan(long epoch, LogPosition from, long limit, LogScanner.Visitor visitor) {
    return LogScanner.scan(files.logs().bytes(), header.storeId(), epoch, from, limit, visitor);
  }

  private void check(LogRecord record, LogPosition at) {
    String fault =
        record.kind() == LogRecordLayout.KIND_COMMIT
                || record.kind() == LogRecordLayout.KIND_FRAGMENT
            ? Ranges.findFault(
                record.bytes(), LogRecordLayout.HEADER_SIZE, record.length(), header.heapSize())
            : "its kind is " + record.kind();
    if (fault != null) {
      throw new StoreDamagedException(
          "%s is intact but cannot be replayed: %s. The heap file is older than the log, or was written by a faulty program; restore the directory from a backup"
              .formatted(files.describe(at), fault));
    }
  }

  private StoreDamagedException damaged(LogPosition end, LogScanner.Evidence damage) {
    if (damage.epoch() > header.epoch()) {
      return older(files, damage);
    }
    return new StoreDamagedException(
        "%s is damaged or missing: %s, which is intact, was written when all records up to %d were durable. Committed data is lost; restore the directory from a backup"
            .formatted(files.describe(end), describe(files, damage), damage.durable()));
  }
}
