package io.pmstore.core.space;

/**
 * The header of every heap object.
 *
 * <pre>
 *   63                    40 39      32 31                            0
 *  +------------------------+----------+-------------------------------+
 *  | size in 8-byte words   | flags    | shape id                      |   at the object's address
 *  +------------------------+----------+-------------------------------+
 *  | fields ...                                                        |   from HEADER on
 * </pre>
 *
 * <p>An object's address is a multiple of 8; 0 is null. Its size never changes while the object
 * lives. Of its flags only the link flags change. Its shape id changes when the object is upgraded
 * to its class's newest shape, or becomes a forwarder; so the object may be larger than its shape.
 * Shape id 0 marks the heap's own objects; the lower five of their flags tell the kind.
 *
 * <pre>
 *      unlinked =====&gt; single =====&gt; (neither): shared
 *          &lt;=====                     nothing leads back from here
 * </pre>
 *
 * <p>A new object is unlinked. An object that was ever referenced from a second place is shared for
 * the rest of its life: only tracing can find out that it is garbage.
 */
public final class ObjectLayout {
  /** The size of the header and the offset of the first field, in bytes. */
  public static final int HEADER = 8;

  /** The largest object, in bytes, header included. */
  public static final int SIZE_MAX = 15 << 20;

  /** The shape id of the heap's own objects. */
  public static final int SHAPE_CORE = 0;

  /**
   * The flag of a body: an object that holds the fields of a moved one. Only its forwarder refers
   * to it.
   */
  public static final int FLAG_BODY = 0x80;

  /** The flag of an object that no object refers to. */
  public static final int FLAG_UNLINKED = 0x20;

  /** The flag of an object with exactly one reference, which never had more than one. */
  public static final int FLAG_SINGLE = 0x40;

  /** The number of kinds of the heap's own objects. */
  public static final int KINDS = 0x20;

  private ObjectLayout() {}

  /**
   * Makes a header word.
   *
   * @param flags 8 bits
   * @param size in bytes, a multiple of 8, at most {@link #SIZE_MAX}
   */
  public static long header(int shapeId, int flags, int size) {
    return ((long) (size >>> 3) << 40) | ((long) (flags & 0xff) << 32) | (shapeId & 0xffff_ffffL);
  }

  public static int shapeId(long header) {
    return (int) header;
  }

  /** Returns the flags in a header, 0 to 255. */
  public static int flags(long header) {
    return (int) (header >>> 32) & 0xff;
  }

  /**
   * Returns the kind in the header of one of the heap's own objects: 0 to {@link #KINDS},
   * exclusive.
   */
  public static int kind(long header) {
    return flags(header) & (KINDS - 1);
  }

  /**
   * Returns the link flags in a header: {@link #FLAG_UNLINKED}, {@link #FLAG_SINGLE}, or 0 for a
   * shared object or an unknown count.
   */
  public static int links(long header) {
    return flags(header) & (FLAG_UNLINKED | FLAG_SINGLE);
  }

  /**
   * Returns the header with other link flags: {@link #FLAG_UNLINKED}, {@link #FLAG_SINGLE}, or 0.
   */
  public static long withLinks(long header, int links) {
    return (header & ~flagBits(FLAG_UNLINKED | FLAG_SINGLE)) | flagBits(links);
  }

  /** Returns the header word in which only these flags are set. */
  public static long flagBits(int flags) {
    return (long) flags << 32;
  }

  /**
   * Returns true if the object is a body, which holds the fields of a moved one. No other object's
   * reference names it.
   */
  public static boolean isBody(long header) {
    return shapeId(header) != SHAPE_CORE && (flags(header) & FLAG_BODY) != 0;
  }

  /** Returns the header with another shape and the same flags and size. */
  public static long withShape(long header, int shapeId) {
    return (header & ~0xffff_ffffL) | (shapeId & 0xffff_ffffL);
  }

  /** Returns the object's size in bytes, header included. */
  public static int size(long header) {
    return (int) (header >>> 40) << 3;
  }
}
