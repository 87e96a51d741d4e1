package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.ListIterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a list by index. It reads some elements ahead in one consistent read. {@link
 * PersistentList} states what an iterator guarantees. A roll-back takes the iterator back to where
 * it was before its first change.
 */
final class PersistentListIterator<E extends @Nullable Object> implements ListIterator<E> {
  private static final int BATCH_MIN = 8;
  private static final int BATCH_MAX = 128;

  private final PersistentList<E> list;
  private Stamp structure;
  private @Nullable Reading reading;
  private List<E> batch = List.of();
  private int batchStart; // the index of the batch's first element
  private int batchSize = BATCH_MIN;
  private int cursor; // the index of the next element
  private boolean promised; // hasNext returned true, so next must not fail
  private int last = -1; // the index of the element that remove and set apply to
  private @Nullable Undo undo;

  PersistentListIterator(PersistentList<E> list, int index) {
    this.list = list;
    this.cursor = index;
    this.structure = list.contents().modifications().structure();
  }

  private boolean isRead(int index) {
    return reading != null
        && reading.isCurrent()
        && index >= batchStart
        && index < batchStart + batch.size();
  }

  /** Makes the batch include the element at an index. Returns false if the list is shorter. */
  private boolean load(int index, boolean backwards) {
    if (isRead(index)) {
      return true;
    }
    // A batch that became stale was read too far ahead: a writer is active.
    boolean stale = reading != null && !reading.isCurrent();
    batchSize = stale ? BATCH_MIN : Math.min(BATCH_MAX, batchSize * 2);
    int wanted = batchSize;
    int from = backwards ? Math.max(0, index - wanted + 1) : index;
    Reading current =
        Reading.begin(list.contents().space().heap(), list.contents().modifications(), reading);
    List<E> elements =
        list.read(
            () -> {
              int size = list.size();
              int to = backwards ? index + 1 : (int) Math.min(size, (long) index + wanted);
              return index < size ? list.contents().read(from, to) : List.<E>of();
            });
    if (elements.isEmpty()) {
      return false;
    }
    batch = elements;
    batchStart = from;
    reading = current;
    return true;
  }

  private E loaded(int index) {
    return batch.get(index - batchStart);
  }

  @Override
  public boolean hasNext() {
    promised = load(cursor, false);
    return promised;
  }

  @Override
  public E next() {
    list.contents().modifications().check(structure);
    // A promised element stays in the batch even if the list has become shorter since.
    if (!load(cursor, false) && (!promised || Reading.isRolledBack(reading))) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
    }
    E element = loaded(cursor);
    promised = false;
    last = cursor++;
    return element;
  }

  @Override
  public boolean hasPrevious() {
    return cursor > 0;
  }

  @Override
  public E previous() {
    list.contents().modifications().check(structure);
    if (cursor == 0) {
      throw new NoSuchElementException(
          "the iteration is at its first element; ask hasPrevious first");
    }
    if (!load(cursor - 1, true)) {
      throw shorter(cursor - 1, null);
    }
    promised = false;
    last = --cursor;
    return loaded(cursor);
  }

  @Override
  public int nextIndex() {
    return cursor;
  }

  @Override
  public int previousIndex() {
    return cursor - 1;
  }

  @Override
  public void remove() {
    int index = lastIndex("remove");
    keepState();
    try {
      list.changed().remove(index);
    } catch (IndexOutOfBoundsException e) {
      throw shorter(index, e);
    }
    cursor = index;
    changed();
  }

  @Override
  public void set(E element) {
    int index = lastIndex("set");
    try {
      list.changed().set(index, element);
    } catch (IndexOutOfBoundsException e) {
      throw shorter(index, e);
    }
  }

  @Override
  public void add(E element) {
    list.contents().modifications().check(structure);
    keepState();
    try {
      list.changed().add(cursor, element);
    } catch (IndexOutOfBoundsException e) {
      throw shorter(cursor, e);
    }
    cursor++;
    changed();
  }

  private int lastIndex(String method) {
    list.contents().modifications().check(structure);
    if (last < 0) {
      throw new IllegalStateException(
          method + " needs a call of next or previous before it, and no remove or add between");
    }
    return last;
  }

  private void keepState() {
    undo = Undo.keep(list.contents().space().heap(), undo, this::state);
  }

  private Runnable state() {
    List<E> oldBatch = batch;
    int oldStart = batchStart;
    int oldCursor = cursor;
    int oldLast = last;
    boolean wasPromised = promised;
    return () -> {
      batch = oldBatch;
      batchStart = oldStart;
      cursor = oldCursor;
      last = oldLast;
      promised = wasPromised;
      structure = list.contents().modifications().structure(); // none of this transaction counts
    };
  }

  private void changed() {
    structure = list.contents().modifications().structure();
    last = -1;
    promised = false;
  }

  private static ConcurrentModificationException shorter(
      int index, @Nullable IndexOutOfBoundsException cause) {
    return new ConcurrentModificationException(
        "another thread made the list shorter: it has no index %s any more; iterate in a transaction to see one state"
            .formatted(index),
        cause);
  }
}
