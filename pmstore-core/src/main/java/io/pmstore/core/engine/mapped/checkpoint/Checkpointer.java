package io.pmstore.core.engine.mapped.checkpoint;

import io.pmstore.core.engine.CheckpointCount;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.mapped.commit.CommitPath;
import io.pmstore.core.engine.mapped.commit.CommitPath.Cut;
import io.pmstore.core.engine.mapped.commit.Latch;
import io.pmstore.core.engine.mapped.commit.Phase;
import io.pmstore.core.engine.mapped.files.DirtySet;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.events.CheckpointEvent;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.IoAction;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heap's changes from memory to the heap file, in small steps while commits continue, so
 * that log segments and memory become free.
 *
 * <p>A checkpoint takes a cut of the order of commits, writes all units that were changed before
 * the cut, makes them durable, makes the header with the new checkpoint position durable, and frees
 * the log before the cut. On files it then drops the private copies of pages that were not changed
 * again.
 */
public final class Checkpointer {
  /** The dirty bytes, in whole units, from which a checkpoint is due: 64 MiB. */
  static final long DIRTY_BYTES_DUE = 64L << 20;

  /** The dirty bytes from which a commit waits for a step of the checkpoint: 256 MiB. */
  public static final long DIRTY_BYTES_MAX = 256L << 20;

  private static final int SEGMENTS_DUE = StoreLayout.LOG_SEGMENTS / 2 + 1;
  private static final long LATCHED = 4 << 20;

  private final StoreFiles files;
  private final WriteBack writeBack;
  private final CommitPath path;
  private final EngineState state;

  private final Mutex running = new Mutex();
  private final Mutex lock = new Mutex();
  private final Condition stepped = lock.newCondition();
  private long steps;
  private volatile long writing;
  private final CheckpointCount count = new CheckpointCount();

  // Guarded by `running`. No checkpoint runs after a failed one.
  private @Nullable Throwable failure;

  // The empty dirty set that the next phase will use.
  private DirtySet spare;

  public Checkpointer(StoreFiles files, CommitPath path, EngineState state) {
    this.files = files;
    this.writeBack = WriteBack.of(files);
    this.path = path;
    this.state = state;
    this.spare = new DirtySet(files.medium().writeBackUnit());
  }

  /** Returns true if a checkpoint should run. */
  public boolean isDue() {
    return path.segmentsInUse() >= SEGMENTS_DUE || path.dirtyBytes() >= DIRTY_BYTES_DUE;
  }

  private boolean isOverdue() {
    return path.isLogFull() || dirtyBytes() >= DIRTY_BYTES_MAX;
  }

  public CheckpointCount count() {
    return count;
  }

  /** Returns the changed bytes of the heap that no checkpoint has written yet. */
  public long dirtyBytes() {
    return path.dirtyBytes() + writing;
  }

