package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.Mutex;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.events.Recorder;
import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.log.RedoLog;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The path of a write set into the log and the heap.
 *
 * <ul>
 *   <li>Place: under a lock a commit gets its place in the order of commits, in the log, and in a
 *       {@link Phase}.
 *   <li>Append: the commit writes its record, concurrently with other commits. It then waits until
 *       the records of all earlier commits are written too (on persistent memory: are durable),
 *       because recovery ends at the first gap.
 *   <li>Apply: only then the commit changes the heap, again concurrently with others.
 * </ul>
 */
public final class CommitPath {
  private static final int SPINS = 100;

  private final EngineState state;
  private final RedoLog log;
  private final LogBarrier barrier;
  private final boolean durableBeforeApply;
  private final LogSegments segments;
  private final long recordSegmentSize;
  // Determines the size of records; never decreases. No segment may become smaller.
  private volatile long segmentMin;
  private final LongConsumer logIsFilling;

  private final Mutex lock = new Mutex();
  // Signalled when the log has room, when a fragmented commit ends, and after a failure.
  private final Condition changed = lock.newCondition();
  private volatile Phase phase; // replaced under the lock
  private @Nullable Fragments fragmenting;
  private LogPosition fragmentsFrom;

  private final WrittenPrefix written;

  /**
   * Creates the path.
   *
   * @param storesInPlace true if stores to the heap may become durable at any time
   * @param recordSegmentSize the largest segment size, in bytes, that determines the size of
   *     records
   * @param logIsFilling receives the new segment's size when the log moves to another segment, or 0
   *     if it cannot
   */
  public CommitPath(
      EngineState state,
      RedoLog log,
      LogSegments segments,
      boolean storesInPlace,
      long recordSegmentSize,
      Phase phase,
      LongConsumer logIsFilling) {
    this.state = state;
    this.log = log;
    this.durableBeforeApply = storesInPlace;
    this.segments = segments;
    this.recordSegmentSize = recordSegmentSize;
    this.segmentMin = smallestSegment();
    this.phase = phase;
    this.fragmentsFrom = log.next();
    this.written = new WrittenPrefix(state, log.position(), this::write, storesInPlace);
    this.logIsFilling = logIsFilling;
    this.barrier =
        new LogBarrier(log.position(), written::sequence, () -> log.sync(written.last()));
    phase.begin(log.position());
  }

  /** Returns the position of the last commit that has one. */
  public long position() {
    return log.position();
  }

  public LogBarrier barrier() {
    return barrier;
  }

  /** Returns the durable position: this commit and all before it are known to be durable. */
  private long durable() {
    return durableBeforeApply ? written.sequence() : barrier.durable();
  }

  /**
   * Allocates the memory that a commit needs, so that it does not run out of it later. Returns null
   * if the write set fits into one record.
   */
  public @Nullable Fragments prepare(WriteSet writes) {
    int most = LogRecordLayout.payloadMax(segmentMin);
    return writes.hasLent() || writes.length() > most ? new Fragments(most) : null;
  }

  /**
   * Gives a commit its place in the order. One of several records gets it after the others are
   * written, and excludes other commits until then, so that its records are adjacent.
   *
   * @param writes ranges that have no fault
   * @param fragments from {@link #prepare}
   */
  public Placed place(WriteSet writes, @Nullable Fragments fragments) {
    Placed placed = new Placed(writes, fragments);
    if (fragments == null) {
      take(placed, writes.recordSize());
    } else {
      excludeOthers(fragments);
    }
    return placed;
  }

