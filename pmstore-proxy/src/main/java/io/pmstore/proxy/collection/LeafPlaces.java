package io.pmstore.proxy.collection;

/**
 * The word of a leaf that orders its slots, after the permutation in Masstree's leaves (Mao,
 * Kohler, Morris 2012): an insertion writes one slot and this word, and moves nothing.
 *
 * <pre>
 *   bits 0-3      the number of slots in use
 *   bits 4+4p ..  the slot in place p, for p = 0 to 14: first the slots in use, in the order of
 *                 their keys; then the free ones
 * </pre>
 *
 * <p>The word always is a permutation of all 15 slots. In a leaf with fewer slots, those that it
 * does not have stay last.
 */
final class LeafPlaces {
  private static final int BITS = 4;
  private static final int MASK = 15;

  /** No slot is in use. */
  static final long EMPTY = 0xedcb_a987_6543_2100L;

  private LeafPlaces() {}

  /** Returns the number of slots in use. */
  static int count(long places) {
    return (int) places & MASK;
  }

  /**
   * Returns the slot in a place. The slot in place {@link #count} is the free one that the next
   * insertion takes.
   */
  static int slot(long places, int place) {
    return (int) (places >>> shift(place)) & MASK;
  }

  /** Inserts the first free slot at a place, and moves the slots from there on up by one. */
  static long inserted(long places, int place) {
    int count = count(places);
    long moved = places & between(place, count);
    long kept = places & ~between(place, count + 1);
    long slot = slot(places, count);
    return (kept | slot << shift(place) | moved << BITS) + 1;
  }

  /**
   * Makes the slot in a place the first free one, and moves the slots in use behind it down by one.
   */
  static long removed(long places, int place) {
    int last = count(places) - 1;
    long moved = places & between(place + 1, last + 1);
    long kept = places & ~between(place, last + 1);
    long slot = slot(places, place);
    return (kept | slot << shift(last) | moved >>> BITS) - 1;
  }

  /** Keeps the first {@code count} slots in use and frees the others. */
  static long truncated(long places, int count) {
    return (places & ~MASK) | count;
  }

  private static int shift(int place) {
    return BITS + BITS * place;
  }

  /** Returns the bits of the places from one, inclusive, to another, exclusive. */
  private static long between(int from, int to) {
    return below(to) & ~below(from);
  }

  private static long below(int place) {
    return place == SortedShapes.LEAF_CAPACITY_MAX ? -1 : (1L << shift(place)) - 1;
  }
}
