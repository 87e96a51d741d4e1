package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Mutex;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/** The threads that wait for a collection, and the result of the last one. Thread-safe. */
final class Requests {
  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  // Collections are numbered from 1; one runs at a time.
  private long begun;
  private long marked;
  private long wanted;
  private long releasing; // the last collection that is to release all empty chunks
  private long finished;
  private GcReport.Cause cause = GcReport.Cause.REQUESTED;
  private long completed;
  private @Nullable GcReport report;
  private @Nullable Throwable failure; // of the last one
  private boolean closed;

  /**
   * Waits for a collection that begins after this call.
   *
   * @param why the cause in its report, if this is the first request for it
   * @param releases whether it is to release all empty chunks at its end
   * @param wake called once {@link #wanted} returns the request
   * @return its report, or that of a later one
   */
  GcReport await(GcReport.Cause why, boolean releases, Runnable wake) {
    try (var _ = lock.hold()) {
      if (releases) {
        releasing = begun + 1;
      }
      long mine = want(begun + 1, why, wake);
      while (finished < mine && !closed) {
        changed.awaitUninterruptibly();
      }
      GcReport mineOrLater = report;
      if (finished >= mine && failure == null && mineOrLater != null) {
        return mineOrLater;
      }
      throw finished < mine ? closed() : exception(failure);
    }
  }

  /**
   * Waits until a collection has finished marking: the current one, or else the next.
   *
   * @param why the cause in its report, if this is the first request for it
   * @param wake called once {@link #wanted} returns the request
   */
  void awaitMarks(GcReport.Cause why, Runnable wake) {
    try (var _ = lock.hold()) {
      long mine = finished < begun ? begun : want(begun + 1, why, wake);
      while (marked < mine && finished < mine && !closed) {
        changed.awaitUninterruptibly();
      }
      if (marked < mine) {
        throw finished < mine ? closed() : exception(failure);
      }
    }
  }

  private long want(long number, GcReport.Cause why, Runnable wake) {
    if (wanted < number) {
      wanted = number;
      cause = why;
    }
    wake.run();
    return number;
  }

  private static StoreClosedException closed() {
    return new StoreClosedException("the store was closed before the collection had ended");
  }

  private static PmStoreException exception(@Nullable Throwable cause) {
    String message =
        "the collection ended before its end, and has freed nothing that can be reached: "
            + cause
            + remedy(cause);
    return switch (cause) {
      case StoreClosedException closed -> new StoreClosedException(message, closed);
      case StoreDamagedException damaged -> new StoreDamagedException(message, damaged);
      case StoreFailedException failed -> new StoreFailedException(message, failed);
      case null, default -> new PmStoreException(message, cause);
    };
  }

  /** Returns what to do about what ended a collection, as the end of a message, or nothing. */
  static String remedy(@Nullable Throwable cause) {
    return cause instanceof OutOfMemoryError
        ? "; give the JVM a larger heap (-Xmx): a collection needs one bit of it for every 16 bytes"
            + " of the store's heap"
        : "";
  }

  /** Returns the cause of the requested collection, or null if none is requested. */
  GcReport.@Nullable Cause wanted() {
    try (var _ = lock.hold()) {
      return wanted > begun ? cause : null;
    }
  }

  /** Notes that a collection begins: a request from now on is for the next one. */
  void began() {
    try (var _ = lock.hold()) {
      begun++;
    }
  }

  /** Returns true if the collection that has begun is to release all empty chunks at its end. */
  boolean isReleasing() {
    try (var _ = lock.hold()) {
      return releasing >= begun; // a later one may be asked for already
    }
  }

  /** Notes that the collection has marked everything reachable. */
  void marked() {
    try (var _ = lock.hold()) {
      marked = begun;
      changed.signalAll();
    }
  }

  /** Notes that the collection has ended. */
  void ended(GcReport now) {
    try (var _ = lock.hold()) {
      completed++;
      marked = begun; // only the first collection reports its marks separately
      end(now, null);
    }
  }

  /** Notes that the collection has failed. */
  void failed(Throwable why) {
    end(report, why);
  }

  private void end(@Nullable GcReport now, @Nullable Throwable why) {
    try (var _ = lock.hold()) {
      finished = begun;
      report = now;
      failure = why;
      changed.signalAll();
    }
  }

  /** Returns the number of completed collections. */
  long count() {
    try (var _ = lock.hold()) {
      return completed;
    }
  }

  /** Returns the report of the last completed collection. */
  Optional<GcReport> last() {
    try (var _ = lock.hold()) {
      return Optional.ofNullable(report);
    }
  }

  /** Makes all waiting threads fail. */
  void close() {
    try (var _ = lock.hold()) {
      closed = true;
      changed.signalAll();
    }
  }
}
