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
import io.pmstore.core.engine.mapped.BackgroundThread.Task;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mapped heap with its redo log, on ordinary files or on persistent memory.
 *
 * <p>A commit appends a record to the log and applies its ranges to the mapped heap; see {@link
 * CommitPath}. On files the heap is mapped privately: applied bytes stay in memory until a
 * checkpoint, before which their records are made durable. On persistent memory the record is
 * durable before it is applied, and {@link #sync} has nothing left to do.
 *
 * <p>An interrupt of a thread inside any method has no effect on the store.
 */
public final class MappedEngine implements Engine {
  /** Makes the engine's own thread. */
  static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("pmstore-background").factory();

  private static final Logger LOG = LoggerFactory.getLogger(MappedEngine.class);

  private final StoreLock storeLock;
  private final StoreFiles files;
  private final EngineState state;
  private final CommitPath path;
  private final Checkpointer checkpointer;
  private final HeapSize heapSize;
  private final BackgroundThread background;
  private final Task checkpoint = new Task(this::checkpointInBackground);
  private final Task prepareGrowth = new Task(this::prepareGrowthInBackground);
  private final long commitMax;
  private final ReentrantLock closing = new ReentrantLock();

  private MappedEngine(
      StoreLock storeLock,
      StoreFiles files,
      RedoLog log,
      Phase phase,
      long position,
      ThreadFactory threads) {
    long segmentSize = files.header().current().segmentSize();
    this.storeLock = storeLock;
    this.files = files;
    this.state = new EngineState(files.directory());
    this.commitMax = LogRecordLayout.commitMax(StoreLayout.LOG_SEGMENTS, segmentSize);
    this.path =
        new CommitPath(
            state,
            log,
            files.medium().storesInPlace(),
            segmentSize,
            phase,
            position,
            this::askForCheckpoint);
    this.checkpointer = new Checkpointer(files, path, state);
    this.heapSize = new HeapSize(files, state, checkpointer);
    this.background = new BackgroundThread(threads, checkpoint, prepareGrowth);
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
    return open(directory, options, THREADS);
  }

  /**
   * Opens or creates a store as {@link #open(Path, PmStoreOptions)} does.
   *
   * @param directory where the store lives
   * @param options how to open it
   * @param threads makes the thread that runs checkpoints; if that never runs, commits wait when
   *     the log is full
   * @return the open engine
   */
  public static MappedEngine open(Path directory, PmStoreOptions options, ThreadFactory threads) {
    return StoreOpener.open(directory, options, UnaryOperator.identity(), threads);
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
   * The size that the store's log segments have for its whole life.
   *
   * @return the bytes of each segment; also when the engine is closed
   */
  public long logSegmentSize() {
    return files.header().current().segmentSize();
  }

  /**
   * Recovers a store whose files are open, and starts a new epoch in which no old log record can be
   * mistaken for a new one.
   */
  static MappedEngine start(StoreLock storeLock, StoreFiles files, ThreadFactory threads)
      throws IOException {
    Phase replayed = new Phase(files, new DirtyRanges(files.medium().writeBackUnit()), null);
    LogPosition end = new Recovery(files).replay(replayed);
    HeapHeader before = files.header().current();
    if (end.equals(before.checkpoint()) || !before.canHaveNextEpoch()) {
      end = Checkpointer.checkpointRecovered(files, replayed.dirty(), end);
      replayed = new Phase(files, new DirtyRanges(files.medium().writeBackUnit()), null);
    } else {
      // What was replayed is written by the next checkpoint; until then its records stay.
      LogPosition epochEnd = end;
      // A killed process may have left the copy in force in the page cache only, and the update
      // begins with the other one.
      files.heap().sync();
      files.header().update(header -> header.withNextEpoch(epochEnd));
    }
    files.dropTail();
    HeapHeader header = files.header().current();
    RedoLog log =
        new RedoLog(
            files.logs(),
            header.segmentSize(),
            header.storeId(),
            header.epoch(),
            header.checkpoint().segment(),
            end);
    MappedEngine engine =
        new MappedEngine(storeLock, files, log, replayed, end.sequence() - 1, threads);
    engine.background.start();
    engine.askForCheckpoint();
    return engine;
  }

  @Override
  public HeapMemory memory() {
    checkUsable();
    return files.memory();
  }

  @Override
  public long position() {
    checkUsable();
    return path.position();
  }

  @Override
  public void grow(long size) {
    checkUsable();
    try {
      if (heapSize.grow(size)) {
        background.ask(prepareGrowth);
      }
    } catch (PmStoreException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  @Override
  public void shrink(long size) {
    checkUsable();
    try {
      heapSize.shrink(size);
    } catch (PmStoreException | IllegalArgumentException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  private void prepareGrowthInBackground() {
    try {
      heapSize.prepare();
    } catch (Throwable e) {
      failInBackground(e);
    }
  }

  private void askForCheckpoint() {
    if (checkpointer.isDue()) {
      background.ask(checkpoint);
    }
  }

  private void checkpointInBackground() {
    try {
      if (!state.hasFailed() && checkpointer.isDue()) {
        checkpointer.run(false);
      }
    } catch (Throwable e) {
      failInBackground(e);
    }
  }

  private void failInBackground(Throwable e) {
    PmStoreException failed = fail(e);
    LOG.error("the store's background work failed", failed);
  }

  @Override
  public long commit(WriteSet writes) {
    checkUsable();
    if (writes.isEmpty()) {
      return path.position();
    }
    if (writes.encodedSize() > commitMax) {
      throw new TransactionTooLargeException(
          ("%s: a transaction writes %d bytes; with log segments of %d bytes it can write %d."
                  + " Split it, or make the store with a larger logSegmentSize")
              .formatted(
                  files.directory(),
                  writes.encodedSize(),
                  files.header().current().segmentSize(),
                  commitMax));
    }
    prepare(writes);
    checkpointer.admit();
    try {
      long position = path.commit(writes);
      askForCheckpoint();
      return position;
    } catch (StoreClosedException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  private void prepare(WriteSet writes) {
    try {
      writes.resolve(files.memory());
    } catch (NullPointerException | IllegalStateException e) {
      checkUsable(); // the memory may just have been taken away
      throw e;
    }
    String fault =
        Ranges.findFault(
            writes.record(),
            LogRecordLayout.HEADER_SIZE,
            LogRecordLayout.HEADER_SIZE + writes.length(),
            files.memory().size());
    if (fault != null) {
      checkUsable();
      throw new IllegalArgumentException("a write set is malformed: " + fault);
    }
  }

  @Override
  public void sync(long position) {
    checkUsable();
    if (position > path.position()) {
      throw new IllegalArgumentException(
          "no commit has position " + position + "; the last has " + path.position());
    }
    try {
      path.sync(position);
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  @Override
  public void verify(FaultVisitor faults) {
    checkUsable();
    try {
      checkpointer.run(false); // so that all that was recovered is in the file
    } catch (Throwable e) {
      throw fail(e);
    }
    files.verify(faults);
  }

  @Override
  public void checkUsable() {
    state.check();
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return fail((Throwable) fault);
  }

  /** Ends the engine's work for good; returns what to throw. */
  private PmStoreException fail(Throwable reason) {
    Throwable first =
        state.fail(
            reason instanceof StoreFailedException && reason.getCause() != null
                ? reason.getCause()
                : reason);
    path.barrier().fail(first);
    path.wakeAll();
    checkpointer.step();
    heapSize.clearMemory();
    return state.failed(first);
  }

  @Override
  public void close() {
    closing.lock();
    try {
      if (state.isClosed()) {
        return;
      }
      state.close();
      path.wakeAll();
      checkpointer.step();
      background.stop();
      @Nullable PmStoreException thrown = state.hasFailed() ? null : checkpointForClose();
      path.barrier().fail(new StoreClosedException("the store is closed"));
      heapSize.clearMemory(); // after a change of the size that is under way
      try {
        files.close();
      } catch (IOException e) {
        if (thrown == null && !state.hasFailed()) {
          thrown = state.failed(e);
        }
      } finally {
        storeLock.release();
      }
      if (thrown != null) {
        throw thrown;
      }
    } finally {
      closing.unlock();
    }
  }

  private @Nullable PmStoreException checkpointForClose() {
    try {
      heapSize.checkpointForClose();
      return null;
    } catch (Throwable e) {
      return fail(e);
    }
  }
}
