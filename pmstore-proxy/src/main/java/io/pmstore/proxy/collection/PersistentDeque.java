package io.pmstore.proxy.collection;

import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.collection.DequeChunks.End;
import java.util.Comparator;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Deque}, and so a {@link java.util.Queue}, in the store: a linked list of chunks. It
 * refuses null with a {@link NullPointerException}. Equality is identity, as in {@code ArrayDeque}.
 * {@link PersistentCollection} states what holds for all collections.
 *
 * <p><b>Costs.</b> Adding, reading and removing at either end takes constant time and writes a cell
 * and a few words. {@code clear} is bounded too, whatever the size. {@code contains}, {@code
 * remove(Object)} and the like search from an end. An element that is removed from the middle
 * leaves a gap; the store reuses its space with that of its chunk of up to 32 elements.
 *
 * <p><b>Conflicts.</b> Transactions that add at the same end conflict, and so do transactions that
 * remove at the same end. Adding at one end and removing at the other does not conflict while there
 * are more than two chunks (some 64 elements) between the ends. {@link #size} makes a transaction
 * depend on every addition and removal, {@link #isEmpty} on those at the front.
 *
 * <p><b>Iteration.</b> If a thread adds or removes while it iterates, other than through the
 * iterator, the iterator throws {@link java.util.ConcurrentModificationException}. In a
 * transaction, an iteration sees one state: the transaction's. Outside, it never fails because of
 * other threads. It reads some elements at a time, each time a committed state. Every element that
 * is in the deque from the iteration's start to its end is returned exactly once, any other at most
 * once. {@code remove} removes the element that was returned, and no equal one that came later.
 * {@code toArray}, {@code toString} and each search read one state. A {@linkplain #weaklyConsistent
 * view} for the JDK's concurrent deques never throws that exception.
 *
 * @param <E> the type of the elements
 */
public final class PersistentDeque<E> extends DequeView<E> implements PersistentCollection {
  PersistentDeque(CollectionSpace space, HeapObject handle) {
    this(space, handle, new DequeChunks(space));
  }

  private PersistentDeque(CollectionSpace space, HeapObject handle, DequeChunks chunks) {
    super(
        new Contents(CollectionKind.DEQUE, space, handle) {
          @Override
          void initialize(@Nullable Comparator<?> comparator) {
            chunks.initialize(address());
          }
        },
        chunks,
        End.FIRST,
        true);
    contents().owner(this);
  }

  private PersistentDeque(Contents contents, DequeChunks chunks) {
    super(contents, chunks, End.FIRST, false);
  }

  /**
   * Returns this deque with the iterators of the JDK's concurrent ones, also those of its streams
   * and of its reverse: they do not fail when their own thread adds or removes elements meanwhile.
   */
  public PersistentDeque<E> weaklyConsistent() {
    return new PersistentDeque<>(contents(), chunks());
  }
}
