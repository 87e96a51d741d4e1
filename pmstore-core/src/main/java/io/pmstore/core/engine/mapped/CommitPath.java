package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.events.CommitStallEvent;
import io.pmstore.core.events.CommitStallEvent.Cause;
import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.log.LogRecordLayout;
import io.pmstore.core.log.RedoLog;
import java.io.IOException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The way of a write set into the log and the heap.
 *
 * <p>Under a lock it gets its place: in the order of commits, in the log, and in a {@link Phase}.
 * Beside other commits it writes its record there. Then it waits for its turn, until the records of
 * all before it are written too (on persistent memory: are durable), because a recovery ends at the
 * first gap. Only then is it applied, beside others again.
 */
final class CommitPath {
  private static final int SPINS = 100;

  private final EngineState state;
  private final RedoLog log;
  private final LogBarrier barrier;
  private final boolean durableAtTurn;
  private final int recordMax;
  private final Runnable logIsFilling;

  private final ReentrantLock lock = new ReentrantLock();
  // Room in the log, a fragmented commit that is over, a failure.
  private final Condition changed = lock.newCondition();
  private volatile Phase phase; // replaced under the lock
  private @Nullable Fragments fragmenting;
  private LogPosition fragmentsFrom;

  private volatile long position;
  private final WrittenPrefix written;

  /**
   * Creates the path.
   *
   * @param storesInPlace true if stores to the heap may become durable at any time
   * @param position of the last commit before
   * @param logIsFilling is told when the log goes on in another segment, or cannot
   */
  CommitPath(
      EngineState state,
      RedoLog log,
      boolean storesInPlace,
      long segmentSize,
      Phase phase,
      long position,
      Runnable logIsFilling) {
    this.state = state;
    this.log = log;
    this.durableAtTurn = storesInPlace;
    this.recordMax = LogRecordLayout.payloadMax(segmentSize);
    this.phase = phase;
    this.position = position;
    this.fragmentsFrom = log.next(position + 1);
    this.written = new WrittenPrefix(state, log.next(position));
    this.logIsFilling = logIsFilling;
    this.barrier = new LogBarrier(position, written::sequence, () -> log.sync(written.last()));
  }

  long position() {
    return position;
  }

  LogBarrier barrier() {
    return barrier;
  }

  /** The last position that is known to be durable with all before it. */
  private long durable() {
    return durableAtTurn ? written.sequence() : barrier.durable();
  }

  /** Commits ranges without faults. */
  long commit(WriteSet writes) throws IOException {
    if (writes.length() > recordMax) {
      return commitInFragments(new Fragments(writes, recordMax), writes);
    }
    int size = LogRecordLayout.HEADER_SIZE + writes.length();
    return commit(null, 0, writes.record(), size, writes);
  }

