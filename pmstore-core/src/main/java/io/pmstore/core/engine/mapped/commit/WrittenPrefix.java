package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.engine.WrittenSequence;
import io.pmstore.core.log.LogPosition;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The high-water mark of the log: the position up to which it is written without a gap, although
 * threads write records concurrently ({@link WrittenSequence}).
 *
 * <p>A thread that waits behind a gap for longer than a write takes fills the gap itself: it writes
 * the bytes that the other thread is writing. The order does not matter, because the bytes are the
 * same. Meanwhile its own commit keeps the phase of both commits open, so no other record can get
 * the place.
 */
final class WrittenPrefix {
  private static final int SLOTS = 64; // so many commits write at the same time, at most
  private static final int SPACING = 4; // binary logarithm: 16 references take a cache line
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
  private final WrittenSequence written;
  // The commits whose records are being written, by slot: for threads that help. A slot keeps its
  // commit until a later one needs it.
  private final AtomicReferenceArray<Placed> commits = new AtomicReferenceArray<>(SLOTS << SPACING);

  /**
   * Creates the mark.
   *
   * @param sequence of the record that is written together with all before it
   * @param writer writes the records of other threads
   * @param writesInPlace true if a write needs no call of the system
   */
  WrittenPrefix(EngineState state, long sequence, Writer writer, boolean writesInPlace) {
    this.state = state;
    this.writer = writer;
    this.helpRounds = writesInPlace ? ROUNDS_IN_PLACE : ROUNDS_BY_CALL;
    this.written = new WrittenSequence(state, sequence);
  }

  /** Returns the sequence of the last record that is written together with all before it. */
  long sequence() {
    return written.last();
  }

  /** Returns the place of that record. At least one was written here. */
  LogPosition last() {
    while (true) {
      long sequence = sequence();
      Placed commit = commits.get(slot(sequence));
      if (commit.sequence() == sequence) {
        return commit.place();
      }
      // The mark has moved on, and the slot is another commit's.
    }
  }

  /** Notes that a commit is about to write its record, which does not change any more. */
  void begin(Placed commit) {
    await(commit.sequence() - SLOTS + 1); // an earlier commit, or last(), may use its slot
    commits.setRelease(slot(commit.sequence()), commit);
  }

  private static int slot(long sequence) {
    return ((int) sequence & (SLOTS - 1)) << SPACING;
  }

  /** Notes that a commit has written its record. */
  void end(Placed commit) {
    written.note(commit.sequence());
    commit.dropRecord();
  }

  /** Waits until all commits up to a sequence are written. */
  void await(long sequence) {
    written.await(sequence);
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
    if (!written.isWritten(gap)) {
      writer.write(missing, copy);
      written.note(gap);
    }
  }
}
