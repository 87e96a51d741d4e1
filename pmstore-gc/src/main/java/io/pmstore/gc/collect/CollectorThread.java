package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreClosedException;
import io.pmstore.core.engine.Uninterruptibles;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.heap.WholeObjects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The thread of a garbage collector. It frees unlinked objects, and runs a collection when one is
 * requested or due.
 */
final class CollectorThread {

  /**
   * How long the thread sleeps without work; a small number of unlinked objects waits that long.
   */
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /** How long the thread waits for transactions and snapshots to end before it tests again. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** How long after a failed collection no unrequested one begins. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The bytes that are freed between two searches for empty chunks: 1 MiB. */
  private static final long RELEASE_EVERY = 1 << 20;

  private final Heap heap;
  private final Reclamation reclamation;
  private final Requests requests;
  private final Lock extents; // held while objects are accessed by address, or freed
  private final CollectionTrigger trigger = new CollectionTrigger();
  private final UnlinkedObjects unlinked;
  private final LinkDispatcher links;
  private volatile @Nullable Thread thread;
  private volatile boolean closing;

  // Accepts the whole objects, see WholeObjects. Null after opening, and after a sweep that did
  // not complete, until they are known again.
  private volatile @Nullable LongPredicate whole;

  private String store = "";
  private boolean swept; // the last sweep completed, and there was one since opening
  private boolean inBackground;
  private boolean opening;
  private boolean failed; // the last collection, so what made it due is still to be done
  private long notBefore = System.nanoTime();
  private long freedAtRelease;

  /**
   * Makes the thread, which does not run yet.
   *
   * @param extents keeps the heap from shrinking
   */
  CollectorThread(Heap heap, Requests requests, Lock extents) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.requests = requests;
    this.extents = extents;
    this.unlinked = new UnlinkedObjects(heap.layer()::pinning, reclamation::freeUnlinked);
    this.links = new LinkDispatcher(unlinked, trigger, this::wake);
  }

  /** Starts the thread. The store's name is for recordings and the log. */
  void start(PmStoreOptions options, String name) {
    store = name;
    reclamation.wholeObjects(wholeObjects());
    reclamation.listener(links);
    inBackground = options.gcInBackground();
    opening = inBackground && !options.gcBeforeOpening();
    Thread started = Thread.ofPlatform().name("pmstore-gc").daemon().unstarted(this::run);
    thread = started;
    started.start();
  }

  /** Throws if the store is being closed. */
  void checkOpen() {
    if (closing) {
      throw new StoreClosedException(
          "the store is closed; open it again, and read its objects from there");
    }
  }

  /** Stops the thread after its current step, and waits for its end; pending requests fail. */
  void stop() {
    closing = true;
    requests.close();
    wake();
    Thread running = thread;
    if (running != null) {
      Uninterruptibles.join(running);
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
          requests.awaitMarks(GcReport.Cause.OPENING, CollectorThread.this::wake);
        }
      }
    };
  }

  /** Wakes the thread, which sleeps if there is no work. */
  void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    try {
      while (!closing) {
        try {
          work();
        } catch (Throwable t) {
          if (closing || !isUsable(t)) {
            return;
          }
          log(
              System.Logger.Level.ERROR,
              "garbage could not be collected; it is tried again later",
              t);
          notBefore = System.nanoTime() + RETRY_NANOS;
          pause(TICK_NANOS);
        }
      }
    } finally {
      requests.close();
    }
  }

  /** Logs, if that is possible: a logger that throws, or too little memory, ends no thread. */
  private void log(System.Logger.Level level, String message, @Nullable Throwable thrown) {
    try {
      System.getLogger(GarbageCollector.class.getName())
          .log(level, store + ": " + message + Requests.remedy(thrown), thrown);
    } catch (Throwable _) {
      // There is nobody else to tell; whoever asked for the collection gets its exception.
    }
  }

  private boolean isUsable(Throwable thrown) {
    try {
      heap.checkUsable();
      return true;
    } catch (PmStoreException e) {
      log(
          System.Logger.Level.ERROR,
          "garbage is not collected any more: " + e.getMessage(),
          thrown);
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
    extents.lock();
    try {
      Progress progress = unlinked.step();
      if (progress != Progress.MORE) {
        releaseChunks();
      }
      return progress;
    } finally {
      extents.unlock();
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
    return failed || trigger.isDue() || unlinked.isOverflowed() ? GcReport.Cause.THRESHOLD : null;
  }

  private void runCycle(GcReport.Cause cause) {
    @Nullable Cycle begun = null;
    extents.lock();
    try {
      requests.began();
      trigger.began();
      Cycle cycle = new Cycle(heap, links, unlinked, cause, store);
      begun = cycle;
      unlinked.collectionBegins();
      for (Progress made = cycle.step(); made != Progress.DONE; made = cycle.step()) {
        checkOpen();
        if (whole == null && cycle.hasMarked()) {
          whole = cycle.marks()::get; // the marked objects are exactly the reached ones
          requests.marked();
        }
        if (unlinked.step() != Progress.MORE && made == Progress.WAITS) {
          pause(PAUSE_NANOS);
        }
      }
      ended(cycle.report());
    } catch (Throwable t) {
      failed = true;
      swept = swept && (begun == null || !begun.isSweeping());
      whole = swept ? WholeObjects.ALL : null;
      requests.failed(t); // first: whoever waits learns of it, even if the next call throws
      abandon(begun, t);
      throw t;
    } finally {
      extents.unlock();
    }
  }

  private static void abandon(@Nullable Cycle cycle, Throwable why) {
    if (cycle != null) {
      try {
        cycle.abandon();
      } catch (RuntimeException e) {
        why.addSuppressed(e);
      }
    }
  }

  private void ended(GcReport report) {
    swept = true;
    whole = WholeObjects.ALL;
    opening = false;
    failed = false;
    if (requests.isReleasing()) {
      reclamation.releaseAllEmptyChunks(); // a sweep beside it would read a chunk that is reused
    }
    freedAtRelease = reclamation.freed().bytes();
    trigger.ended(report.liveObjects());
    if (report.cause() == GcReport.Cause.OPENING && report.freedObjects() > 0) {
      log(
          System.Logger.Level.DEBUG,
          "after opening, %d objects of %d bytes were freed that could not be reached; live are %d"
              .formatted(report.freedObjects(), report.freedBytes(), report.liveObjects()),
          null);
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
}
