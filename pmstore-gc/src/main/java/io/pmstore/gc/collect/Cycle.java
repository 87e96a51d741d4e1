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

/**
 * One collection, in steps of bounded work; transactions run between the steps and beside them. For
 * one thread.
 *
 * <pre>
 *   MARK   from the superblock and the held objects, until nothing is left to trace
 *   WAIT   for the end of all that ran then: it may see what is unreachable now
 *          if anything was linked meanwhile that was not marked: trace it, WAIT again
 *   SWEEP  free what is not marked, while nobody goes through the heap who would find it there
 * </pre>
 *
 * <p>What runs when the last wait ends has begun after all was marked that could be reached then,
 * and all that was linked since was marked already: so nothing that is not marked is reached by
 * anybody, then or later.
 */
final class Cycle {
  /** How many objects a step traces: some hundred microseconds' worth. */
  private static final int TRACED_PER_STEP = 1000;

  /** How long a step waits for who looks at objects that may be unreachable, in milliseconds. */
  private static final long LOCK_MILLIS = 50;

  private final Heap heap;
  private final Reclamation reclamation;
  private final Links links;
  private final UnlinkedObjects unlinked;
  private final GcReport.Cause cause;
  private final Marker marker;
  private final CycleClock clock;

  private Runnable end = () -> {}; // takes back what the current phase has set
  private Work work = this::begin;

  private boolean marked;
  private boolean sweeping;
  private long freedObjectsBefore;
  private long freedBytesBefore;
  private long liveObjects;

  /** What the next step does. */
  @FunctionalInterface
  private interface Work {
    Progress step();
  }

  /**
   * Prepares a collection.
   *
   * @param links what commits tell, set as the heap's listener
   * @param unlinked the objects that wait to be freed, which the sweep has to know of
   * @param cause said in the report
   * @param store named in recordings
   */
  Cycle(Heap heap, Links links, UnlinkedObjects unlinked, GcReport.Cause cause, String store) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.links = links;
    this.unlinked = unlinked;
    this.cause = cause;
    this.clock = new CycleClock(store);
    this.marker = new Marker(reclamation.references()::forEach);
  }

  /**
   * Does the next step.
   *
   * @return {@link Progress#WAITS} if others have to end before there is more to do
   * @throws StoreDamagedException if a reference leads to no object; nothing is freed then
   */
  Progress step() {
    try {
      return work.step();
    } catch (IndexOutOfBoundsException e) {
      throw new StoreDamagedException(
          "a reference leads outside the heap; PmStore.verify says which, restore the store from a"
              + " backup",
          e);
    }
  }

  /**
   * Says whether some of what was not reached is freed, and some may not be: it can refer to what
   * is not there any more, until a later collection has freed it.
   */
  boolean isSweeping() {
    return sweeping;
  }

  /** Says whether all has been marked that can be reached, now and until it ends. */
  boolean hasMarked() {
    return marked;
  }

  /** What is marked. */
  MarkBits marks() {
    return marker.marks();
  }

  /** Gives up, wherever it is: what it has freed is freed, and commits mark nothing any more. */
  void abandon() {
    end.run();
  }

  /**
   * Ends it.
   *
   * @return what it has found and freed
   */
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
    reclamation.holdBack();
    marker.reach(CoreLayout.SUPERBLOCK);
    HeldObjects held = HeldObjects.of(heap);
    work = () -> reachHeld(held);
    return Progress.MORE;
  }

  private Progress reachHeld(HeldObjects held) {
    if (!held.reach(marker)) {
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
    boolean allEnded = ended.getAsBoolean(); // first: they may link something and then end
    if (marker.takeLinked()) {
      return traceAgain();
    }
    if (!allEnded || !lockUnreached()) {
      return Progress.WAITS;
    }
    end = this::endWaiting;
    if (marker.takeLinked()) { // by who held the lock
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

  /** Waits a little only: who holds the lock may run code of a user. */
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
    unlinked.endSweep();
    reclamation.unreached().writeLock().unlock();
  }
}
