package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Collects the garbage of a store, in the background on a thread ({@link CollectorThread}) and on
 * request, and keeps the heap from shrinking while a thread walks it. Thread-safe.
 */
public final class GarbageCollector implements AutoCloseable {

  private final Heap heap;
  private final Reclamation reclamation;
  private final Requests requests = new Requests();
  private final CollectorThread thread;

  // Read lock: accessing objects by address, and freeing them. Write lock: shrinking the heap.
  private final ReentrantReadWriteLock extents = new ReentrantReadWriteLock();

  /** Creates the collector of a heap; it does nothing yet. */
  public GarbageCollector(Heap heap) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.thread = new CollectorThread(heap, requests, extents.readLock());
  }

  /**
   * Starts the thread, unless the heap is open for reading only.
   *
   * @param directory of the store, for recordings and the log
   */
  public void start(PmStoreOptions options, Path directory) {
    if (heap.isReadOnly()) {
      return;
    }
    thread.start(options, directory.toString());
    if (options.gcBeforeOpening()) {
      collect(GcReport.Cause.OPENING);
    }
  }

  /** Runs a collection that begins after this call, and returns its report. */
  public GcReport collect(GcReport.Cause cause) {
    return collect(cause, false);
  }

  private GcReport collect(GcReport.Cause cause, boolean releases) {
    heap.checkUsable();
    try {
      return requests.await(cause, releases, thread::wake);
    } catch (PmStoreException e) {
      heap.checkUsable(); // in most cases throws what ended the collection
      throw e;
    }
  }

  /**
   * Runs a collection that begins after this call, and returns its report. If the store is full,
   * the collection finds everything that can be freed: Java objects that the program has dropped
   * pin nothing, and empty chunks become free for objects of any size.
   */
  public GcReport collectOnRequest() {
    boolean full = reclamation.isFull();
    if (full) {
      System.gc(); // Java's collection, so that unused Java objects pin nothing
    }
    return collect(GcReport.Cause.REQUESTED, full);
  }

  /** Returns the number of completed collections. */
  public long collections() {
    return requests.count();
  }

  /** Returns the report of the last collection, if there was one. */
  public Optional<GcReport> lastReport() {
    return requests.last();
  }

  /**
   * Shrinks the heap by its free end, while no collection runs and no copy of the heap is open.
   * Returns the bytes given back.
   */
  public long compact() {
    heap.checkUsable();
    return reclamation.besideNoCopy(this::compactAlone);
  }

  private long compactAlone() {
    extents.writeLock().lock();
    try {
      heap.checkUsable();
      checkOpen();
      return reclamation.compact();
    } finally {
      extents.writeLock().unlock();
    }
  }

  /**
   * Runs {@code walk} while the heap cannot shrink. {@link #close} waits for its end.
   *
   * @param walk reads the heap, and calls {@link #checkOpen} often
   */
  public void walk(Runnable walk) {
    extents.readLock().lock();
    try {
      heap.checkUsable();
      walk.run();
    } finally {
      extents.readLock().unlock();
    }
  }

  /**
   * Throws if the store is being closed.
   *
   * @throws StoreClosedException if it is
   */
  public void checkOpen() {
    thread.checkOpen();
  }

  /** Stops the thread after its current step; pending requests fail. */
  @Override
  public void close() {
    thread.stop();
    extents.writeLock().lock();
    try {
      // Threads that walked or shrank the heap have finished.
      return;
    } finally {
      extents.writeLock().unlock();
    }
  }
}