  /**
   * Keeps other commits out until it has its place in the order, so that its parts are together.
   */
  private long commitInFragments(Fragments fragments, WriteSet writes) throws IOException {
    keepOthersOut(fragments);
    try {
      int part = 0;
      while (!fragments.next()) {
        LogPosition place;
        lock.lock();
        try {
          awaitRoom(fragments.size(), fragments);
          place = log.take(position + 1, fragments.size());
        } finally {
          lock.unlock();
        }
        log.write(
            place,
            LogRecordLayout.KIND_FRAGMENT,
            part++,
            durable(),
            fragments.record(),
            fragments.size());
      }
      return commit(fragments, part, fragments.record(), fragments.size(), writes);
    } finally {
      lock.lock();
      try {
        letOthersIn(fragments);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Writes the only or last record of a commit, and applies the commit. */
  private long commit(
      @Nullable Fragments fragments, int part, byte[] record, int size, WriteSet writes)
      throws IOException {
    LogPosition place;
    Phase entered;
    lockBriefly();
    try {
      awaitRoom(size, fragments);
      place = log.take(position + 1, size);
      entered = phase;
      entered.enter();
      // Published before the changes can be seen: who reads one finds out here what to wait for.
      position = place.sequence();
      if (fragments != null) {
        letOthersIn(fragments);
      }
    } finally {
      lock.unlock();
    }
    try {
      log.write(place, LogRecordLayout.KIND_COMMIT, part, durable(), record, size);
      if (durableAtTurn) {
        log.syncOwn(place);
      }
      written.add(place);
      written.await(place.sequence());
      writes.forEachRange(entered);
    } finally {
      entered.leave();
    }
    return place.sequence();
  }

  private void keepOthersOut(Fragments fragments) {
    lock.lock();
    try {
      state.check();
      if (fragmenting != null) {
        CommitStallEvent stall = CommitStallEvent.started(state.directory(), Cause.LARGE_COMMIT);
        try {
          do {
            changed.awaitUninterruptibly();
            state.check();
          } while (fragmenting != null);
        } finally {
          stall.commit();
        }
      }
      fragmenting = fragments;
      fragmentsFrom = log.next(position + 1);
    } finally {
      lock.unlock();
    }
  }

  /** Called with the lock held; does nothing if that was done before. */
  private void letOthersIn(Fragments fragments) {
    if (fragmenting == fragments) {
      fragmenting = null;
      changed.signalAll();
    }
  }

  /** Takes the lock for a few instructions: to park for it would take longer than to spin. */
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
  void sync(long upTo) throws IOException {
    if (upTo > durable()) {
      written.await(upTo);
      if (!durableAtTurn) {
        barrier.await(upTo);
      }
    }
  }

  /**
   * Waits for room in the active segment, and for the end of another commit's fragments. Called
   * with the lock held; returns with it held.
   *
   * @param own the fragments that the record is one of, or null
   */
  private void awaitRoom(int size, @Nullable Fragments own) {
    state.check();
    if (hasRoom(size, own)) {
      return;
    }
    CommitStallEvent stall =
        CommitStallEvent.started(
            state.directory(), fragmenting == own ? Cause.LOG_FULL : Cause.LARGE_COMMIT);
    try {
      do {
        changed.awaitUninterruptibly();
        state.check();
      } while (!hasRoom(size, own));
    } finally {
      stall.commit();
    }
  }

  private boolean hasRoom(int size, @Nullable Fragments own) {
    if (fragmenting != own) {
      return false;
    }
    while (!log.fits(size)) {
      boolean rotated = log.rotate();
      logIsFilling.run();
      if (!rotated) {
        return false;
      }
    }
    return true;
  }

  /** Has all who wait look again, after a failure or a closing. */
  void wakeAll() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A place between two commits: what was before is noted in phases before. */
  record Cut(Phase before, long position, LogPosition end) {}

  /**
   * Replaces the phase and waits until all commits before are applied.
   *
   * @param next makes the new phase from the old one
   */
  Cut cut(UnaryOperator<Phase> next) {
    Cut cut;
    lock.lock();
    try {
      cut = new Cut(phase, position, fragmenting != null ? fragmentsFrom : log.next(position + 1));
      phase = next.apply(phase);
    } finally {
      lock.unlock();
    }
    Backoff backoff = new Backoff();
    while (!cut.before.isQuiet()) {
      backoff.pause();
    }
    return cut;
  }

  /** Frees the segments before a checkpoint that is durable. */
  void retire(LogPosition checkpoint) {
    lock.lock();
    try {
      log.retire(checkpoint);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many segments are in use, as of late. */
  int segmentsInUse() {
    return log.segmentsInUse();
  }

  /** Whether no segment is free, as of late. */
  boolean isLogFull() {
    return log.segmentsInUse() == StoreLayout.LOG_SEGMENTS;
  }

  /** How many bytes of the log are between two places. */
  long logBytes(LogPosition from, LogPosition to) {
    return log.bytes(from, to);
  }

  /** The bytes that were changed in the current phase's stretch. */
  long dirtyBytes() {
    return phase.dirty().bytes();
  }

  long epoch() {
    return log.epoch();
  }
}
