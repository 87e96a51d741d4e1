package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.log.LogPosition;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The high-water mark of the log: the position up to which it is written without a gap, although
 * threads write records concurrently.
 *
 * <p>The thread that fills a gap advances the mark over all written records behind it, so that none
 * of their threads has to be scheduled first. A thread that waits behind a gap for longer than a
 * write takes fills it itself: it writes the bytes that the other thread is writing. Whoever is
 * first, they are the same. While it does so its own commit keeps the phase that both are in, so
 * the place cannot become another record's.
 */
final class WrittenPrefix {
  private static final int SLOTS = 1024;
  // Pauses after which a thread helps: one or two microseconds where a write is a copy in memory,
  // and about a hundred where it is a call of the system.
  private static final int ROUNDS_IN_PLACE = 32;
  private static final int ROUNDS_BY_CALL = 202;
  private static final int HELP_SIZE_MAX = 1 << 16;

  /** Writes the record of a commit. */
  @FunctionalInterface
  interface Writer {
    /** Writes a record, or a copy of it. As durable as the medium makes it, when it returns. */
    void write(Placed commit, byte[] record) throws IOException;
  }

  private final EngineState state;
  private final Writer writer;
  private final int helpRounds;
  private final AtomicReference<LogPosition> last;
  // The commits whose records are being written, by sequence. A slot keeps its commit until one
  // that is 1024 later needs it.
  private final AtomicReferenceArray<Placed> commits = new AtomicReferenceArray<>(SLOTS);

  /**
   * Creates the mark.
   *
   * @param last the record that is written together with all before it
   * @param writer writes the records of other threads
   * @param writesInPlace true if a write needs no call of the system
   */
  WrittenPrefix(EngineState state, LogPosition last, Writer writer, boolean writesInPlace) {
    this.state = state;
    this.writer = writer;
    this.helpRounds = writesInPlace ? ROUNDS_IN_PLACE : ROUNDS_BY_CALL;
    this.last = new AtomicReference<>(last);
  }

  /** Returns the last record that is written together with all before it. */
  LogPosition last() {
    return last.get();
  }

  /** Returns the sequence of {@link #last}. */
  long sequence() {
    return last.get().sequence();
  }

  /** Notes that a commit is about to write its record, which does not change any more. */
  void begin(Placed commit) {
    await(commit.sequence() - SLOTS); // an earlier commit may use its slot
    // The fence between this and reading the mark comes in end().
    commits.setRelease(slot(commit.sequence()), commit);
  }

  /** Notes that a commit has written its record. */
  void end(Placed commit) {
    LogPosition end = last.get();
    if (end.sequence() + 1 != commit.sequence() || !last.compareAndSet(end, commit.place())) {
      commit.setWritten();
    }
    // Each thread notes that its record is written before it reads the mark, and reads the mark
    // before the next commit. So the last of two concurrent threads sees what the other has noted,
    // and no record is left behind.
    advance();
    commit.dropRecord();
  }

  private void advance() {
    LogPosition end = last.get();
    Placed next = commits.get(slot(end.sequence() + 1));
    while (next != null && next.sequence() == end.sequence() + 1 && next.isWritten()) {
      last.compareAndSet(end, next.place());
      end = last.get();
      next = commits.get(slot(end.sequence() + 1));
    }
  }

  private static int slot(long sequence) {
    return (int) sequence & (SLOTS - 1);
  }

  /** Waits until all commits up to a sequence are written. */
  void await(long sequence) {
    if (sequence() >= sequence) {
      return;
    }
    Backoff backoff = new Backoff();
    while (sequence() < sequence) {
      state.checkNotFailed();
      backoff.pause();
    }
  }

  /** Waits until a commit and all before it are written, and writes those that take long. */
  void await(Placed commit) throws IOException {
    if (sequence() >= commit.sequence()) {
      return;
    }
    Backoff backoff = new Backoff();
    long gap = 0;
    int rounds = 0;
    while (sequence() < commit.sequence()) {
      state.checkNotFailed();
      if (gap != sequence() + 1) {
        gap = sequence() + 1;
        rounds = 0;
      }
      if (++rounds % helpRounds == 0) {
        help(gap, rounds / helpRounds - 1, commit);
      }
      backoff.pause();
    }
  }

  /**
   * Writes the record behind the mark in the place of its thread.
   *
   * @param gap its sequence
   * @param helpers how many threads may have tried before
   * @param own the commit of this thread
   */
  private void help(long gap, int helpers, Placed own) throws IOException {
    Placed missing = commits.get(slot(gap));
    if (missing == null
        || missing.sequence() != gap
        || missing.size() > HELP_SIZE_MAX
        || !missing.isInPhaseOf(own)
        || !missing.admitHelper(helpers)) {
      return;
    }
    byte[] copy = missing.copyOfRecord();
    if (!isWritten(missing)) {
      writer.write(missing, copy);
      missing.setWritten();
      advance();
    }
  }

  private boolean isWritten(Placed commit) {
    return commit.isWritten() || sequence() >= commit.sequence();
  }
}
