package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.mapped.CommitPath.Cut;
import io.pmstore.core.events.CheckpointEvent;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.RedoLog;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings the heap file up to date with the heap's memory, in small steps beside commits, so that
 * log segments get free and memory does.
 *
 * <p>One checkpoint: cut the order of commits; write all units that were changed before the cut;
 * make them durable; make the header durable that says so; free the log before the cut; on files,
 * drop the copies of pages that were not changed again.
 */
final class Checkpointer {
  /** From so many changed bytes on, in whole units, a checkpoint is due: 64 MiB. */
  static final long DIRTY_BYTES_DUE = 64L << 20;

  /** From so many on, a commit waits for a step of the checkpoint: 256 MiB. */
  static final long DIRTY_BYTES_MAX = 256L << 20;

  private static final int SEGMENTS_DUE = StoreLayout.LOG_SEGMENTS / 2 + 1;
  private static final long LATCHED = 4 << 20;

  private final StoreFiles files;
  private final WriteBack writeBack;
  private final CommitPath path;
  private final EngineState state;

  private final ReentrantLock running = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition stepped = lock.newCondition();
  private long steps;
  private volatile long writing;

  // Of whoever runs a checkpoint: after one that failed there is none.
  private @Nullable Throwable failure;

  // Empty: what the next phase will note its changes in.
  private DirtyRanges spare;

  Checkpointer(StoreFiles files, CommitPath path, EngineState state) {
    this.files = files;
    this.writeBack = WriteBack.of(files);
    this.path = path;
    this.state = state;
    this.spare = new DirtyRanges(files.medium().writeBackUnit());
  }

  /** Whether a checkpoint should run. */
  boolean isDue() {
    return path.segmentsInUse() >= SEGMENTS_DUE || path.dirtyBytes() >= DIRTY_BYTES_DUE;
  }

  private boolean isOverdue() {
    return path.isLogFull() || path.dirtyBytes() + writing >= DIRTY_BYTES_MAX;
  }

  /** Slows a commit down to the pace of a checkpoint that cannot keep up: one step of it. */
  void admit() {
    if (!isOverdue()) {
      return;
    }
    CommitStallEvent stall =
        CommitStallEvent.started(
            files.directory(), path.isLogFull() ? Cause.LOG_FULL : Cause.DIRTY_BYTES);
    lock.lock();
    try {
      long before = steps;
      while (isOverdue() && steps == before && !state.isClosed() && !state.hasFailed()) {
        stepped.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
      stall.commit();
    }
  }

  /** Counts a step, for those who wait for one; also after a failure or a closing. */
  void step() {
    lock.lock();
    try {
      steps++;
      stepped.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Runs a checkpoint, after one that runs.
   *
   * @param closing true if no commit can come any more
   */
  void run(boolean closing) throws IOException {
    running.lock();
    try {
      runAlone(closing, () -> {});
    } finally {
      running.unlock();
    }
  }

  /** What is done between two checkpoints. */
  @FunctionalInterface
  interface Action {
    void run() throws IOException;
  }

  /** Runs a checkpoint, and then an action before any other one. */
  void runBefore(Action action) throws IOException {
    running.lock();
    try {
      state.check(); // a closed store has had its last checkpoint
      runAlone(false, action);
    } finally {
      running.unlock();
    }
  }

  private void runAlone(boolean closing, Action action) throws IOException {
    if (failure != null) {
      throw new IOException("an earlier checkpoint failed: " + failure, failure);
    }
    try {
      checkpoint(closing);
      action.run();
    } catch (Throwable e) {
      failure = e;
      throw e;
    }
  }

  private void checkpoint(boolean closing) throws IOException {
    CheckpointEvent event = CheckpointEvent.started();
    LogPosition from = files.header().current().checkpoint();
    DirtyRanges next = spare;
    Cut cut = path.cut(old -> new Phase(files, next, null));
    DirtyRanges dirty = cut.before().dirty();
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
    finish(files, path.epoch(), cut.end(), closing);
    path.retire(cut.end());
    if (!files.medium().storesInPlace() && !closing) {
      release(dirty, next);
    }
    dirty.clear();
    spare = dirty;
    writing = 0;
    step();
    event.ended(files.directory(), bytes, pages, path.logBytes(from, cut.end()));
  }

  /**
   * Makes what was written back durable, and then the header that says so; that of a closed store
   * leaves out what was allocated ahead of need.
   */
  private static void finish(StoreFiles files, long epoch, LogPosition end, boolean closed)
      throws IOException {
    files.sums().sync();
    files.header().sync();
    files
        .header()
        .update(
            header -> {
              HeapHeader next = header.withCheckpoint(epoch, end, closed);
              return closed ? next.withHeapSize(files.memory().size()) : next;
            });
  }

  /**
   * Has the file hold all that was replayed, and starts a new epoch with an empty log.
   *
   * @param replayed what was changed
   * @param end of the log
   * @return where the new epoch's first record goes
   */
  static LogPosition checkpointRecovered(StoreFiles files, DirtyRanges replayed, LogPosition end)
      throws IOException {
    WriteBack.of(files).write(replayed, WriteBack.ALONE);
    LogPosition next =
        RedoLog.startOf((end.segment() + 1) % StoreLayout.LOG_SEGMENTS, end.sequence());
    finish(files, files.header().current().epoch() + 1, next, false);
    if (!files.medium().storesInPlace()) {
      MediumFile heap = files.heap();
      HeapMemory memory = files.memory();
      replayed.forEachRun((address, length) -> heap.release(memory, address, length));
    }
    return next;
  }

  /**
   * Drops the copies of pages that the file has and that were not changed again, window by window:
   * while pages are dropped, no commit may store to them.
   */
  private void release(DirtyRanges written, DirtyRanges changed) throws IOException {
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

  private void releaseWindow(DirtyRanges written, DirtyRanges changed, long from)
      throws IOException {
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
