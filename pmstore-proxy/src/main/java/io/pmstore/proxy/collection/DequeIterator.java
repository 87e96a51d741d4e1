package io.pmstore.proxy.collection;

import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over a deque from one end to the other. Its position is the serial of a chunk and a cell
 * in it. {@link PersistentDeque} states what an iterator guarantees.
 */
final class DequeIterator<E>
    extends BatchIterator<DequeIterator.Place<E>, DequeIterator.Seen<E>, E> {
  private final DequeView<E> deque;
  private final DequeChunks chunks;
  private final End from;
  private final boolean failFast;

  /**
   * Starts at an end.
   *
   * @param failFast whether it fails once its thread has changed the deque otherwise
   */
  DequeIterator(DequeView<E> deque, End from, boolean failFast) {
    super(deque.contents().space().heap(), deque.contents().modifications(), new Place<>(null));
    this.deque = deque;
    this.chunks = deque.chunks();
    this.from = from;
    this.failFast = failFast;
  }

  @Override
  boolean isFailFast() {
    return failFast;
  }

  /** An element, and where it was read. */
  record Seen<E>(E element, DequeChunks.Cell cell, Reading reading) {}

  /** The position behind an element, or at the start if that is null. */
  record Place<E>(@Nullable Seen<E> behind) {}

  @Override
  boolean isThere(Seen<E> seen) {
    return seen.reading.isCurrent()
        || deque.read(() -> chunks.hasStill(deque.address(), seen.cell));
  }

  @Override
  Batch<Place<E>, Seen<E>> read(Place<E> place, int wanted, Reading current) {
    List<Seen<E>> elements = deque.read(() -> fetch(place.behind, wanted, current));
    boolean isEnd = elements.size() < wanted;
    return new Batch<>(elements, isEnd ? null : new Place<>(elements.getLast()));
  }

  /** Reads the elements behind {@code behind}, or the first ones if that is null. */
  private List<Seen<E>> fetch(@Nullable Seen<E> behind, int wanted, Reading current) {
    Fetch<E> fetch = new Fetch<>(deque, wanted, current);
    long address = deque.address();
    if (behind == null) {
      chunks.visit(address, from, fetch);
    } else if (chunks.isChunk(address, behind.cell.chunk())) {
      chunks.visit(from, behind.cell.chunk().address(), behind.cell.index(), fetch);
    } else {
      long chunk = chunkBehind(address, behind.cell.chunk().serial());
      chunks.visit(from, chunk, from == End.FIRST ? -1 : Integer.MAX_VALUE - 1, fetch);
    }
    List<Seen<E>> elements = fetch.elements;
    if (!elements.isEmpty()) {
      chunks.iterated(elements.getFirst().cell);
      chunks.iterated(elements.getLast().cell);
    }
    return elements;
  }

  /** Collects elements, and reads the serial of each chunk once. */
  private static final class Fetch<E> implements DequeChunks.ElementVisitor {
    private final DequeView<E> deque;
    private final int wanted;
    private final Reading current;
    private final List<Seen<E>> elements;
    private DequeChunks.Chunk last = new DequeChunks.Chunk(0, 0);

    Fetch(DequeView<E> deque, int wanted, Reading current) {
      this.deque = deque;
      this.wanted = wanted;
      this.current = current;
      this.elements = new ArrayList<>(wanted);
    }

    @Override
    public boolean element(long chunk, int index) {
      if (chunk != last.address()) {
        last = deque.chunks().chunk(chunk);
      }
      E element = deque.element(chunk, index);
      elements.add(new Seen<>(element, deque.chunks().cell(last, index), current));
      return elements.size() < wanted;
    }
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
  E shown(Seen<E> seen) {
    return seen.element;
  }

  @Override
  void remove(Seen<E> seen) {
    deque.removeSeen(seen.cell, from);
  }
}
