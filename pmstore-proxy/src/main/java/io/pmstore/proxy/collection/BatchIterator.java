package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a collection. It reads some elements ahead in one consistent read and keeps only a
 * position, so that no change of the collection can invalidate it. A roll-back takes the iterator
 * back to where it was before its first removal.
 *
 * @param <P> a position, which stays valid after any change of the collection; immutable
 * @param <S> what the iterator keeps of an element
 * @param <T> what it returns of that
 */
abstract class BatchIterator<P, S, T extends @Nullable Object> implements Iterator<T> {
  private static final int BATCH_FIRST = 8;
  private static final int BATCH_MAX = 128;

  private final Heap heap;
  private final Modifications modifications;
  private Stamp structure;
  private @Nullable Reading reading;
  private Batch<P, S> batch;
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext returned true, so next must not fail
  private @Nullable S last;
  private @Nullable Undo undo;

  BatchIterator(Heap heap, Modifications modifications, P start) {
    this.heap = heap;
    this.modifications = modifications;
    this.structure = modifications.structure();
    this.batch = new Batch<>(List.of(), start);
  }

  /** The elements of one read, and the position behind them; null if there are none. */
  record Batch<P, S>(List<S> seen, @Nullable P rest) {}

  /** Reads up to {@code wanted} elements from a position on, in one consistent read. */
  abstract Batch<P, S> read(P from, int wanted, Reading current);

  /** Returns true if an element is still in the collection; reads it again if it may not be. */
  abstract boolean isThere(S seen);

  abstract T shown(S seen);

  /** Returns true if the iterator fails once its thread has changed the collection otherwise. */
  boolean isFailFast() {
    return true;
  }

  /** Returns the element that was returned last. */
  final S last() {
    return Objects.requireNonNull(last, "no element");
  }

  private void check() {
    if (isFailFast()) {
      modifications.check(structure);
    }
  }

  /** Removes an element if it is still in the collection. */
  abstract void remove(S seen);

  @Override
  public final boolean hasNext() {
    promised = (promised && !Reading.isRolledBack(reading)) || prepare();
    return promised;
  }

  /** Moves to the next element that is still there; returns false if there is none. */
  private boolean prepare() {
    while (true) {
      while (index < batch.seen.size()) {
        if (isThere(batch.seen.get(index))) {
          return true;
        }
        index++;
      }
      P rest = batch.rest;
      if (rest == null) {
        return false;
      }
      Reading current = Reading.begin(heap, modifications, reading);
      batch = read(rest, batchSize, current);
      reading = current;
      index = 0;
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  @Override
  public final T next() {
    check();
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
    }
    promised = false;
    S seen = batch.seen.get(index++);
    last = seen;
    return shown(seen);
  }

  @Override
  public final void remove() {
    check();
    S seen = last;
    if (seen == null) {
      throw new IllegalStateException(
          "remove needs a call of next before it, one for each removal");
    }
    undo = Undo.keep(heap, undo, this::state);
    remove(seen);
    last = null;
    structure = modifications.structure();
  }

  private Runnable state() {
    Batch<P, S> oldBatch = batch;
    int oldIndex = index;
    @Nullable S oldLast = last;
    boolean wasPromised = promised;
    return () -> {
      batch = oldBatch;
      index = oldIndex;
      last = oldLast;
      promised = wasPromised;
      structure = modifications.structure(); // none of this transaction counts
    };
  }
}
