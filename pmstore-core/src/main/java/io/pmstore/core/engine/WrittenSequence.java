package io.pmstore.core.engine;

import io.pmstore.core.memory.SharedWords;

/**
 * The high-water mark of an engine: the position up to which all commits are written, although
 * threads write concurrently. The thread that fills a gap advances the mark over the commits behind
 * it that are written already. Thread-safe.
 */
public final class WrittenSequence {
  private static final int SLOTS = 1024;

  private final EngineState state;
  private final SharedWords last = new SharedWords(1);
  // By slot: a position that was written before one behind the last. Never decreases.
  private final SharedWords ahead = new SharedWords(SLOTS);

  /**
   * Creates it.
   *
   * @param state of the engine: nobody waits any more once it has failed
   * @param last the last position that is written with all before it
   */
  public WrittenSequence(EngineState state, long last) {
    this.state = state;
    this.last.setRelease(0, last);
  }

  /** Returns the last position that is written with all before it. */
  public long last() {
    return last.get(0);
  }

  /** Returns true if the commit at a position is written. */
  public boolean isWritten(long position) {
    return last() >= position || ahead.get(slot(position)) >= position;
  }

  /**
   * Notes that a commit is written, and waits until all before it are.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public void add(long position) {
    note(position);
    await(position);
  }

  /**
   * Notes that a commit is written. Several threads may note the same one, however late. Waits only
   * while a commit that is far behind is not written.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before that one is written
   */
  public void note(long position) {
    await(position - SLOTS); // an earlier commit may still use the slot
    long before = position - 1;
    if (last() != before || !last.compareAndSet(0, before, position)) {
      noteAhead(position);
    }
    // Each thread notes its own position before it reads the last one again. So the later of two
    // threads sees what the other has noted, and no position is left behind.
    long next = last() + 1;
    while (ahead.get(slot(next)) == next) {
      last.compareAndSet(0, next - 1, next);
      next = last() + 1;
    }
  }

  private void noteAhead(long position) {
    int slot = slot(position);
    long noted = ahead.get(slot);
    // A thread that is late may find a later position in the slot.
    while (noted < position && !ahead.compareAndSet(slot, noted, position)) {
      noted = ahead.get(slot);
    }
  }

  private static int slot(long position) {
    return (int) position & (SLOTS - 1);
  }

  /**
   * Waits until all commits up to a position are written.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public void await(long position) {
    if (last() >= position) {
      return;
    }
    Backoff backoff = new Backoff();
    while (last() < position) {
      state.checkNotFailed();
      backoff.pause();
    }
  }
}
