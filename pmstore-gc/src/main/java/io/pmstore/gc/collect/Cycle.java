package io.pmstore.gc.collect;

import io.pmstore.GcReport;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.gc.collect.CycleClock.Phase;
import io.pmstore.gc.trace.MarkBits;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One collection, in steps of bounded work. Transactions run between and beside the steps. For one
 * thread.
 *
 * <pre>
 *   MARK   from the superblock and the pinned objects, until nothing is left to trace
 *   WAIT   for the end of all transactions and snapshots that ran then: they may see unreachable objects
 *          if an unmarked object was linked meanwhile: trace it, WAIT again
 *   SWEEP  free what is not marked, while no thread that walks the heap could find it there
 * </pre>
 *
 * <p>When the last wait ends, every transaction and snapshot still running started after marking
 * had finished, and everything linked since then was marked already. So none of them, and no later
 * one, reaches an unmarked object.
 */
final class Cycle {
  /** The most objects that a step traces, which takes some hundred microseconds. */
  private static final int TRACED_PER_STEP = 1000;

  /**
   * The longest time in milliseconds that a step waits for threads that look at possibly
   * unreachable objects.
   */
  private static final long LOCK_MILLIS = 50;

  private final Heap heap;
  private final Reclamation reclamation;
  private final LinkDispatcher links;
  private final UnlinkedObjects unlinked;
  private final GcReport.Cause cause;
  private final Marker marker;
  private final CycleClock clock;

  private Runnable end = () -> {}; // undoes what the current phase has set
  private Supplier<Progress> work = this::begin; // of the next step

  private boolean marked;
  private boolean sweeping;
  private long freedObjectsBefore;
  private long freedBytesBefore;
  private long liveObjects;

  /**
   * Prepares a collection.
   *
   * @param links receives what commits link; the heap's listener
   * @param unlinked the objects that wait to be freed; the sweep informs it
   * @param store the name in recordings
   */
  Cycle(
      Heap heap,
      LinkDispatcher links,
      UnlinkedObjects unlinked,
      GcReport.Cause cause,
      String store) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.links = links;
    this.unlinked = unlinked;
    this.cause = cause;
    this.clock = new CycleClock(store);
    this.marker = new Marker(reclamation.references()::forEach);
  }

  /**
   * Performs the next step.
   *
   * @return {@link Progress#WAITS} if transactions must end before there is more to do
   * @throws StoreDamagedException if a reference leads to no object; nothing is freed then
   */
  Progress step() {
    try {
      return work.get();
    } catch (IndexOutOfBoundsException e) {
      throw new StoreDamagedException(
          "a reference leads outside the heap; PmStore.verify says which, restore the store from a"
              + " backup",
          e);
    }
  }

  /**
   * Returns true if some unreached objects may be freed and others not. Those left may refer to
   * freed ones until a later collection frees them too.
   */
  boolean isSweeping() {
    return sweeping;
  }

  /** Returns true if everything reachable has been marked; stays true until the collection ends. */
  boolean hasMarked() {
    return marked;
  }

  MarkBits marks() {
    return marker.marks();
  }

  /**
   * Abandons the collection in any phase. What it has freed stays freed; commits no longer mark.
   */
  void abandon() {
    end.run();
  }

  /** Ends the collection and returns its report. */
  GcReport report() {
    Reclamation.Freed freed = reclamation.freed();
    return clock.stop(
        cause, liveObjects, freed.objects() - freedObjectsBefore, freed.bytes() - freedBytesBefore);
  }

  private Progress begin() {
    clock.start();
    Reclamation.Freed freed = reclamation.freed();
    freedObjectsBefore = freed.objects();
    freedBytesBefore = freed.bytes();
    links.marker(marker);
    end = this::endMarking;
    reclamation.keepBack();
    marker.reach(CoreLayout.SUPERBLOCK);
    PinnedObjects pinned = PinnedObjects.of(heap);
    work = () -> reachPinned(pinned);
    return Progress.MORE;
  }

  private Progress reachPinned(PinnedObjects pinned) {
    if (!pinned.reach(marker)) {
      work = this::trace;
    }
    return Progress.MORE;
  }

  private Progress trace() {
    if (!marker.trace(TRACED_PER_STEP)) {
      marked = true;
      long since = reclamation.position();
      BooleanSupplier ended = reclamation.runningViews();
      clock.next(Phase.WAIT);
      work = () -> await(ended, since);
    }
    return Progress.MORE;
  }

  private Progress await(BooleanSupplier ended, long since) {
    boolean allEnded = ended.getAsBoolean(); // first: a transaction may link an object and then end
    if (marker.takeLinked()) {
      return traceAgain();
    }
    if (!allEnded || !lockUnreached()) {
      return Progress.WAITS;
    }
    end = this::endWaiting;
    if (marker.takeLinked()) { // by a thread that had the lock
      reclamation.unreached().writeLock().unlock();
      return traceAgain();
    }
    beginSweep(since);
    return Progress.MORE;
  }

  private Progress traceAgain() {
    end = this::endMarking;
    clock.next(Phase.MARK);
    work = this::trace;
    return Progress.MORE;
  }

  /** Waits briefly only: a thread with the lock may be running user code. */
  private boolean lockUnreached() {
    try {
      return reclamation.unreached().writeLock().tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void beginSweep(long since) {
    clock.next(Phase.SWEEP);
    sweeping = true;
    unlinked.beginSweep(marker.marks());
    end = this::endSweep;
    reclamation.giveOut(); // nothing is traced any more
    Sweeper sweeper = new Sweeper(reclamation, marker.marks(), since, heap.memory().size());
    work = () -> sweep(sweeper);
  }

  private Progress sweep(Sweeper sweeper) {
    Progress progress = sweeper.step();
    if (progress == Progress.DONE) {
      liveObjects = sweeper.kept();
      sweeping = false;
      endSweep();
    }
    return progress;
  }

  private void endMarking() {
    links.marker(null);
    reclamation.giveOut();
  }

  private void endWaiting() {
    reclamation.unreached().writeLock().unlock();
    endMarking();
  }

  private void endSweep() {
    end = () -> {};
    links.marker(null);
    try {
      unlinked.endSweep();
    } finally {
      reclamation.unreached().writeLock().unlock();
    }
  }
}
