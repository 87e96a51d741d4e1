package io.pmstore.core.engine.mapped.growth;

import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.mapped.checkpoint.Checkpointer;
import io.pmstore.core.engine.mapped.commit.CommitPath;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.medium.MediumException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Adapts the size of the log. It starts small. While commits fill segments quickly, the background
 * thread replaces free segments by larger ones, up to the size that the store was created with. A
 * transaction that is larger than the log makes it still larger, until the transaction ends.
 * Thread-safe.
 *
 * <p>A new segment takes the old one's name once it is whole and durable. After a power cut either
 * of the two may be there: recovery needs no record of the old one.
 */
public final class LogSize {
  /** The log grows if a segment fills in less time than this. */
  private static final long FILLS_SLOWLY_NANOS = 10_000_000_000L;

  private static final int STEP = 4;

  private final StoreFiles files;
  private final EngineState state;
  private final CommitPath path;
  private final Checkpointer checkpointer;
  private final long normal;

  private final Mutex lock = new Mutex();
  // The number of transactions that need more than the normal size; changed under the lock.
  private final AtomicInteger large = new AtomicInteger();
  private boolean ended;
  // Of two updates at the same time, one may be lost: then the log grows later.
  private volatile long target;
  private LogSegments.@Nullable Segment spare; // created and not used yet

  // Guarded by the lock under which commits get their places.
  private long rotated = System.nanoTime() - FILLS_SLOWLY_NANOS;

  public LogSize(StoreFiles files, EngineState state, CommitPath path, Checkpointer checkpointer) {
    this.files = files;
    this.state = state;
    this.path = path;
    this.checkpointer = checkpointer;
    this.normal = files.header().current().segmentSize();
    this.target = Math.min(normal, largest());
  }

  private long largest() {
    LogSegments segments = files.logs();
    long largest = 0;
    for (int i = 0; i < segments.count(); i++) {
      largest = Math.max(largest, segments.get(i).size());
    }
    return largest;
  }

  /** Notes that commits moved to another segment of the given size. */
  public void rotated(long size) {
    long now = System.nanoTime();
    if (now - rotated < FILLS_SLOWLY_NANOS && size >= target && target < normal) {
      target = Math.min(normal, target * STEP);
    }
    rotated = now;
  }

  /** Returns true if a large transaction has left a larger log than other transactions need. */
  public boolean isLargerThanNormal() {
    return largest() > normal;
  }

  /** Returns the size that each segment should have. */
  private long wanted() {
    return Math.max(target, path.segmentMin());
  }

  /** Returns true if a segment should have another size. */
  public boolean isDue() {
    long wanted = wanted();
    return files.logs().smallest() < wanted || (large.get() == 0 && largest() > wanted);
  }

