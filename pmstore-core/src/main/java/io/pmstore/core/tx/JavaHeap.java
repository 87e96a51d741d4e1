package io.pmstore.core.tx;

import io.pmstore.TransactionTooLargeException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Estimates whether the writes of one large transaction fit into the Java heap. The transaction
 * asks before it takes memory. So it ends with an exception that says what was too large, and
 * neither it nor another thread gets an {@link OutOfMemoryError}. Used by one thread at a time.
 */
final class JavaHeap {
  /** How many bytes a transaction takes before it asks again: a sixteenth of the heap. */
  static final long BYTES_UNASKED = Runtime.getRuntime().maxMemory() / 16;

  /**
   * The bytes that an object takes beside its working copy: for its Java object, its entries in
   * tables, its reservation.
   */
  static final int BYTES_PER_OBJECT = 256;

  // An eighth is left to other threads and to the commit. With less, Java would collect garbage
  // all the time.
  private static final int RESERVE = 8;

  private static final int COLLECTIONS_MAX = 4;

  // Large, so that other threads have what is left of the Java heap if the next one does not fit.
  private static final int PIECE = (int) Math.min(BYTES_UNASKED / 2, 1 << 30) - 64;

  private long granted; // bytes that were free after a collection

  /** Forgets the transaction. */
  void clear() {
    granted = 0;
  }

  /**
   * Returns if the Java heap seems to have room; collects garbage if it has to.
   *
   * @param more bytes that are needed
   * @param objects number of objects that the transaction has written so far
   * @param bytes of these
   * @throws TransactionTooLargeException if there is no room even without garbage
   */
  void reserve(long more, int objects, long bytes) {
    if (!hasRoom(more)) {
      throw tooLarge(toGoOn(more), objects, bytes, null);
    }
  }

  /**
   * Does the same for an operation that has gathered elements, and has yet to change them.
   *
   * @param elements how many
   */
  void reserve(long more, long elements, int objects, long bytes) {
    if (!hasRoom(more)) {
      throw tooLarge(
          "%d bytes of Java heap to go on with an operation on more than %d elements"
              .formatted(more, elements),
          objects,
          bytes,
          null);
    }
  }

  /** Returns true if the Java heap seems to have room; collects garbage if it has to. */
  boolean hasRoom(long more) {
    if (isFree(more)) {
      return true; // however little of what is used is garbage
    }
    if (more > granted) {
      WeakReference<Object> garbage = new WeakReference<>(new Object());
      // The JVM would collect for the next large array too. Collections are few, because half of
      // what is free afterwards is granted without another one. There may be several here, because
      // other threads may have filled with garbage what one has freed.
      for (int i = 0; i < COLLECTIONS_MAX && !isFree(more); i++) {
        System.gc();
      }
      if (!isFree(more) && (garbage.get() == null || !canAllocate(more))) {
        return false;
      }
      granted = Math.max(more, free() / 2);
    }
    granted -= more;
    return true;
  }

  /** Returns true if so many bytes can be allocated without a collection. */
  static boolean isFree(long more) {
    return more <= free();
  }

  /**
   * Returns true if the JVM can allocate so many bytes, for which it collects garbage if it has to.
   * For a JVM that ignores {@link System#gc}, with {@code -XX:+DisableExplicitGC} for example.
   */
  private static boolean canAllocate(long more) {
    List<byte[]> pieces = new ArrayList<>();
    try {
      for (long bytes = 0; bytes < more; bytes += PIECE) {
        pieces.add(new byte[PIECE]);
      }
      return true;
    } catch (OutOfMemoryError e) {
      return false;
    } finally {
      Reference.reachabilityFence(pieces); // else the compiler could leave the arrays out
    }
  }

  /** Returns the bytes that can be allocated without a collection, less what is left to others. */
  private static long free() {
    Runtime java = Runtime.getRuntime();
    return java.maxMemory() - java.totalMemory() + java.freeMemory() - java.maxMemory() / RESERVE;
  }

  /** Returns what a transaction needs that asks for so many bytes. */
  static String toGoOn(long bytes) {
    return bytes + " bytes of Java heap to go on";
  }

  /**
   * Makes the exception.
   *
   * @param needed what the transaction needs
   * @param objects number of objects that it has written so far
   * @param bytes of these
   * @param cause why it is thrown, if the JVM has said so
   */
  static TransactionTooLargeException tooLarge(
      String needed, int objects, long bytes, @Nullable Throwable cause) {
    return new TransactionTooLargeException(
        "a transaction has written %d objects of %d bytes and needs %s, but of the %d bytes that the Java heap can have (-Xmx) too few are left. Nothing was written; split the transaction into several, or give the JVM a larger heap"
            .formatted(objects, bytes, needed, Runtime.getRuntime().maxMemory()),
        cause);
  }
}
