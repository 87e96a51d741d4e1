package io.pmstore.core.tx;

import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Mutex;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The room that the Java heap has for before-images. While open snapshots keep it full, every
 * commit asks, and no collection of garbage would help. So after collections in vain there is a
 * pause for all threads, in which commits are refused without one. It ends early when a snapshot
 * gives images up. Safe for use by any number of threads.
 */
final class ImageRoom {
  /** So many times as long as the collections before it a pause takes. */
  private static final int PAUSE = 10;

  private final Mutex asking = new Mutex();
  private final JavaHeap javaHeap = new JavaHeap();
  private final AtomicLong keptBytes = new AtomicLong(); // since there was room for more
  private volatile boolean isPause;
  private long pauseEnd;

  /** Counts the bytes of before-images that a commit has kept. */
  void kept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  /** Returns true if so much was kept since there was room that every commit has to ask. */
  boolean hasToAsk() {
    return keptBytes.get() >= JavaHeap.BYTES_UNASKED;
  }

  /** Ends a pause, because images have become garbage. */
  void gaveUp() {
    isPause = false;
  }

  /**
   * Returns if the Java heap seems to have room for the images that a commit needs.
   *
   * @param bytes of these
   * @throws TransactionTooLargeException if there is no room even without garbage
   */
  void require(long bytes) {
    if (!has(bytes)) {
      throw new TransactionTooLargeException(
          "the transaction changes objects that an open snapshot or backup still shows as they were; to keep them, the store needs %d bytes of Java heap, but of the %d that the Java heap can have (-Xmx) too few are left. Nothing was written; end the snapshots, or give the JVM a larger heap"
              .formatted(bytes, Runtime.getRuntime().maxMemory()));
    }
  }

  /**
   * Returns true if the Java heap seems to have room for so many bytes, and as many as nobody asks
   * for.
   */
  boolean has(long bytes) {
    long more = bytes + JavaHeap.BYTES_UNASKED;
    if (JavaHeap.isFree(more)) {
      keptBytes.set(0);
      return true;
    }
    try (var _ = asking.hold()) {
      if (isPause && System.nanoTime() - pauseEnd < 0) {
        return false;
      }
      long began = System.nanoTime();
      isPause = true; // first: a snapshot may end meanwhile
      javaHeap.clear();
      if (!javaHeap.hasRoom(more)) {
        long ended = System.nanoTime();
        pauseEnd = ended + PAUSE * (ended - began);
        return false;
      }
      isPause = false;
      keptBytes.set(0);
      return true;
    }
  }
}
