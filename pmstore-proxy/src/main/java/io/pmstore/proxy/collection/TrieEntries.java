package io.pmstore.proxy.collection;

import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_KEY;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_NEXT;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_SECOND_HASH;
import static io.pmstore.proxy.collection.CollectionShapes.ENTRY_VALUE;
import static io.pmstore.proxy.collection.CollectionShapes.MAP_NUMBER_BIT;
import static io.pmstore.proxy.collection.CollectionShapes.NUMBER_KEY;
import static io.pmstore.proxy.collection.CollectionShapes.NUMBER_VALUE;
import static io.pmstore.proxy.collection.CollectionShapes.SAME_SECRET;
import static io.pmstore.proxy.collection.CollectionShapes.VALUE_CELL;
import static io.pmstore.proxy.collection.CollectionShapes.VALUE_CELL_BIT;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Trail;
import io.pmstore.core.tx.View;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a {@link HashTrie}: what they hold, and where.
 *
 * <p>An entry is a reference: its address and, in the low bits, its kind.
 *
 * <ul>
 *   <li>A <em>wide</em> entry has both hashes, and cells for its key and its value.
 *   <li>A <em>number</em> entry has {@link CollectionShapes#MAP_NUMBER_BIT} set. Its key is a word
 *       with a {@code Long} or an {@code Integer}, from which its hashes follow. Its value is a
 *       reference to an object, or to a cell of its own where the value is anything else. So it is
 *       little more than half as large as a wide entry. Linked maps and sets have none.
 * </ul>
 *
 * <p>A key is put into a number entry if it fits into its word and its value is an object of the
 * store or null. Later values can be anything.
 *
 * <p>Methods that change an entry are called inside a transaction, the others inside a transaction
 * or a consistent read.
 */
final class TrieEntries {
  private final Heap heap;
  private final CellCodec codec;
  private final CollectionShapes.Trie shapes;

  TrieEntries(CollectionSpace space, CollectionShapes.Trie shapes) {
    heap = space.heap();
    codec = space.codec();
    this.shapes = shapes;
  }

  /**
   * Returns the spread hash of a key, which leads to its entry: a bijection that mixes well (the
   * finalizer of MurmurHash3, Appleby 2011).
   */
  int hash(@Nullable Object key) {
    return spread(codec.hash(key));
  }

  private static int spread(int hash) {
    int h = hash;
    h = (h ^ (h >>> 16)) * 0x85ebca6b;
    h = (h ^ (h >>> 13)) * 0xc2b2ae35;
    return h ^ (h >>> 16);
  }

  static boolean isNumber(long entry) {
    return (entry & MAP_NUMBER_BIT) != 0;
  }

  /** Returns true if a key can be in a number entry. */
  static boolean isNumberKey(@Nullable Object key) {
    return key instanceof Integer || (key instanceof Long n && n << 1 >> 1 == n);
  }

  /** Returns the word of a key for which {@link #isNumberKey} is true; of no meaning for others. */
  static long word(@Nullable Object key) {
    if (key instanceof Long number) {
      return number << 1;
    }
    return key instanceof Integer number ? (long) number << 1 | 1 : 0;
  }

  private static boolean isInteger(long word) {
    return (word & 1) != 0;
  }

  private static Object number(long word) {
    if (isInteger(word)) {
      return (int) (word >> 1);
    }
    return word >> 1;
  }

  // -- making and linking

  /**
   * Makes an entry that stands nowhere yet. A value that cannot be stored throws here, and leaves
   * the map unchanged. A set's entry has no value.
   */
  long create(@Nullable Object key, int hash, @Nullable Object value) {
    if (shapes.hasNumbers() && isNumberKey(key)) {
      long reference = shapes.hasValues() ? codec.referenceTo(value) : 0;
      if (reference != CellCodec.NO_REFERENCE) {
        return createNumber(word(key), reference);
      }
    }
    long entry = heap.allocate(shapes.entry(), shapes.entrySize());
    heap.putInt(entry, ENTRY_HASH, hash);
    codec.writeCell(entry, ENTRY_KEY, key);
    if (shapes.hasValues()) {
      codec.writeCell(entry, ENTRY_VALUE, value);
    }
    return entry;
  }

  private long createNumber(long word, long value) {
    NodeShape shape =
        shapes.hasValues() ? CollectionShapes.MAP_NUMBER : CollectionShapes.SET_NUMBER;
    long address = heap.allocate(shapes.number(), shape.size());
    heap.putLong(address, NUMBER_KEY, word);
    if (value != 0) {
      heap.putLong(address, NUMBER_VALUE, value);
    }
    return address | MAP_NUMBER_BIT;
  }

  /** Returns the next entry of a chain, or 0. */
  long next(@Nullable View view, long entry) {
    return heap.getLong(view, address(entry), ENTRY_NEXT);
  }

  long next(long entry) {
    return heap.getLong(address(entry), ENTRY_NEXT);
  }

  void setNext(long entry, long next) {
    if (next(entry) != next) {
      heap.putLong(address(entry), ENTRY_NEXT, next);
    }
  }

  static long address(long entry) {
    return entry & -8;
  }

  // -- hashes

  /** Returns the spread hash under which an entry was put. */
  int hashOf(long entry) {
    if (!isNumber(entry)) {
      return heap.getInt(entry, ENTRY_HASH);
    }
    long word = heap.getLong(address(entry), NUMBER_KEY);
    return spread(isInteger(word) ? (int) (word >> 1) : Long.hashCode(word >> 1));
  }

  /** Returns the second hash of an entry in a collision object. */
  int secondHashOf(long entry, long same) {
    return isNumber(entry)
        ? codec.secondHash(key(entry), heap.getLong(same, SAME_SECRET))
        : heap.getInt(entry, ENTRY_SECOND_HASH);
  }

  void setSecondHash(long entry, int second) {
    if (!isNumber(entry)) {
      heap.putInt(entry, ENTRY_SECOND_HASH, second);
    }
  }

  /** Returns true if the hash of an entry's key is the same in every JVM. */
  boolean hasLastingHash(long entry) {
    return isNumber(entry) || codec.cellHasLastingHash(entry, ENTRY_KEY);
  }

  // -- keys and values

  @Nullable Object key(long entry) {
    return isNumber(entry)
        ? number(heap.getLong(address(entry), NUMBER_KEY))
        : codec.readCell(entry, ENTRY_KEY);
  }

  boolean hasKey(long entry, @Nullable Object key) {
    return isNumber(entry)
        ? isNumberKey(key) && heap.getLong(address(entry), NUMBER_KEY) == word(key)
        : codec.cellEquals(entry, ENTRY_KEY, key);
  }

  /**
   * Returns the entry of a key in a chain, or 0.
   *
   * @param hashField offset of the hash in wide entries
   * @param hash of the key
   */
  long find(@Nullable View view, long head, int hashField, int hash, @Nullable Object key) {
    boolean isNumber = isNumberKey(key);
    long word = word(key);
    long at = head;
    long remembered = 0; // detects a circle as Trail does, without allocating
    for (int steps = 1; at != 0; steps++) {
      boolean found =
          isNumber(at)
              ? isNumber && heap.getLong(view, address(at), NUMBER_KEY) == word
              : heap.getInt(view, at, hashField) == hash && codec.cellEquals(at, ENTRY_KEY, key);
      if (found) {
        return at;
      }
      if ((steps & (steps - 1)) == 0) {
        remembered = at;
      }
      at = next(view, at);
      if (at == remembered) {
        throw Trail.circle(address(at));
      }
    }
    return 0;
  }

  @Nullable Object value(long entry) {
    if (!isNumber(entry)) {
      return codec.readCell(entry, ENTRY_VALUE);
    }
    long value = heap.getLong(address(entry), NUMBER_VALUE);
    return isCell(value) ? codec.readCell(address(value), VALUE_CELL) : codec.readReference(value);
  }

  boolean hasValue(long entry, @Nullable Object value) {
    if (!isNumber(entry)) {
      return codec.cellEquals(entry, ENTRY_VALUE, value);
    }
    long here = heap.getLong(address(entry), NUMBER_VALUE);
    return isCell(here)
        ? codec.cellEquals(address(here), VALUE_CELL, value)
        : codec.referenceEquals(here, value);
  }

  void setValue(long entry, @Nullable Object value) {
    if (!isNumber(entry)) {
      codec.writeCell(entry, ENTRY_VALUE, value);
      return;
    }
    long reference = codec.referenceTo(value);
    if (reference != CellCodec.NO_REFERENCE) {
      heap.putLong(address(entry), NUMBER_VALUE, reference);
      return;
    }
    long here = heap.getLong(address(entry), NUMBER_VALUE);
    if (isCell(here)) {
      codec.writeCell(address(here), VALUE_CELL, value);
      return;
    }
    long cell = heap.allocate(shapes.value(), CollectionShapes.MAP_VALUE.size());
    codec.writeCell(cell, VALUE_CELL, value);
    heap.putLong(address(entry), NUMBER_VALUE, cell | VALUE_CELL_BIT);
  }

  private static boolean isCell(long value) {
    return (value & VALUE_CELL_BIT) != 0;
  }
}
