package io.pmstore.core.tx;

import io.pmstore.TransactionTooLargeException;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether what one large transaction has written, and goes on to write, fits into the
 * Java heap. The transaction asks before it takes memory. So it ends with an exception that says
 * what was too large, where the process or another thread would end with an {@link
 * OutOfMemoryError}.
 */
final class JavaHeap {
  /** What a transaction takes before it looks, again and again: a sixteenth of the heap. */
  static final long BYTES_UNASKED = Runtime.getRuntime().maxMemory() / 16;

  /**
   * What an object takes beside its image: its Java object, its entries in tables, its space that
   * is set aside.
   */
  static final int BYTES_PER_OBJECT = 256;

  // The last part is left to all others, and to the commit; in it Java collects garbage all the
  // time.
  private static final int RESERVE = 8;

  private long granted; // bytes that were free after a collection

  /** Forgets the transaction. */
  void clear() {
    granted = 0;
  }

  /**
   * Says, by returning, that there seems to be room.
   *
   * @param more bytes that are needed
   * @param objects that the transaction has written so far
   * @param bytes of these
   * @throws TransactionTooLargeException if there is none, even without garbage
   */
  void reserve(long more, int objects, long bytes) {
    if (more <= free()) {
      return; // without having asked how much of what is used is garbage
    }
    if (more > granted) {
      WeakReference<Object> garbage = new WeakReference<>(new Object());
      // The JVM would do the same for the next large array. After it, half of what is free is used
      // before the next collection is asked for, so that they are few.
      System.gc();
      if (garbage.get() == null && more > free()) {
        throw tooLarge(more, objects, bytes, null);
      }
      granted = Math.max(more, free() / 2);
    }
    granted -= more;
  }

  /** What can be had without a collection, but for what is left to others. */
  private static long free() {
    Runtime java = Runtime.getRuntime();
    return java.maxMemory() - java.totalMemory() + java.freeMemory() - java.maxMemory() / RESERVE;
  }

  /** Makes the exception for a transaction that is too large for the Java heap. */
  static TransactionTooLargeException tooLarge(
      long more, int objects, long bytes, @Nullable Throwable cause) {
    long max = Runtime.getRuntime().maxMemory();
    return new TransactionTooLargeException(
        "a transaction has written %d objects of %d bytes and needs %d bytes of Java heap to go on, but of the %d that the Java heap can have (-Xmx) too few are left. Nothing was written; split the transaction into several, or give the JVM a larger heap"
            .formatted(objects, bytes, more, max),
        cause);
  }
}
