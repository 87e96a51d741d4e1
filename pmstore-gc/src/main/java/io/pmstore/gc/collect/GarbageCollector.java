package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.heap.WholeObjects;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread of a store that collects its garbage: frees unlinked objects as they come, and runs a
 * collection when one is asked for or due. Safe for use by any number of threads.
 */
public final class GarbageCollector implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

  /** How long the thread sleeps when it has nothing to do; few unlinked objects wait so long. */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long it waits for transactions and snapshots to end before it looks again. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** How long after one that failed no collection begins that nobody has asked for. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** How many bytes are freed before chunks that have become empty are looked for: 1 MiB. */
  private static final long RELEASE_EVERY = 1 << 20;

  private final Heap heap;
  private final Reclamation reclamation;
  private final CollectionTrigger trigger = new CollectionTrigger();
  private final Requests requests = new Requests();
  private final UnlinkedObjects unlinked;
  private final Links links;

  // Read: objects are looked at by their addresses, and freed. Write: the heap becomes smaller.
  private final ReentrantReadWriteLock extents = new ReentrantReadWriteLock();
  private volatile @Nullable Thread thread;
  private volatile boolean closing;

  // The objects that refer to objects only, see WholeObjects: null from opening, or from a sweep
  // that did not come to its end, until it is known again.
  private volatile @Nullable LongPredicate whole;

  private String store = "";
  private boolean swept; // the last sweep came to its end, and there was one since opening
  private boolean inBackground;
  private boolean opening;
  private long notBefore = System.nanoTime();
  private long freedAtRelease;

  /**
   * Makes the collector of a heap; it does nothing yet.
   *
   * @param heap the heap
   */
  public GarbageCollector(Heap heap) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.unlinked = new UnlinkedObjects(heap.layer()::held, reclamation::freeUnlinked);
    this.links = new Links(unlinked, trigger, this::wake);
  }

  /**
   * Begins to collect, unless the heap is only read.
   *
   * @param options of the store
   * @param directory of the store, for recordings and the log
   */
  public void start(PmStoreOptions options, Path directory) {
    if (heap.isReadOnly()) {
      return;
    }
    store = directory.toString();
    reclamation.wholeObjects(wholeObjects());
    reclamation.listener(links);
    inBackground = options.gcInBackground();
    opening = inBackground && !options.gcBeforeOpening();
    Thread started = Thread.ofPlatform().name("pmstore-gc").daemon().unstarted(this::run);
    thread = started;
    started.start();
    if (options.gcBeforeOpening()) {
      collect(GcReport.Cause.OPENING);
    }
  }

  /**
   * Waits for a collection that begins after this is called.
   *
   * @param cause said in its report
   * @return its report
   */
  public GcReport collect(GcReport.Cause cause) {
    heap.checkUsable();
    try {
      return requests.await(cause, this::wake);
    } catch (PmStoreException e) {
      heap.checkUsable(); // throws what ended it, in most cases
      throw e;
    }
  }

  /**
   * How many collections have come to their end.
   *
   * @return their number
   */
  public long collections() {
    return requests.count();
  }

  /**
   * The report of the last collection.
   *
   * @return it, if there was one
   */
  public Optional<GcReport> lastReport() {
    return requests.last();
  }

  /**
   * Gives the end of the heap back, while no collection runs.
   *
   * @return the bytes given back
   */
  public long compact() {
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
   * Has somebody go through the heap while it does not become smaller. A {@link #close} waits for
   * the end of that.
   *
   * @param walk goes through it, and calls {@link #checkOpen} again and again
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
   * Says, by returning, that nobody wants the store closed.
   *
   * @throws StoreClosedException if somebody does
   */
  public void checkOpen() {
    if (closing) {
      throw new StoreClosedException("the store is closed");
    }
  }

  private WholeObjects wholeObjects() {
    return new WholeObjects() {
      @Override
      public @Nullable LongPredicate known() {
        return whole;
      }

      @Override
      public void await() {
        heap.checkUsable();
        if (whole == null) {
          requests.awaitMarks(GcReport.Cause.OPENING, GarbageCollector.this::wake);
        }
      }
    };
  }

  private void wake() {
    LockSupport.unpark(thread);
  }

  // ---- the thread

  private void run() {
    try {
      while (!closing) {
        try {
          work();
        } catch (Throwable t) {
          if (closing || !isUsable(t)) {
            return;
          }
          LOG.error("{}: garbage could not be collected; it is tried again later", store, t);
          notBefore = System.nanoTime() + RETRY_NANOS;
          pause(TICK_NANOS);
        }
      }
    } finally {
      requests.close();
    }
  }

  private boolean isUsable(Throwable thrown) {
    try {
      heap.checkUsable();
      return true;
    } catch (PmStoreException e) {
      LOG.error("{}: garbage is not collected any more: {}", store, e.getMessage(), thrown);
      return false;
    }
  }

  private void work() {
    GcReport.Cause cause = due();
    if (cause != null) {
      runCycle(cause);
      return;
    }
    if (freeUnlinked() != Progress.MORE) {
      pause(TICK_NANOS);
    }
  }

  private Progress freeUnlinked() {
    extents.readLock().lock();
    try {
      Progress progress = unlinked.step();
      if (progress != Progress.MORE) {
        releaseChunks();
      }
      return progress;
    } finally {
      extents.readLock().unlock();
    }
  }

  private GcReport.@Nullable Cause due() {
    GcReport.Cause wanted = requests.wanted();
    if (wanted != null) {
      return wanted;
    }
    if (!inBackground || System.nanoTime() - notBefore < 0) {
      return null;
    }
    if (opening) {
      return GcReport.Cause.OPENING;
    }
    return trigger.isDue() || unlinked.isOverflowed() ? GcReport.Cause.THRESHOLD : null;
  }

  private void runCycle(GcReport.Cause cause) {
    Cycle cycle = new Cycle(heap, links, unlinked, cause, store);
    extents.readLock().lock();
    try {
      requests.began();
      trigger.began();
      unlinked.collectionBegins();
      for (Progress made = cycle.step(); made != Progress.DONE; made = cycle.step()) {
        checkOpen();
        if (whole == null && cycle.hasMarked()) {
          whole = cycle.marks()::get; // what is marked was reached, and what is reached is marked
          requests.marked();
        }
        if (unlinked.step() != Progress.MORE && made == Progress.WAITS) {
          pause(PAUSE_NANOS);
        }
      }
      ended(cycle.report());
    } catch (Throwable t) {
      swept = swept && !cycle.isSweeping();
      whole = swept ? WholeObjects.ALL : null;
      try {
        cycle.abandon();
      } catch (RuntimeException e) {
        t.addSuppressed(e);
      }
      requests.failed(t);
      throw t;
    } finally {
      extents.readLock().unlock();
    }
  }

  private void ended(GcReport report) {
    swept = true;
    whole = WholeObjects.ALL;
    opening = false;
    freedAtRelease = reclamation.freed().bytes();
    trigger.ended(report.liveObjects());
    if (report.cause() == GcReport.Cause.OPENING && report.freedObjects() > 0) {
      LOG.info(
          "{}: after opening, {} objects of {} bytes were freed that could not be reached; live are"
              + " {}",
          store,
          report.freedObjects(),
          report.freedBytes(),
          report.liveObjects());
    }
    requests.ended(report);
  }

  private void releaseChunks() {
    long freed = reclamation.freed().bytes();
    if (freed - freedAtRelease >= RELEASE_EVERY) {
      reclamation.releaseEmptyChunks();
      freedAtRelease = freed;
    }
  }

  private void pause(long nanos) {
    if (!closing) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Ends the thread at its next step, and sends away who waits for a collection. */
  @Override
  public void close() {
    closing = true;
    requests.close();
    wake();
    Thread running = thread;
    boolean interrupted = false;
    while (running != null && running.isAlive()) {
      try {
        running.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    extents.writeLock().lock();
    try {
      // Who goes through the heap, or makes it smaller, has ended that.
      return;
    } finally {
      extents.writeLock().unlock();
    }
  }
}
