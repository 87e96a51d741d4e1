package io.pmstore.jmh.nvwal;

import io.pmstore.PmStoreException;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.WrittenSequence;
import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.medium.IoAction;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.DramHeap;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The engine: a heap in DRAM and a redo log. The package says how it works.
 *
 * <p>A commit takes its place in the log under a lock; it writes its record beside others, waits
 * until all earlier ones are written, and changes the heap.
 */
final class NvwalEngine implements Engine {
  private final StoreLock storeLock;
  private final Path directory;
  private final MediumFile headerFile;
  private final MediumFile log;
  private final Medium archives;
  private final DramHeap heap;
  private final EngineState state;
  private final boolean inPlace;
  private final WrittenSequence written;
  private final LogBarrier barrier;
  private final Arena arena = Arena.ofShared();
  private final Mutex lock = new Mutex();
  private final Mutex closing = new Mutex();
  private final AtomicInteger writing = new AtomicInteger(); // commits that have their place
  private NvwalHeader header;
  private long offset; // where the next record goes
  private long sequence;
  private volatile long sizes; // how many records are not of commits
  private volatile long position;

  NvwalEngine(
      StoreLock storeLock,
      Path directory,
      MediumFile headerFile,
      NvwalHeader header,
      Medium logs,
      MediumFile log,
      Medium archives,
      DramHeap heap,
      NvwalOpener.Recovered recovered)
      throws IOException {
    this.storeLock = storeLock;
    this.directory = directory;
    this.headerFile = headerFile;
    this.header = header;
    this.log = log;
    this.archives = archives;
    this.heap = heap;
    this.state = new EngineState(directory);
    this.inPlace = logs.storesInPlace();
    this.offset = recovered.end();
    this.sequence = recovered.sequence();
    this.position = recovered.position();
    this.sizes = sequence - position;
    this.written = new WrittenSequence(state, sequence);
    this.barrier = new LogBarrier(sequence, written::last, log::sync);
    if (inPlace) {
      log.map(0, header.logSize(), arena);
    }
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return heap.memory();
  }

  /** Returns how often the log was full: a commit then wrote all of it to a file. */
  @Override
  public long commitWaits() {
    return state.waits();
  }

  @Override
  public Commit place(WriteSet writes) {
    checkUsable();
    try {
      writes.resolve(heap.memory());
      long size = heap.memory().size();
      writes.forEachRange((address, source, at, length) -> check(address, length, size));
    } catch (NullPointerException | IllegalStateException | IllegalArgumentException e) {
      checkUsable(); // the memory may just have been removed
      throw e;
    }
    long room = header.logSize() - NvwalLog.START;
    if (NvwalRecord.HEADER + writes.length() > room) {
      throw new TransactionTooLargeException(
          "a transaction has %d bytes of changes; the log of the store in %s has room for %d. Split it"
              .formatted(writes.length(), directory, room));
    }
    return () -> logAndApply(writes);
  }

  private static void check(long address, int length, long size) {
    if (((address | length) & 7) != 0 || length <= 0 || address < 0 || address > size - length) {
      throw new IllegalArgumentException(
          "a write set is malformed: %d bytes at %d, in a heap of %d bytes"
              .formatted(length, address, size));
    }
  }

  private long logAndApply(WriteSet writes) {
    byte[] record;
    int size;
    if (writes.hasLent()) {
      byte[] ranges = writes.encode();
      size = NvwalRecord.HEADER + ranges.length;
      record = new byte[size];
      System.arraycopy(ranges, 0, record, NvwalRecord.HEADER, ranges.length);
    } else {
      record = writes.record();
      size = writes.recordSize();
    }
    if (size == NvwalRecord.HEADER) {
      return position;
    }
    try {
      return logAndApply(writes, record, size);
    } catch (PmStoreException e) {
      throw e;
    } catch (Throwable e) {
      throw state.isClosed() ? state.closed() : fail(e);
    }
  }

  private long logAndApply(WriteSet writes, byte[] record, int size) throws IOException {
    long at;
    long mine;
    long sequenceMine;
    long epoch;
    try (var _ = lock.hold()) {
      state.check();
      awaitRoom(size);
      at = offset;
      epoch = header.epoch();
      writing.incrementAndGet();
      offset += size;
      sequenceMine = ++sequence;
      mine = position + 1;
      position = mine;
    }
    boolean done = false;
    try {
      write(record, size, at, epoch, sequenceMine, mine, 0);
      written.add(sequenceMine);
      writes.forEachRange(heap.memory()::write);
      done = true;
    } finally {
      if (!done) {
        state.lost = true;
      }
      writing.decrementAndGet();
    }
    return mine;
  }

