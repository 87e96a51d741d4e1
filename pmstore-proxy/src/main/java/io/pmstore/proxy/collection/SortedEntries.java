package io.pmstore.proxy.collection;

import io.pmstore.core.heap.Heap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of sorted maps and sets in their order, without comparing keys. For programs that
 * lack the comparators. (An ordinary iterator compares keys, to continue after the last one that it
 * has seen.)
 */
public final class SortedEntries {
  private SortedEntries() {}

  /** Receives entries. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Receives an entry. Returns false to end the walk.
     *
     * @param value null in a set
     */
    boolean entry(@Nullable Object key, @Nullable Object value);
  }

  /** Returns true if a collection is a sorted map or set. */
  public static boolean isSorted(PersistentCollection collection) {
    return collection.contents() instanceof SortedContents;
  }

  /**
   * Shows the entries of a sorted map or set, in one snapshot.
   *
   * @throws IllegalStateException inside a transaction
   */
  public static void forEach(PersistentCollection collection, Visitor visitor) {
    if (!(collection.contents() instanceof SortedContents<?, ?> contents)) {
      throw new IllegalArgumentException("a " + collection.contents().kind() + " is not sorted");
    }
    Heap heap = contents.space().heap();
    if (heap.inSnapshot()) {
      visit(contents, visitor);
    } else {
      boolean _ =
          heap.snapshot(
              () -> {
                visit(contents, visitor);
                return true;
              });
    }
  }

  private static void visit(SortedContents<?, ?> contents, Visitor visitor) {
    boolean hasValues = contents.kind() == CollectionKind.SORTED_MAP;
    contents
        .tree()
        .visit(
            SortedRange.ALL,
            true,
            entry -> visitor.entry(contents.key(entry), hasValues ? contents.value(entry) : null));
  }
}