  /**
   * Writes the records of a commit. Returns its position when the records of all earlier ones are
   * written too.
   */
  public long append(Placed placed) throws IOException {
    Fragments fragments = placed.fragments();
    WriteSet writes = placed.writes();
    if (fragments == null) {
      return append(placed, 0, writes.record(), writes.recordSize());
    }
    boolean whole = false;
    try {
      fragments.cut(writes, this::writeFragment);
      take(placed, fragments.size());
      if (durableBeforeApply) {
        // A thread that helps makes only the last record durable.
        log.syncOwn(placed.place());
      }
      whole = true;
    } finally {
      if (!whole && !state.isClosed()) {
        // Recovery ends at fragments without a last record, so no commit may come behind them. No
        // call, which could fail too.
        state.lost = true;
      }
      try (var _ = lock.hold()) {
        admitOthers(fragments);
      }
    }
    return append(placed, fragments.part(), fragments.record(), fragments.size());
  }

  /** Writes the only or last record of a commit. */
  private long append(Placed placed, int part, byte[] record, int size) throws IOException {
    placed.record(record, size, part, durable());
    written.begin(placed);
    write(placed, record);
    written.end(placed);
    written.await(placed);
    return placed.sequence();
  }

  /** Writes a record, on the thread of its commit or on one that waits behind it. */
  private void write(Placed placed, byte[] record) throws IOException {
    LogPosition place = placed.place();
    log.write(
        place,
        LogRecordLayout.KIND_COMMIT,
        placed.part(),
        placed.durable(),
        record,
        placed.size(),
        placed.isRelaxed());
    if (durableBeforeApply) {
      log.syncOwn(place);
    }
  }

  /** Changes the heap. */
  public void apply(Placed placed) {
    placed.writes().forEachRange(placed.entered());
    placed.leave();
  }

  private void writeFragment(Fragments fragment) throws IOException {
    LogPosition place;
    try (var _ = lock.hold()) {
      awaitRoom(fragment.size(), fragment);
      place = log.take(fragment.size());
    }
    log.write(
        place,
        LogRecordLayout.KIND_FRAGMENT,
        fragment.part(),
        durable(),
        fragment.record(),
        fragment.size(),
        false);
  }

  /** Takes the place of the only or last record of a commit. */
  private void take(Placed placed, int size) {
    lockBriefly();
    try {
      awaitRoom(size, placed.fragments());
      // The position is published before the changes can be seen: a reader of a new value waits
      // for it.
      placed.enter(log.takeLast(size), phase);
      Fragments fragments = placed.fragments();
      if (fragments != null) {
        admitOthers(fragments);
      }
    } finally {
      lock.unlock();
    }
  }

  private void excludeOthers(Fragments fragments) {
    try (var _ = lock.hold()) {
      state.check();
      if (fragmenting != null) {
        @Nullable CommitStallEvent stall = Recorder.stall(state.directory(), Cause.LARGE_COMMIT);
        try {
          do {
            changed.awaitUninterruptibly();
            state.check();
          } while (fragmenting != null);
        } finally {
          Recorder.ended(stall);
        }
      }
      LogPosition next = log.next(); // first: without memory for it no commit is excluded
      fragmenting = fragments;
      fragmentsFrom = next;
    }
  }

  /** Called with the lock held; a second call does nothing. */
  private void admitOthers(Fragments fragments) {
    if (fragmenting == fragments) {
      fragmenting = null;
      changed.signalAll();
    }
  }