  private void write(
      byte[] record, int size, long at, long epoch, long number, long commit, int extents)
      throws IOException {
    NvwalRecord.seal(
        record, size, header.store().getLeastSignificantBits(), epoch, number, commit, extents);
    log.write(at, record, 0, size);
    if (inPlace) {
      log.sync();
    }
  }

  /** Writes the log to a file if it has no room. The caller holds the lock. */
  private void awaitRoom(int size) throws IOException {
    if (offset + size <= header.logSize()) {
      return;
    }
    state.countWait();
    written.await(sequence);
    long number = header.archives() + 1;
    try {
      NvwalLog.copy(log, offset, archives, header, number);
    } catch (MediumException e) {
      if (!e.noRoom()) {
        throw e;
      }
      throw new StoreFullException(
          "the log of the store in %s is full, and there is no room for it in %s: %s; free some space"
              .formatted(directory, archives.directory(), e.getMessage()),
          e);
    }
    header = header.spilled(sequence).write(headerFile);
    offset = NvwalLog.START;
  }

  @Override
  public void grow(long size) {
    checkUsable();
    long extents = ((size - 1) >> HeapMemory.EXTENT_SHIFT) + 1;
    resize(
        () -> {
          if (extents > heap.extents()) {
            heap.checkRoom((int) Math.min(extents, Integer.MAX_VALUE));
            recordSize((int) extents);
            heap.grow((int) extents);
          }
        });
  }

  @Override
  public void shrink(long size) {
    checkUsable();
    resize(
        () -> {
          heap.memory().checkCut(size);
          if (size < heap.memory().size()) {
            recordSize((int) (size >>> HeapMemory.EXTENT_SHIFT));
            heap.cut(size);
          }
        });
  }

  private void resize(IoAction change) {
    lock.lock();
    try {
      state.check();
      change.run();
    } catch (PmStoreException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    } finally {
      lock.unlock();
    }
  }

  /** Makes a size durable. The caller holds the lock. */
  private void recordSize(int extents) throws IOException {
    byte[] record = new byte[NvwalRecord.HEADER];
    awaitRoom(record.length);
    sequence++;
    sizes = sequence - position;
    try {
      write(record, record.length, offset, header.epoch(), sequence, position, extents);
      offset += record.length;
      written.add(sequence);
      barrier.await(sequence);
    } catch (Throwable e) {
      state.lost = true;
      throw e;
    }
  }

  @Override
  public void sync(long upTo) {
    checkUsable();
    if (upTo > position) {
      throw new IllegalArgumentException(
          "no commit has position " + upTo + "; the last has " + position);
    }
    try {
      // The record of this commit, or a later one.
      long last = upTo + sizes;
      written.await(last);
      if (!inPlace) {
        barrier.await(last);
      }
    } catch (PmStoreException e) {
      throw e;
    } catch (Throwable e) {
      throw state.isClosed() ? state.closed() : fail(e);
    }
  }

  @Override
  public long position() {
    checkUsable();
    return position;
  }

  @Override
  public void checkUsable() {
    state.check();
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return fail((Throwable) fault);
  }

  private PmStoreException fail(Throwable reason) {
    Throwable first = state.fail(reason);
    barrier.fail(first);
    heap.clear();
    return state.failed(first);
  }

  @Override
  public void close() {
    try (var _ = closing.hold()) {
      if (state.isClosed()) {
        return;
      }
      state.close();
      // After a change of the size, and commits that saw the engine open.
      try (var _ = lock.hold()) {
        @Nullable PmStoreException thrown = state.hasFailed() ? null : finish();
        release();
        if (thrown != null) {
          throw thrown;
        }
      }
    }
  }

  private @Nullable PmStoreException finish() {
    try {
      written.await(sequence);
      log.sync();
      header = header.closed(sequence).write(headerFile);
      return null;
    } catch (Throwable e) {
      return fail(e);
    }
  }

  private void release() {
    barrier.fail(state.closed());
    Backoff.until(() -> writing.get() <= 0);
    heap.clear();
    arena.close();
    try (headerFile;
        log) {
      heap.close();
    } catch (IOException e) {
      throw state.failed(e);
    } finally {
      storeLock.release();
    }
  }
}
