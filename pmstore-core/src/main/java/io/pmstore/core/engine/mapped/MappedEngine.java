package io.pmstore.core.engine.mapped;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The mapped heap with its redo log, on ordinary files or on persistent memory.
 *
 * <p>A commit appends one record to the log and applies its ranges to the mapped heap, under one
 * lock. On files the heap is mapped privately: applied bytes stay in memory until a checkpoint,
 * before which their records are made durable. On persistent memory the record is durable before it
 * is applied, and {@link #sync} has nothing left to do.
 *
 * <p>An interrupt of a thread inside any method has no effect on the store.
 */
public final class MappedEngine implements Engine {
  /**
   * The changed bytes of the heap, in whole pages, that are kept in memory before a checkpoint
   * writes them: 256 MiB.
   */
  static final long DIRTY_BYTES_MAX = 256L << 20;

  private final StoreLock storeLock;
  private final StoreFiles files;
  private final Checkpointer checkpointer;
  private final WriteSet.RangeVisitor apply; // made once, not for each commit
  private final RedoLog log;
  private final LogBarrier barrier;
  private final int payloadMax;
  private final boolean storesInPlace;
  private final ReentrantLock commitLock = new ReentrantLock();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private volatile long position;
  private volatile boolean closed;

  private MappedEngine(
      StoreLock storeLock,
      StoreFiles files,
      Checkpointer checkpointer,
      RedoLog log,
      long position) {
    this.storeLock = storeLock;
    this.files = files;
    this.checkpointer = checkpointer;
    this.apply = checkpointer::apply;
    this.log = log;
    this.position = position;
    this.barrier = new LogBarrier(position, () -> this.position, log::sync);
    this.payloadMax = LogRecordLayout.payloadMax(files.header().current().segmentSize());
    this.storesInPlace = files.medium().storesInPlace();
  }

  /**
   * Opens the store in a directory; creates it if the directory is absent or empty. Recovers it if
   * it was not closed.
   *
   * @param directory where the store lives
   * @param options how to open it; its storage is not {@link io.pmstore.Storage#LLPL}
   * @return the open engine
   * @throws io.pmstore.StoreLockedException if this or another process has the store open
   * @throws io.pmstore.StoreDamagedException if the header, the log or the size of a file is
   *     damaged
   * @throws io.pmstore.StoreFormatException if the directory holds something else, or a store of a
   *     newer format
   * @throws StoreFullException if there is no room for a new store
   * @throws PmStoreException if the store cannot be opened for another reason; nothing is left open
   */
  public static MappedEngine open(Path directory, PmStoreOptions options) {
    return StoreOpener.open(directory, options, UnaryOperator.identity());
  }

  /**
   * Says whether a directory holds a store. Changes nothing.
   *
   * @param directory where the store would live
   * @return false if {@link #open} would make one
   * @throws io.pmstore.StoreDamagedException if it holds parts of a store
   * @throws io.pmstore.StoreFormatException if it is no directory, or holds something else
   * @throws PmStoreException if it cannot be read
   */
  public static boolean holdsStore(Path directory) {
    return StoreOpener.holdsStore(directory);
  }

  /**
   * Recovers a store whose files are open, and starts a new epoch in which no old log record can be
   * mistaken for a new one.
   */
  static MappedEngine start(StoreLock storeLock, StoreFiles files) throws IOException {
    Checkpointer checkpointer = new Checkpointer(files);
    LogPosition end = new Recovery(files).replay(checkpointer);
    long epoch = files.header().current().epoch() + 1;
    int segment = (end.segment() + 1) % StoreLayout.LOG_SEGMENTS;
    checkpointer.checkpoint(epoch, RedoLog.startOf(segment, end.sequence()), false);
    HeapHeader header = files.header().current();
    RedoLog log = new RedoLog(files.logs(), header.segmentSize(), header.storeId(), epoch, segment);
    return new MappedEngine(storeLock, files, checkpointer, log, end.sequence() - 1);
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return files.memory();
  }

  @Override
  public long position() {
    checkUsable();
    return position;
  }

  @Override
  public void grow(long size) {
    commitLock.lock();
    try {
      checkUsable();
      long old = files.memory().size();
      if (size <= old) {
        return;
      }
      long max = HeapMemory.EXTENT_SIZE * HeapMemory.EXTENTS_MAX;
      if (size > max) {
        throw new StoreFullException(
            "%s: a heap has at most %d bytes; %d were wanted"
                .formatted(files.directory(), max, size));
      }
      long extended = (size + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE;
      List<MemorySegment> mapped = extend(old, extended);
      try {
        // Durable before any record can name the new bytes.
        files.header().write(files.header().current().withHeapSize(extended));
        files.addToMemory(mapped);
      } catch (Throwable e) {
        throw fail(e);
      }
    } finally {
      commitLock.unlock();
    }
  }

  private List<MemorySegment> extend(long from, long to) {
    try {
      files.heap().allocate(from, to, false);
    } catch (IOException e) {
      if (e instanceof MediumException medium && medium.noRoom()) {
        throw new StoreFullException(
            "%s: the heap cannot grow from %d to %d bytes: %s; free some space and try again"
                .formatted(files.directory(), from, to, e.getMessage()),
            e);
      }
      // A failed sync may also have lost what was written to the file before.
      throw fail(e);
    } catch (Throwable e) {
      throw fail(e);
    }
    try {
      return files.mapHeap(from, to);
    } catch (IOException e) {
      throw new StoreFullException(
          "%s: the heap cannot be mapped up to %d bytes: %s; raise the limits on address space (ulimit -v) and mappings (vm.max_map_count)"
              .formatted(files.directory(), to, e.getMessage()),
          e);
    }
  }

  @Override
  public long commit(WriteSet writes) {
    commitLock.lock();
    try {
      checkUsable();
      if (writes.isEmpty()) {
        return position;
      }
      if (writes.encodedSize() > payloadMax) {
        throw new TransactionTooLargeException(
            ("%s: a transaction writes %d bytes; with log segments of %d bytes it can write %d."
                    + " Split it, or make the store with a larger logSegmentSize")
                .formatted(
                    files.directory(),
                    writes.encodedSize(),
                    files.header().current().segmentSize(),
                    payloadMax));
      }
      writes.resolve(files.memory());
      String fault = Ranges.findFault(writes.bytes(), 0, writes.length(), files.memory().size());
      if (fault != null) {
        throw new IllegalArgumentException("a write set is malformed: " + fault);
      }
      log.reserve(writes.length());
      return append(writes);
    } finally {
      commitLock.unlock();
    }
  }

  private long append(WriteSet writes) {
    try {
      if (!log.fits(writes.length())) {
        rotate();
      }
      long sequence = position + 1;
      log.append(sequence, barrier.durable(), writes.bytes(), writes.length());
      if (storesInPlace) {
        log.sync();
        barrier.advance(sequence);
      }
      // Published before the changes can be seen: who reads one finds out here what to wait for.
      position = sequence;
      writes.forEachRange(apply);
      if (checkpointer.dirtyBytes() > DIRTY_BYTES_MAX) {
        barrier.await(sequence);
        checkpointer.checkpoint(log.epoch(), log.next(sequence + 1), false);
      }
      return sequence;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  /**
   * Starts the other segment. It is free: the checkpoint that ends here leaves nothing to replay in
   * either.
   */
  private void rotate() throws IOException {
    barrier.await(position);
    checkpointer.checkpoint(log.epoch(), log.nextSegment(position + 1), false);
    log.rotate();
  }

  @Override
  public void sync(long position) {
    checkUsable();
    if (position > this.position) {
      throw new IllegalArgumentException(
          "no commit has position " + position + "; the last has " + this.position);
    }
    try {
      barrier.await(position);
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  @Override
  public void checkUsable() {
    if (closed) {
      throw new StoreClosedException("the store in %s is closed".formatted(files.directory()));
    }
    Throwable reason = failure.get();
    if (reason != null) {
      throw failed(reason);
    }
  }

  private StoreFailedException failed(Throwable reason) {
    return new StoreFailedException(
        ("%s: the store failed and refuses everything further: %s. Close it, repair what caused"
                + " this, and open it again: that recovers all that was acknowledged")
            .formatted(files.directory(), reason),
        reason);
  }

  /** Ends the engine's work for good; returns what to throw. */
  private PmStoreException fail(Throwable reason) {
    failure.compareAndSet(null, reason);
    barrier.fail(reason);
    // After a commit or growth that is under way: neither may add to the memory what was taken
    // away.
    commitLock.lock();
    try {
      files.memory().clear();
    } finally {
      commitLock.unlock();
    }
    Throwable first = failure.get();
    return failed(first == null ? reason : first);
  }

  @Override
  public void close() {
    commitLock.lock();
    try {
      if (closed) {
        return;
      }
      @Nullable PmStoreException thrown = null;
      if (failure.get() == null) {
        thrown = checkpointForClose();
      }
      closed = true;
      barrier.fail(new StoreClosedException("the store is closed"));
      try {
        files.close();
      } catch (IOException e) {
        if (thrown == null && failure.get() == null) {
          thrown = failed(e);
        }
      } finally {
        storeLock.release();
      }
      if (thrown != null) {
        throw thrown;
      }
    } finally {
      commitLock.unlock();
    }
  }

  private @Nullable PmStoreException checkpointForClose() {
    try {
      barrier.await(position);
      checkpointer.checkpoint(log.epoch(), log.next(position + 1), true);
      return null;
    } catch (Throwable e) {
      return fail(e);
    }
  }
}