  /**
   * Takes the lock, which is held for a few instructions only: spinning is shorter than parking.
   */
  private void lockBriefly() {
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
      Thread.onSpinWait();
    }
    lock.lock();
  }

  /** Waits until all commits up to a position are durable. */
  public void sync(long upTo) throws IOException {
    if (upTo > durable()) {
      written.await(upTo);
      if (!durableBeforeApply) {
        barrier.await(upTo);
      }
    }
  }

  /**
   * Waits for room in the active segment, and for the end of another commit's fragments. The caller
   * holds the lock.
   *
   * @param own the fragments that the record is one of, or null
   */
  private void awaitRoom(int size, @Nullable Fragments own) {
    state.check();
    if (hasRoom(size, own)) {
      return;
    }
    boolean logFull = fragmenting == own;
    if (logFull) {
      state.countWait();
    }
    @Nullable CommitStallEvent stall =
        Recorder.stall(state.directory(), logFull ? Cause.LOG_FULL : Cause.LARGE_COMMIT);
    try {
      do {
        changed.awaitUninterruptibly();
        state.check();
      } while (!hasRoom(size, own));
    } finally {
      Recorder.ended(stall);
    }
  }

  private boolean hasRoom(int size, @Nullable Fragments own) {
    if (fragmenting != own) {
      return false;
    }
    while (!log.fits(size)) {
      boolean rotated = log.rotate();
      logIsFilling.accept(rotated ? log.activeSize() : 0);
      if (!rotated) {
        return false;
      }
    }
    return true;
  }

  /** Makes all waiting threads test their conditions again, after a failure or at close. */
  public void wakeAll() {
    try (var _ = lock.hold()) {
      changed.signalAll();
    }
  }

  /**
   * A place between two commits. Commits before it belong to {@code before} or to earlier phases.
   */
  public record Cut(Phase before, long position, LogPosition end) {}

  /**
   * Replaces the phase and waits until all commits of the old one are applied.
   *
   * @param next returns the new phase for the old one
   */
  public Cut cut(UnaryOperator<Phase> next) {
    Cut cut;
    try (var _ = lock.hold()) {
      long position = log.position();
      cut = new Cut(phase, position, fragmenting != null ? fragmentsFrom : log.next());
      phase.end(position);
      phase = next.apply(phase);
      phase.begin(position);
    }
    // A commit that an error ended may not leave its phase.
    Backoff.until(() -> cut.before.isQuiet() || state.hasFailed());
    state.checkNotFailed();
    return cut;
  }

  /** Frees the segments before a durable checkpoint. */
  public void retire(LogPosition checkpoint) {
    try (var _ = lock.hold()) {
      log.retire(checkpoint);
      changed.signalAll();
    }
  }

  private long smallestSegment() {
    return Math.min(recordSegmentSize, segments.smallest());
  }

  /**
   * Returns the size in bytes that every segment must have: commits write records that a smaller
   * one may not hold. Never decreases.
   */
  public long segmentMin() {
    return segmentMin;
  }

  /**
   * Moves the log to the next segment if that is free, unless a commit is writing fragments: it may
   * need all the room that is left.
   */
  public void rotate() {
    try (var _ = lock.hold()) {
      if (fragmenting == null) {
        log.rotate();
      }
    }
  }

  /** Returns the number of a free segment of another size, or -1. */
  public int freeSegmentOfOtherSize(long size) {
    try (var _ = lock.hold()) {
      return log.freeOfOtherSize(size);
    }
  }

  /**
   * Claims a free segment of another size, so that the log does not use it. Returns its number, or
   * -1.
   */
  public int claimFreeOfOtherSize(long size) {
    try (var _ = lock.hold()) {
      return log.claimFreeOfOtherSize(size);
    }
  }

  /** Puts a segment in the place of the claimed one, and lets the log use it. */
  public void unclaim(LogSegments.Segment segment) {
    try (var _ = lock.hold()) {
      log.unclaim(segment);
      segmentMin = Math.max(segmentMin, smallestSegment());
      changed.signalAll();
    }
  }

  /** Returns the number of segments in use. The answer may be stale. */
  public int segmentsInUse() {
    return log.segmentsInUse();
  }

  /** Returns true if no log segment is free. The answer may be stale. */
  public boolean isLogFull() {
    return log.segmentsInUse() == StoreLayout.LOG_SEGMENTS;
  }

  /**
   * Returns the bytes of the log from a checkpoint to its end.
   *
   * @param checkpoint the last one
   */
  public long logBytesSince(LogPosition checkpoint) {
    try (var _ = lock.hold()) {
      return log.bytes(checkpoint, log.next());
    }
  }

  /** Returns the bytes of the log between two places. */
  public long logBytes(LogPosition from, LogPosition to) {
    return log.bytes(from, to);
  }

  /** Returns the dirty bytes of the current phase. */
  public long dirtyBytes() {
    return phase.dirty().bytes();
  }

  public long epoch() {
    return log.epoch();
  }
}
