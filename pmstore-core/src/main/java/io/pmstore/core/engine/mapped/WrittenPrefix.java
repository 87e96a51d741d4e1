package io.pmstore.core.engine.mapped;

import io.pmstore.core.engine.Backoff;
import io.pmstore.core.log.LogPosition;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Up to where the log is written without a gap, though records are written beside each other.
 *
 * <p>Whoever writes the record that was missing moves the end over all that are there behind it, so
 * none of them waits for a thread that only waits itself.
 */
final class WrittenPrefix {
  private static final int SLOTS = 1024;

  private final EngineState state;
  private final AtomicReference<LogPosition> last;
  // The places of written commits by their sequence; an older one if that of a slot is not there.
  private final AtomicReferenceArray<LogPosition> places = new AtomicReferenceArray<>(SLOTS);

  /**
   * Starts.
   *
   * @param last the record that is written with all before it
   */
  WrittenPrefix(EngineState state, LogPosition last) {
    this.state = state;
    this.last = new AtomicReference<>(last);
  }

  /** The last record that is written with all before it. */
  LogPosition last() {
    return last.get();
  }

  /** The sequence of that. */
  long sequence() {
    return last.get().sequence();
  }

  /** Notes that a commit's records are written. */
  void add(LogPosition place) {
    if (place.sequence() - sequence() > SLOTS) {
      await(place.sequence() - SLOTS); // its slot is taken
    }
    places.set(slot(place.sequence()), place);
    // The place is set before the end is read, and the end before a place: nobody is left behind.
    LogPosition end = last.get();
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
