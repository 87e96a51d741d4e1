package io.pmstore.core.space;

import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Where the objects of one shape hold references. Immutable. */
public final class ReferenceMap {
  /**
   * The bit of a cell's first word that marks its second word as an address, of an object or of an
   * out-of-line blob.
   */
  public static final int CELL_ADDRESS = 0x80;

  /** The bit of a word that says that it holds a value in line, and no address of a blob. */
  public static final long WORD_INLINE = 1;

  /** The size of a cell, in bytes. */
  private static final int CELL_SIZE = 16;

  // The low bits of a reference inside a collection belong to the collection.
  private static final long ADDRESS_MASK = -8;

  /** The map of objects without references. */
  public static final ReferenceMap NONE = new ReferenceMap(new int[0], new int[0]);

  private final int[] offsets; // of references first, then of words, then of cells
  private final int references;
  private final int singles; // references and words
  private final short[] placeOfWord; // the place's number + 1; 0 is none
  private final int[] plain; // offsets of words that nothing describes

  /**
   * Creates a map.
   *
   * @param references the offsets of words that hold an address, or 0, and any value in their three
   *     lowest bits
   * @param cells the offsets of cells, of two words each
   */
  public ReferenceMap(int[] references, int[] cells) {
    this(references, new int[0], cells, new int[0]);
  }

  /**
   * Creates a map.
   *
   * @param references as for the other constructor, like {@code cells}
   * @param words the offsets of words that hold an address, or 0, unless {@link #WORD_INLINE} is
   *     set
   * @param plain the offsets of words of a collection's node that are data of the collection:
   *     transactions may count in them without reading the object
   */
  public ReferenceMap(int[] references, int[] words, int[] cells, int[] plain) {
    this.plain = plain.clone();
    this.references = references.length;
    this.singles = references.length + words.length;
    offsets = Stream.of(references, words, cells).flatMapToInt(IntStream::of).toArray();
    placeOfWord = new short[end() >>> 3];
    for (int i = 0; i < offsets.length; i++) {
      placeOfWord[offsets[i] >>> 3] = (short) (i + 1);
      if (isCell(i)) {
        placeOfWord[(offsets[i] >>> 3) + 1] = (short) (i + 1);
      }
    }
  }

  /**
   * Returns the map of an object that has only references from an offset to its end.
   *
   * @param from the offset of the first
   * @param size of the object in bytes
   */
  public static ReferenceMap row(int from, int size) {
    int[] all = IntStream.range(0, (size - from) >>> 3).map(i -> from + (i << 3)).toArray();
    return new ReferenceMap(all, NONE.offsets);
  }

  /** Shows the addresses of an object's plain words. */
  public void forEachPlainWord(long object, LongConsumer visitor) {
    for (int offset : plain) {
      visitor.accept(object + offset);
    }
  }

  /** Returns true if the object of a header is so large that it has all the places. */
  public boolean fits(long header) {
    return placeOfWord.length << 3 <= ObjectLayout.size(header);
  }

  /** Returns the number of places: references and cells. */
  public int count() {
    return offsets.length;
  }

  /** Returns the offset of a place in the object, in bytes. */
  public int offset(int i) {
    return offsets[i];
  }

  /** Returns true if a place is a cell, false if it is a single word. */
  public boolean isCell(int i) {
    return i >= singles;
  }

  /** Returns true if a place is a word that may hold a value in line. */
  public boolean isWord(int i) {
    return i >= references && i < singles;
  }

  /** Returns the address in a place that is a single word, or 0. */
  public long addressIn(int i, long word) {
    return i < references ? address(word) : (word & WORD_INLINE) != 0 ? 0 : word;
  }

  /**
   * Returns the number of the place that a word belongs to, or -1.
   *
   * @param word its index in the object
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

  /** Returns the address in a reference, or 0. */
  public static long address(long reference) {
    return reference & ADDRESS_MASK;
  }

  /** Returns the address in a cell, or 0 if the cell holds a value. */
  public static long address(long first, long second) {
    return (first & CELL_ADDRESS) == 0 ? 0 : second;
  }
}
