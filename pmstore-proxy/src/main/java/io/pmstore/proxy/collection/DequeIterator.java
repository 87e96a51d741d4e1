package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.DequeChunks.End;
import io.pmstore.proxy.collection.Modifications.Stamp;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a deque from one end to the other. It reads some elements ahead in one consistent
 * read. Its position is the serial of a chunk and a cell in it. {@link PersistentDeque} states what
 * an iterator guarantees.
 */
final class DequeIterator<E> implements Iterator<E> {
  private static final int BATCH_FIRST = 8;
  private static final int BATCH_MAX = 128;

  private final PersistentDeque<E> deque;
  private final DequeChunks chunks;
  private final End from;
  private Stamp structure;
  private @Nullable Reading reading;
  private List<Seen<E>> batch = List.of();
  private boolean more = true; // there may be elements behind the batch
  private int batchSize = BATCH_FIRST;
  private int index; // of the next element in the batch
  private boolean promised; // hasNext returned true, so next must not fail
  private @Nullable Seen<E> last;

  DequeIterator(PersistentDeque<E> deque, End from) {
    this.deque = deque;
    this.chunks = deque.chunks();
    this.from = from;
    this.structure = deque.modifications().structure();
  }

  /** An element, and where it was read. */
  private record Seen<E>(E element, long chunk, long serial, int index, Reading reading) {}

  @Override
  public boolean hasNext() {
    promised = promised || prepare();
    return promised;
  }

  /** Moves to the next element that is still in the deque; returns false if there is none. */
  private boolean prepare() {
    while (true) {
      while (index < batch.size()) {
        if (isThere(batch.get(index))) {
          return true;
        }
        index++;
      }
      if (!more) {
        return false;
      }
      Seen<E> behind = batch.isEmpty() ? null : batch.getLast();
      Reading current = Reading.begin(deque.space().heap(), deque.modifications(), reading);
      batch = deque.read(() -> fetch(behind, current));
      more = batch.size() == batchSize;
      reading = current;
      index = 0;
      batchSize = Math.min(BATCH_MAX, batchSize * 2);
    }
  }

  private boolean isThere(Seen<E> seen) {
    return seen.reading.isCurrent()
        || deque.read(
            () ->
                chunks.hasStill(
                    deque.address(), seen.chunk, seen.serial, seen.index, seen.element));
  }

  /** Reads the elements behind {@code behind}, or the first ones if that is null. */
  private List<Seen<E>> fetch(@Nullable Seen<E> behind, Reading current) {
    List<Seen<E>> elements = new ArrayList<>(batchSize);
    int wanted = batchSize;
    DequeChunks.ElementVisitor visitor =
        (chunk, at) -> {
          E element = deque.element(chunk, at);
          elements.add(new Seen<>(element, chunk, chunks.serial(chunk), at, current));
          return elements.size() < wanted;
        };
    long address = deque.address();
    if (behind == null) {
      chunks.visit(address, from, visitor);
    } else if (chunks.isChunk(address, behind.chunk, behind.serial)) {
      chunks.visit(from, behind.chunk, behind.index, visitor);
    } else {
      long chunk = chunkBehind(address, behind.serial);
      chunks.visit(from, chunk, from == End.FIRST ? -1 : Integer.MAX_VALUE - 1, visitor);
    }
    return elements;
  }

  /** Returns the next chunk in iteration order behind one that was removed, or 0. */
  private long chunkBehind(long address, long serial) {
    long chunk = chunks.at(address, from);
    while (chunk != 0
        && (from == End.FIRST ? chunks.serial(chunk) <= serial : chunks.serial(chunk) >= serial)) {
      chunk = chunks.next(chunk, from.other());
    }
    return chunk;
  }

  @Override
  public E next() {
    deque.modifications().check(structure);
    if (!hasNext()) {
      throw new NoSuchElementException("the iteration has no more elements; ask hasNext first");
    }
    promised = false;
    Seen<E> seen = batch.get(index++);
    last = seen;
    return seen.element;
  }

  @Override
  public void remove() {
    deque.modifications().check(structure);
    Seen<E> seen = last;
    if (seen == null) {
      throw new IllegalStateException(
          "remove needs a call of next before it, one for each removal");
    }
    deque.removeSeen(seen.chunk, seen.serial, seen.index, seen.element, from);
    last = null;
    structure = deque.modifications().structure();
  }
}
