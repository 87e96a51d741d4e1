package io.pmstore.core.engine.mapped;

import static java.util.Objects.requireNonNull;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.BackgroundThread;
import io.pmstore.core.engine.BackgroundThread.Task;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineMetrics;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.checkpoint.Checkpointer;
import io.pmstore.core.engine.mapped.checkpoint.ReplayedPages;
import io.pmstore.core.engine.mapped.commit.CommitPath;
import io.pmstore.core.engine.mapped.commit.Fragments;
import io.pmstore.core.engine.mapped.commit.Phase;
import io.pmstore.core.engine.mapped.commit.Placed;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.growth.HeapSize;
import io.pmstore.core.engine.mapped.growth.LogSize;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.recovery.Ranges;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.memory.HeapMemory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The mapped heap with its redo log, on ordinary files or on persistent memory.
 *
 * <p>A commit appends a record to the log and applies its ranges to the mapped heap; see {@link
 * CommitPath}. On files the heap is mapped privately: applied bytes stay in memory until a
 * checkpoint, which makes their records durable first. On persistent memory the record is durable
 * before it is applied, and {@link #sync} has nothing left to do.
 *
 * <p>An interrupt of a thread inside any method does not affect the store.
 */
public final class MappedEngine implements Engine {
  /** Creates the background thread. */
  static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("pmstore-background").factory();

  private final StoreLock storeLock;
  private final StoreFiles files;
  private final EngineState state;
  private final CommitPath path;
  private final Checkpointer checkpointer;
  private final HeapSize heapSize;
  private final LogSize logSize;
  private final BackgroundThread background;
  private final Task checkpoint = new Task(this::checkpointInBackground);
  private final Task prepareGrowth = new Task(this::prepareGrowthInBackground);
  private final Task adjustLog = new Task(this::adjustLogInBackground);
  private final Mutex closing = new Mutex();
  private volatile UsedSpace usedAtClose = (size, words) -> size;

  private MappedEngine(
      StoreLock storeLock, StoreFiles files, RedoLog log, Phase phase, ThreadFactory threads) {
    long segmentSize = files.header().current().segmentSize();
    this.storeLock = storeLock;
    this.files = files;
    this.state = new EngineState(files.directory());
    this.path =
        new CommitPath(
            state,
            log,
            files.logs(),
            files.medium().storesInPlace(),
            segmentSize,
            phase,
            this::logIsFilling);
    this.checkpointer = new Checkpointer(files, path, state);
    this.heapSize = new HeapSize(files, state, checkpointer);
    this.logSize = new LogSize(files, state, path, checkpointer);
    this.background = new BackgroundThread(threads, checkpoint, prepareGrowth, adjustLog);
  }

  /**
   * Opens the store in a directory; creates it if the directory is absent or empty. Recovers it if
   * it was not closed.
   *
   * @param options its storage is not {@link io.pmstore.Storage#LLPL}
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
   * Opens or creates a store like {@link #open(Path, PmStoreOptions)}.
   *
   * @param threads creates the thread that runs checkpoints; if that thread never runs, commits
   *     wait once the log is full
   */
  public static MappedEngine open(Path directory, PmStoreOptions options, ThreadFactory threads) {
    return StoreOpener.open(directory, options, UnaryOperator.identity(), threads);
  }

  @Override
  public OptionalLong logSegmentSize() {
    return OptionalLong.of(files.header().current().segmentSize());
  }

  /**
   * Recovers a store whose files are open, and starts a new epoch, in which no old log record can
   * be mistaken for a new one.
   */
  static MappedEngine start(StoreLock storeLock, StoreFiles files, ThreadFactory threads)
      throws IOException {
    ReplayedPages pages = new ReplayedPages(files, Checkpointer.DIRTY_BYTES_MAX);
    LogPosition end = pages.replay();
    Phase replayed = pages.phase();
    HeapHeader before = files.header().current();
    if (end.isAt(before.checkpoint()) || !before.canHaveNextEpoch()) {
      end = Checkpointer.checkpointRecovered(files, pages, end);
      replayed = new Phase(files, new DirtySet(files.medium().writeBackUnit()), null);
    } else {
      // The next checkpoint writes the replayed changes; until then their records stay.
      LogPosition epochEnd = end;
      // After a kill the copy in force may be only in the page cache; the update starts by
      // overwriting the other copy.
      files.heap().sync();
      files.header().update(header -> header.withNextEpoch(epochEnd));
    }
    files.dropTail();
    files.dropLeftOvers();
    HeapHeader header = files.header().current();
    RedoLog log =
        new RedoLog(
            files.logs(), header.storeId(), header.epoch(), header.checkpoint().segment(), end);
    MappedEngine engine = new MappedEngine(storeLock, files, log, replayed, threads);
    engine.background.start();
    engine.requestCheckpoint();
    if (engine.logSize.isLargerThanNormal()) {
      engine.requestLogAdjustment();
    }
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
        background.request(prepareGrowth);
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

  @Override
  public void keepAtClose(UsedSpace used) {
    usedAtClose = used;
  }

  private void prepareGrowthInBackground() {
    try {
      heapSize.prepare();
    } catch (Throwable e) {
      failInBackground(e);
    }
  }

  /** Called under the lock under which commits get their places. */
  private void logIsFilling(long size) {
    if (size > 0) {
      logSize.rotated(size);
    }
    requestCheckpoint();
    requestLogAdjustment();
  }

  private void requestLogAdjustment() {
    if (logSize.isDue()) {
      background.request(adjustLog);
    }
  }

  private void adjustLogInBackground() {
    try {
      logSize.adjust();
    } catch (Throwable e) {
      failInBackground(e);
    }
  }

  private void requestCheckpoint() {
    if (checkpointer.isDue()) {
      background.request(checkpoint);
    }
  }

  private void checkpointInBackground() {
    try {
      if (!state.hasFailed() && checkpointer.isDue()) {
        checkpointer.run();
        requestLogAdjustment(); // segments are free now
      }
    } catch (Throwable e) {
      failInBackground(e);
    }
  }

  private void failInBackground(Throwable e) {
    PmStoreException failed = fail(e);
    System.getLogger(MappedEngine.class.getName())
        .log(System.Logger.Level.ERROR, "the store's background work failed", failed);
  }

  @Override
  public Commit place(WriteSet writes) {
    checkUsable();
    if (writes.isEmpty()) {
      long position = path.position();
      return () -> position;
    }
    return new LoggedCommit(writes);
  }

  /** A commit on its way through the log. */
  private final class LoggedCommit implements Commit {
    private final boolean isLarge;
    private final Placed placed;
    private boolean ended;

    LoggedCommit(WriteSet writes) {
      isLarge = enterLog(writes.encodedSize());
      try {
        prepare(writes);
        checkPages(writes);
        Fragments fragments = path.prepare(writes);
        checkpointer.admit();
        placed = placeInLog(writes, fragments);
      } catch (Throwable e) {
        leaveLog();
        throw e;
      }
    }

    @Override
    public long append() {
      try {
        return path.append(placed);
      } catch (Throwable e) {
        if (e instanceof VirtualMachineError) {
          state.lost = true; // no call, which could fail too
        }
        throw failed(e);
      }
    }

    @Override
    public void apply() {
      try {
        path.apply(placed);
        requestCheckpoint();
        end();
      } catch (Throwable e) {
        if (e instanceof VirtualMachineError) {
          state.lost = true;
        }
        throw failed(e);
      }
    }

    private RuntimeException failed(Throwable e) {
      end();
      return e instanceof StoreClosedException closed ? closed : fail(e);
    }

    /** Does something only if a step was not even begun. */
    @Override
    public void abandon() {
      if (!ended) {
        state.lost = true; // no call, which could fail too
        end();
        fail(new IllegalStateException("a commit was given up between its steps"));
      }
    }

    private void end() {
      ended = true;
      placed.leave();
      leaveLog();
    }

    private void leaveLog() {
      if (isLarge) {
        logSize.leave();
        requestLogAdjustment();
      }
    }
  }

  private Placed placeInLog(WriteSet writes, @Nullable Fragments fragments) {
    try {
      return path.place(writes, fragments);
    } catch (StoreClosedException | OutOfMemoryError e) {
      throw e; // without memory it got no place
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  private boolean enterLog(long bytes) {
    try {
      return logSize.enter(bytes);
    } catch (StoreFullException | TransactionTooLargeException | StoreClosedException e) {
      throw e;
    } catch (Throwable e) {
      throw fail(e);
    }
  }

  private void prepare(WriteSet writes) {
    try {
      writes.resolve(files.memory());
    } catch (NullPointerException | IllegalStateException e) {
      checkUsable(); // the memory may just have been removed
      throw e;
    }
    String fault = Ranges.findFault(writes, files.memory().writableBytes());
    if (fault != null) {
      checkUsable();
      throw new IllegalArgumentException("a write set is malformed: " + fault);
    }
  }

  /** Refuses to change damaged pages, before the record is logged. */
  private void checkPages(WriteSet writes) {
    files.checks().checkUndamaged();
    try {
      writes.forEachRange(files.checks());
    } catch (UncheckedIOException e) {
      checkUsable();
      throw fail(requireNonNull(e.getCause()));
    }
  }

  @Override
  public void checkStored(long address, long length) {
    checkUsable();
    try {
      files.checks().check(address, length);
    } catch (IOException e) {
      checkUsable();
      throw fail(e);
    }
  }

  @Override
  public void checkWritable() {
    files.checks().checkUndamaged();
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
      checkpointer.run(); // takes everything that was recovered to the file
    } catch (Throwable e) {
      throw fail(e);
    }
    files.header().verify(faults);
    files.verify(faults);
  }

  @Override
  public @Nullable Instant checksumsMade() {
    checkUsable();
    return files.checksumsMade();
  }

  @Override
  public long commitWaits() {
    return state.waits();
  }

  @Override
  public EngineMetrics metrics() {
    return checkpointer
        .count()
        .metrics(
            files.medium().storesInPlace()
                ? OptionalLong.empty()
                : OptionalLong.of(path.barrier().syncs()),
            OptionalLong.of(path.logBytesSince(files.header().current().checkpoint())),
            OptionalLong.of(files.logs().size()),
            OptionalLong.of(checkpointer.dirtyBytes()));
  }

  @Override
  public void checkUsable() {
    state.check();
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    return fail((Throwable) fault);
  }

  /** Fails the engine for good; returns the exception to throw. */
  private PmStoreException fail(Throwable reason) {
    Throwable first = state.fail(reason);
    try {
      path.barrier().fail(first);
    } finally {
      path.wakeAll();
      checkpointer.step();
      heapSize.clearMemory();
    }
    return state.failed(first);
  }

  @Override
  public void close() {
    try (var _ = closing.hold()) {
      if (state.isClosed()) {
        return;
      }
      state.close();
      try (Closeable _ = storeLock::release;
          var _ = files;
          Closeable _ = heapSize::clearMemory; // after a running change of the size
          Closeable _ = () -> path.barrier().fail(state.closed())) {
        path.wakeAll();
        checkpointer.step();
        background.stop();
        if (!state.hasFailed()) {
          checkpointForClose();
        }
      } catch (IOException e) {
        if (!state.hasFailed()) {
          throw state.failed(e);
        }
      }
    }
  }

  private void checkpointForClose() {
    try {
      logSize.awaitEnd();
      heapSize.checkpointForClose(usedAtClose);
    } catch (Throwable e) {
      throw fail(e);
    }
  }
}
