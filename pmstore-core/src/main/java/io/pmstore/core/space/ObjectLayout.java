package io.pmstore.core.space;

/**
 * The header of every object of the heap.
 *
 * <pre>
 *   63                    40 39      32 31                            0
 *  +------------------------+----------+-------------------------------+
 *  | size in 8-byte words   | flags    | shape id                      |   at the object's address
 *  +------------------------+----------+-------------------------------+
 *  | fields ...                                                        |   from HEADER on
 * </pre>
 *
 * <p>An object's address is a multiple of 8, and 0 stands for null. Its size never changes while
 * the object lives; of the flags only those that say how many references lead to it do. Its shape
 * id does when the object is given the shape that its class has today, or is left behind as a
 * forwarder; so the size may be larger than that of the shape. Shape id 0 marks the heap's own
 * objects; the lower five of their flags tell the kind.
 *
 * <pre>
 *      unlinked =====&gt; single =====&gt; (neither): shared
 *          &lt;=====                     nothing leads back from here
 * </pre>
 *
 * <p>A new object is unlinked. An object that was referred to from a second place, even if only
 * once, is shared for the rest of its life: only tracing can tell that it is not needed any more.
 */
public final class ObjectLayout {
  /** The size of the header, in bytes: the offset of the first field. */
  public static final int HEADER = 8;

  /** The largest size of an object, in bytes, header included. */
  public static final int SIZE_MAX = 15 << 20;

  /** The shape id of the heap's own objects. */
  public static final int SHAPE_CORE = 0;

  /**
   * The flag of an object that holds the fields of one that has moved: only its home leads here.
   */
  public static final int FLAG_BODY = 0x80;

  /** The flag of an object to which no object refers. */
  public static final int FLAG_UNLINKED = 0x20;

  /** The flag of an object to which one reference leads, and to which never more than one led. */
  public static final int FLAG_SINGLE = 0x40;

  /** How many kinds of the heap's own objects there can be. */
  public static final int KINDS = 0x20;

  private ObjectLayout() {}

  /**
   * Makes a header.
   *
   * @param shapeId the object's shape
   * @param flags 8 bits
   * @param size in bytes, a multiple of 8, at most {@link #SIZE_MAX}
   * @return the header word
   */
  public static long header(int shapeId, int flags, int size) {
    return ((long) (size >>> 3) << 40) | ((long) (flags & 0xff) << 32) | (shapeId & 0xffff_ffffL);
  }

  /**
   * The shape id in a header.
   *
   * @param header the header word
   * @return the shape id
   */
  public static int shapeId(long header) {
    return (int) header;
  }

  /**
   * The flags in a header.
   *
   * @param header the header word
   * @return the flags, 0 to 255
   */
  public static int flags(long header) {
    return (int) (header >>> 32) & 0xff;
  }

  /**
   * The kind in the header of one of the heap's own objects.
   *
   * @param header the header word
   * @return the kind, 0 to {@link #KINDS}, exclusive
   */
  public static int kind(long header) {
    return flags(header) & (KINDS - 1);
  }

  /**
   * What the flags of a header say about the references to its object.
   *
   * @param header the header word
   * @return {@link #FLAG_UNLINKED}, {@link #FLAG_SINGLE}, or 0 if there are more, or were, or it is
   *     not known
   */
  public static int links(long header) {
    return flags(header) & (FLAG_UNLINKED | FLAG_SINGLE);
  }

  /**
   * A header that says something else about the references to its object.
   *
   * @param header the header word
   * @param links {@link #FLAG_UNLINKED}, {@link #FLAG_SINGLE}, or 0
   * @return the header word
   */
  public static long withLinks(long header, int links) {
    return (header & ~flagBits(FLAG_UNLINKED | FLAG_SINGLE)) | flagBits(links);
  }

  /**
   * Flags as bits of a header word.
   *
   * @param flags some flags
   * @return the word in which these bits are set
   */
  public static long flagBits(int flags) {
    return (long) flags << 32;
  }

  /**
   * Says whether a header is that of an object to which the fields of another have moved.
   *
   * @param header the header word
   * @return false for all that references can hold the address of
   */
  public static boolean isBody(long header) {
    return shapeId(header) != SHAPE_CORE && (flags(header) & FLAG_BODY) != 0;
  }

  /**
   * A header with another shape.
   *
   * @param header the header word
   * @param shapeId the other shape
   * @return the header word with the same flags and size
   */
  public static long withShape(long header, int shapeId) {
    return (header & ~0xffff_ffffL) | (shapeId & 0xffff_ffffL);
  }

  /**
   * The size in a header.
   *
   * @param header the header word
   * @return the object's size in bytes, header included
   */
  public static int size(long header) {
    return (int) (header >>> 40) << 3;
  }
}
