package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * What a bulk operation gathers before its first change. Asks for Java heap as it grows, so that an
 * operation on millions of elements ends with a {@link io.pmstore.TransactionTooLargeException},
 * and not with an {@link OutOfMemoryError}. It grows by parts, and never copies them. Used inside a
 * transaction.
 */
final class GatheredList<E extends @Nullable Object> extends AbstractList<E>
    implements RandomAccess {
  private static final int PART_SHIFT = 10;
  private static final int PART_SIZE = 1 << PART_SHIFT;

  // With their places in a part.
  private static final int BYTES_OF_NUMBER = 32;
  private static final int BYTES_OF_OBJECT = 256; // the Java object of a persistent one, say

  private final Heap heap;
  private final List<List<E>> parts = new ArrayList<>();
  private int size;
  private long bytes; // of the last part

  GatheredList(Heap heap) {
    this.heap = heap;
  }

  /** Adds an element. Asks, for each part, for as much as the one before has taken. */
  @Override
  public boolean add(E element) {
    if (size == parts.size() << PART_SHIFT) {
      if (size > 0) {
        heap.requireRoom(bytes, size);
      }
      bytes = 0;
      parts.add(new ArrayList<>(size == 0 ? 0 : PART_SIZE));
    }
    parts.getLast().add(element);
    bytes += bytesOf(element);
    size++;
    return true;
  }

  private static long bytesOf(@Nullable Object element) {
    return switch (element) {
      case null -> BYTES_OF_NUMBER;
      case Number _ -> BYTES_OF_NUMBER;
      case String text -> BYTES_OF_NUMBER + 2L * text.length();
      default -> BYTES_OF_OBJECT;
    };
  }

  @Override
  public E get(int index) {
    return parts.get(index >> PART_SHIFT).get(index & PART_SIZE - 1);
  }

  @Override
  public E set(int index, E element) {
    return parts.get(index >> PART_SHIFT).set(index & PART_SIZE - 1, element);
  }

  @Override
  public int size() {
    return size;
  }
}