  /**
   * Replaces free segments, until a checkpoint is more urgent.
   *
   * @throws IOException if the store must fail
   */
  public void adjust() throws IOException {
    lock.lock();
    try {
      boolean goesOn = large.get() == 0 && !ended;
      while (goesOn && !state.isClosed() && !state.hasFailed() && !checkpointer.isDue()) {
        goesOn = replaceOne(wanted());
      }
      if (!isDue()) {
        dropSpare();
      }
      if (large.get() == 0 && largest() > normal && !state.isClosed() && !state.hasFailed()) {
        path.rotate(); // out of the segments that a large transaction has left
        checkpointer.run();
        boolean more = true;
        while (more) {
          more = replaceOne(wanted());
        }
      }
    } catch (StoreFullException e) {
      // The present log will do.
      System.getLogger(LogSize.class.getName())
          .log(System.Logger.Level.WARNING, "no room for a larger log: " + e.getMessage());
      target = files.logs().smallest();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Makes room for a transaction that is larger than the log.
   *
   * @param bytes of its write set
   * @return true if the caller must call {@link #leave} after the transaction; false if the log had
   *     room
   * @throws TransactionTooLargeException if no log can be that large
   * @throws StoreFullException if the device has no room for it; nothing has changed
   * @throws IOException if the store must fail
   */
  public boolean enter(long bytes) throws IOException {
    if (bytes <= commitMax(Math.min(normal, files.logs().smallest()))) {
      return false;
    }
    long size = sizeFor(bytes);
    try (var _ = lock.hold()) {
      // Otherwise the next adjustment would shrink segments that the next commit needs again.
      target = Math.max(target, Math.min(size, normal));
      large.incrementAndGet();
      try {
        replaceAll(size);
      } catch (Throwable e) {
        large.decrementAndGet();
        throw e;
      }
    }
    return true;
  }

  /** Ends a transaction for which {@link #enter} returned true. */
  public void leave() {
    try (var _ = lock.hold()) {
      large.decrementAndGet();
    }
  }

  /** Waits for a running change to end. The engine is closed, so no other follows. */
  public void awaitEnd() throws IOException {
    try (var _ = lock.hold()) {
      ended = true;
      dropSpare();
    }
  }

  private long commitMax(long size) {
    return LogRecordLayout.commitMax(StoreLayout.LOG_SEGMENTS, size, Math.min(size, normal));
  }

  private long sizeFor(long bytes) {
    long size = Math.min(target, normal);
    while (commitMax(size) < bytes && size < StoreLayout.segmentMax(normal)) {
      size = Math.min(size * 2, size < normal ? normal : StoreLayout.segmentMax(normal));
    }
    if (commitMax(size) < bytes) {
      throw new TransactionTooLargeException(
          "%s: a transaction writes %d bytes; with log segments of up to %d bytes it can write %d. Split it%s"
              .formatted(
                  files.directory(),
                  bytes,
                  size,
                  commitMax(size),
                  size < StoreLayout.LOG_SEGMENT_MAX
                      ? ", or copy the store into one made with a larger"
                          + " PmStoreOptions.logSegmentSize"
                      : " into several"));
    }
    return size;
  }

  /** Replaces every segment that is too small; those in use after a checkpoint. */
  private void replaceAll(long size) throws IOException {
    while (files.logs().smallest() < size) {
      state.check();
      if (!replaceOne(Math.max(size, largest()))) {
        path.rotate();
        checkpointer.run();
      }
    }
  }

  /** Replaces a free segment of another size. Returns false if there is none. */
  private boolean replaceOne(long size) throws IOException {
    assert lock.isHeldByCurrentThread();
    int number = path.freeSegmentOfOtherSize(size);
    if (number < 0) {
      return false;
    }
    LogSegments.Segment made = spare(number, size);
    // Commits may have moved to that segment since; then another one is free.
    number = path.claimFreeOfOtherSize(size);
    if (number < 0) {
      return false;
    }
    spare = null;
    LogSegments.Segment old = files.logs().get(number);
    try {
      files.nameSegment(made, number);
    } finally {
      path.unclaim(made);
    }
    files.closeSegment(old);
    return true;
  }

  /**
   * Returns a new segment of a size. One that found no free place is kept for the next attempt:
   * otherwise a disk that is slower than the commits would create segments in vain, again and
   * again.
   */
  private LogSegments.Segment spare(int number, long size) throws IOException {
    LogSegments.Segment made = spare;
    if (made != null && made.size() != size) {
      dropSpare();
      made = null;
    }
    if (made == null) {
      try {
        made = files.makeSegment(number, size);
      } catch (MediumException e) {
        if (!e.noRoom()) {
          throw e;
        }
        throw new StoreFullException(
            "%s: the log cannot grow to segments of %d bytes: %s; free some space and try again"
                .formatted(files.directory(), size, e.getMessage()),
            e);
      }
      spare = made;
    }
    return made;
  }

  private void dropSpare() throws IOException {
    LogSegments.Segment made = spare;
    if (made != null) {
      spare = null;
      files.dropSegment(made);
    }
  }
}
