package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.log.LogPosition;
import io.pmstore.core.memory.SharedWords;
import java.io.IOException;
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
  private final SharedWords mark = new SharedWords(1);
  // By slot: a sequence whose record was written before one behind the mark. Never decreases.
  private final SharedWords ahead = new SharedWords(SLOTS);
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
    mark.setRelease(0, sequence);
  }

  /** Returns the sequence of the last record that is written together with all before it. */
  long sequence() {
    return mark.get(0);
  }

  /** Returns the place of that record. At least one was written here. */
  LogPosition last() {
    while (true) {
      long sequence = sequence();
      Placed commit = commits.get(slot(sequence) << SPACING);
      if (commit.sequence() == sequence) {
        return commit.place();
      }
      // The mark has moved on, and the slot is another commit's.
    }
  }

  /** Notes that a commit is about to write its record, which does not change any more. */
  void begin(Placed commit) {
    await(commit.sequence() - SLOTS + 1); // an earlier commit, or last(), may use its slot
    commits.setRelease(slot(commit.sequence()) << SPACING, commit);
  }

  /** Notes that a commit has written its record. */
  void end(Placed commit) {
    long before = commit.sequence() - 1;
    if (sequence() != before || !mark.compareAndSet(0, before, before + 1)) {
      noteAhead(commit.sequence());
    }
    // Each thread notes that its record is written before it reads the mark, and reads the mark
    // before the next commit. So the last of two concurrent threads sees what the other has noted,
    // and no record is left behind.
    advance();
    commit.dropRecord();
  }

  /** A thread that helped may come late, when the slot is a later commit's. */
  private void noteAhead(long sequence) {
    int slot = slot(sequence);
    long noted = ahead.get(slot);
    while (noted < sequence && !ahead.compareAndSet(slot, noted, sequence)) {
      noted = ahead.get(slot);
    }
  }

  private void advance() {
    long next = sequence() + 1;
    while (ahead.get(slot(next)) == next) {
      mark.compareAndSet(0, next - 1, next);
      next = sequence() + 1;
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
    Placed missing = commits.get(slot(gap) << SPACING);
    if (missing == null
        || missing.sequence() != gap
        || missing.size() > HELP_SIZE_MAX
        || !missing.isInPhaseOf(own)
        || !missing.admitHelper(helpers)) {
      return;
    }
    byte[] copy = missing.copyOfRecord();
    if (!isWritten(gap)) {
      writer.write(missing, copy);
      noteAhead(gap);
      advance();
    }
  }

  private boolean isWritten(long sequence) {
    return sequence() >= sequence || ahead.get(slot(sequence)) >= sequence;
  }
}
