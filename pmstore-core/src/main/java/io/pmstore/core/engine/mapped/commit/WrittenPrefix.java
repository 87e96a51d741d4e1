package io.pmstore.core.engine.mapped.commit;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.engine.EngineState;
import io.pmstore.core.log.LogPosition;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The high-water mark of the log: the position up to which it is written without a gap, although
 * threads write records concurrently.
 *
 * <p>The thread that fills a gap advances the mark over all written records behind it, so that none
 * of their threads has to be scheduled first.
 */
final class WrittenPrefix {
  private static final int SLOTS = 1024;

  private final EngineState state;
  private final AtomicReference<LogPosition> last;
  // The places of written commits by sequence; an older one as long as a slot's commit is not
  // written.
  private final AtomicReferenceArray<LogPosition> places = new AtomicReferenceArray<>(SLOTS);

  /**
   * Creates the mark.
   *
   * @param last the record that is written together with all before it
   */
  WrittenPrefix(EngineState state, LogPosition last) {
    this.state = state;
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

  /** Notes that a commit's records are written. */
  void add(LogPosition place) {
    LogPosition end = last.get();
    assert end.sequence() < place.sequence() : place + " is written twice";
    if (end.sequence() + 1 == place.sequence()) {
      end = place;
      last.set(end); // no other thread advances the mark to a place that it does not find
    } else {
      if (place.sequence() - end.sequence() > SLOTS) {
        await(place.sequence() - SLOTS); // an earlier commit still uses its slot
      }
      places.set(slot(place.sequence()), place);
      end = last.get();
    }
    // Each thread sets its place before it reads the mark, and reads the mark before the next
    // place. So the last of two concurrent threads sees the other's place, and no record is left
    // behind.
    LogPosition next = places.get(slot(end.sequence() + 1));
    while (next != null && next.sequence() == end.sequence() + 1) {
      last.compareAndSet(end, next);
      end = last.get();
      next = places.get(slot(end.sequence() + 1));
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
}
