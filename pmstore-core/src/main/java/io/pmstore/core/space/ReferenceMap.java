package io.pmstore.core.space;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Where the objects of one shape hold the addresses of others. Immutable. */
public final class ReferenceMap {
  /**
   * The bit of a cell's first word that says that its second word is the address of an object or of
   * bytes out of line.
   */
  public static final int CELL_ADDRESS = 0x80;

  /** The size of a cell, in bytes. */
  private static final int CELL_SIZE = 16;

  // The low bits of a reference inside a collection belong to the collection.
  private static final long ADDRESS_MASK = -8;

  /** The map of objects that refer to nothing. */
  public static final ReferenceMap NONE = new ReferenceMap(new int[0], new int[0]);

  private final int[] offsets; // of references first, then of cells
  private final int references;
  private final short[] placeOfWord; // its number + 1; 0 is none

  /**
   * Makes a map.
   *
   * @param references the offsets of words that hold an address, or 0; their three lowest bits may
   *     hold something else
   * @param cells the offsets of cells, of two words each
   */
  public ReferenceMap(int[] references, int[] cells) {
    this.references = references.length;
    offsets = Arrays.copyOf(references, references.length + cells.length);
    System.arraycopy(cells, 0, offsets, references.length, cells.length);
    placeOfWord = new short[end() >>> 3];
    for (int i = 0; i < offsets.length; i++) {
      placeOfWord[offsets[i] >>> 3] = (short) (i + 1);
      if (isCell(i)) {
        placeOfWord[(offsets[i] >>> 3) + 1] = (short) (i + 1);
      }
    }
  }

  /**
   * Makes the map of objects that have nothing but references from an offset on.
   *
   * @param from the offset of the first
   * @param size of the object in bytes
   * @return the map
   */
  public static ReferenceMap row(int from, int size) {
    int[] all = IntStream.range(0, (size - from) >>> 3).map(i -> from + (i << 3)).toArray();
    return new ReferenceMap(all, NONE.offsets);
  }

  /**
   * How many places there are.
   *
   * @return references and cells
   */
  public int count() {
    return offsets.length;
  }

  /**
   * Where a place is.
   *
   * @param i its number, from 0
   * @return bytes from the object's start
   */
  public int offset(int i) {
    return offsets[i];
  }

  /**
   * Says whether a place is a cell.
   *
   * @param i its number, from 0
   * @return false for a single word that is a reference
   */
  public boolean isCell(int i) {
    return i >= references;
  }

  /**
   * The place that a word belongs to.
   *
   * @param word its number in the object, from 0
   * @return the place's number, or -1
   */
  public int placeOf(int word) {
    return word < placeOfWord.length ? placeOfWord[word] - 1 : -1;
  }

  private int end() {
    int end = ObjectLayout.HEADER;
    for (int i = 0; i < offsets.length; i++) {
      end = Math.max(end, offsets[i] + (isCell(i) ? CELL_SIZE : Long.BYTES));
    }
    return end;
  }

  /**
   * The address in a reference.
   *
   * @param reference the word
   * @return the address, or 0
   */
  public static long address(long reference) {
    return reference & ADDRESS_MASK;
  }

  /**
   * The address in a cell.
   *
   * @param first its first word
   * @param second its second word
   * @return the address, or 0 if it holds a value
   */
  public static long address(long first, long second) {
    return (first & CELL_ADDRESS) == 0 ? 0 : second;
  }
}
