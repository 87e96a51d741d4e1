package io.pmstore.core.engine;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The position up to which all commits of an engine are written, although threads write beside each
 * other. The thread that fills a gap advances it over those that are written behind. Thread-safe.
 */
public final class WrittenSequence {
  private static final int SLOTS = 1024;

  private final EngineState state;
  private final AtomicLong last;
  private final AtomicLongArray written = new AtomicLongArray(SLOTS);

  /**
   * Creates it.
   *
   * @param state of the engine: nobody waits any more once it has failed
   * @param last the last position that is written with all before it
   */
  public WrittenSequence(EngineState state, long last) {
    this.state = state;
    this.last = new AtomicLong(last);
  }

  /** Returns the last position that is written with all before it. */
  public long last() {
    return last.get();
  }

  /**
   * Notes that a commit is written, and waits until all before it are.
   *
   * @throws io.pmstore.StoreFailedException if the engine fails before
   */
  public void add(long position) {
    await(position - SLOTS); // an earlier commit may still use the place
    written.set(slot(position), position);
    long next = last.get() + 1;
    while (written.get(slot(next)) == next) {
      last.compareAndSet(next - 1, next);
      next = last.get() + 1;
    }
    await(position);
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
    if (last.get() >= position) {
      return;
    }
    Backoff backoff = new Backoff();
    while (last.get() < position) {
      state.checkNotFailed();
      backoff.pause();
    }
  }
}
