package io.pmstore.raft;

/**
 * Limits how long the calls of a store are held back: until a copy has taken the place of the heap,
 * or until a time has passed in which no leader has asked for the copy. Thread-safe.
 */
final class Held {
  private final Runnable release;
  private final long nanosMax;
  private boolean isHeld; // guarded by this
  private long changes; // guarded by this

  /**
   * Creates a limit, while nothing is held back.
   *
   * @param release lets the calls go on
   * @param nanosMax how long they wait since the last {@link #begin} or {@link #extend}
   */
  Held(Runnable release, long nanosMax) {
    this.release = release;
    this.nanosMax = nanosMax;
  }

  /** The calls are held back now. */
  synchronized void begin() {
    isHeld = true;
    limit();
  }

  /**
   * The calls wait for another such time.
   *
   * @return false if they are not held back
   */
  synchronized boolean extend() {
    if (isHeld) {
      limit();
    }
    return isHeld;
  }

  private void limit() {
    long change = ++changes;
    try {
      Later.run(nanosMax, () -> endOf(change));
    } catch (Throwable t) { // there is no memory for a thread: nothing else would end the wait
      end();
      throw t;
    }
  }

  private synchronized void endOf(long change) {
    if (changes == change) {
      end();
    }
  }

  /** The calls wait until {@link #end}, if they are held back. */
  synchronized void keep() {
    changes++;
  }

  /** Lets the calls go on. */
  synchronized void end() {
    changes++;
    if (isHeld) {
      isHeld = false;
      release.run();
    }
  }
}