  /** Makes a commit wait for one step of a checkpoint that cannot keep up. */
  public void admit() {
    if (!isOverdue()) {
      return;
    }
    state.countWait();
    @Nullable CommitStallEvent stall =
        Recorder.stall(files.directory(), path.isLogFull() ? Cause.LOG_FULL : Cause.DIRTY_BYTES);
    lock.lock();
    try {
      long before = steps;
      while (isOverdue() && steps == before && !state.isClosed() && !state.hasFailed()) {
        stepped.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
      Recorder.ended(stall);
    }
  }

  /** Counts a step and wakes the waiting commits; also after a failure and at close. */
  public void step() {
    try (var _ = lock.hold()) {
      steps++;
      stepped.signalAll();
    }
  }

  /** Runs a checkpoint, after a running one has ended. */
  public void run() throws IOException {
    try (var _ = running.hold()) {
      runAlone(0, () -> {});
    }
  }

  /**
   * Runs the last checkpoint: no commit can follow.
   *
   * @param heapSize the heap size of the closed store, in bytes; not in use behind it
   */
  public void runForClose(long heapSize) throws IOException {
    try (var _ = running.hold()) {
      runAlone(heapSize, () -> {});
    }
  }

  /** Runs a checkpoint, and then an action before any other checkpoint. */
  public void runBefore(IoAction action) throws IOException {
    try (var _ = running.hold()) {
      state.check(); // a closed store has had its last checkpoint
      runAlone(0, action);
    }
  }

  /**
   * Runs a checkpoint and an action.
   *
   * @param closedSize the heap size of the closed store; 0 if the store stays open
   */
  private void runAlone(long closedSize, IoAction action) throws IOException {
    assert running.isHeldByCurrentThread();
    if (failure != null) {
      throw new IOException("an earlier checkpoint failed: " + failure, failure);
    }
    try {
      checkpoint(closedSize);
      action.run();
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
  }

  private void checkpoint(long closedSize) throws IOException {
    @Nullable CheckpointEvent event = Recorder.checkpoint();
    long began = System.nanoTime();
    LogPosition from = files.header().current().checkpoint();
    DirtySet next = spare;
    Cut cut = path.cut(old -> new Phase(files, next, null));
    DirtySet dirty = cut.before().dirty();
    long bytes = dirty.bytes();
    writing = bytes;
    files.checkNotCut();
    long pages =
        writeBack.write(
            dirty,
            new WriteBack.Steps() {
              @Override
              public void awaitRecords() throws IOException {
                state.checkNotFailed();
                path.sync(path.position());
              }

              @Override
              public void done() {
                step();
              }
            });
    path.sync(cut.position());
    state.checkNotFailed();
    finish(files, path.epoch(), cut.end(), closedSize);
    path.retire(cut.end());
    if (!files.medium().storesInPlace() && closedSize == 0) {
      release(dirty, next);
    }
    dirty.clear();
    spare = dirty;
    writing = 0;
    count.ended(began, bytes);
    step();
    if (event != null) {
      event.ended(files.directory(), bytes, pages, path.logBytes(from, cut.end()));
    }
  }

  /**
   * Makes the written units durable, and then the header with the new checkpoint.
   *
   * @param closedSize the heap size in the header of a closed store, which excludes space that is
   *     not in use; 0 if the store stays open
   */
  private static void finish(StoreFiles files, long epoch, LogPosition end, long closedSize)
      throws IOException {
    files.sums().sync();
    files.header().sync();
    files
        .header()
        .update(
            header -> {
              HeapHeader next = header.withCheckpoint(epoch, end, closedSize > 0);
              return closedSize > 0 ? next.withHeapSize(closedSize) : next;
            });
  }

  /**
   * Takes all that was replayed to the file, and starts a new epoch with an empty log.
   *
   * @param replayed the changes
   * @param end of the log
   * @return where the new epoch's first record goes
   */
  public static LogPosition checkpointRecovered(
      StoreFiles files, ReplayedPages replayed, LogPosition end) throws IOException {
    replayed.write();
    LogPosition next =
        RedoLog.startOf((end.segment() + 1) % StoreLayout.LOG_SEGMENTS, end.sequence());
    finish(files, files.header().current().epoch() + 1, next, 0);
    return next;
  }

  /**
   * Drops the private copies of pages that the file has and that were not changed again. It
   * proceeds window by window, because no commit may store to a window while its pages are dropped.
   */
  private void release(DirtySet written, DirtySet changed) throws IOException {
    long[] window = {-1};
    written.forEachRun(
        (address, length) -> {
          for (long at = address & -LATCHED; at < address + length; at += LATCHED) {
            if (at != window[0]) {
              window[0] = at;
              releaseWindow(written, changed, at);
            }
          }
        });
  }

  private void releaseWindow(DirtySet written, DirtySet changed, long from) throws IOException {
    Latch latch = new Latch(files.directory(), from, from + LATCHED);
    try {
      path.cut(old -> new Phase(files, changed, latch));
      int unit = files.medium().writeBackUnit();
      long runStart = -1;
      for (long at = from; at <= from + LATCHED; at += unit) {
        boolean drop = at < from + LATCHED && written.contains(at) && !changed.contains(at);
        if (drop && runStart < 0) {
          runStart = at;
        } else if (!drop && runStart >= 0) {
          files.heap().release(files.memory(), runStart, at - runStart);
          runStart = -1;
        }
      }
    } finally {
      latch.open();
    }
    step();
  }
}
