package io.pmstore.core.engine.mapped.sums;

/**
 * The layout of the file of page checksums.
 *
 * <pre>
 *     0                                                              8              12              16
 *     +--------------------------------------------------------------+--------------+---------------+
 *   0 | magic "pmssums" 0x1A                                         |version       | zero          |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  16 | store UUID, high half                                        | low half                     |
 *     +--------------------------------------------------------------+------------------------------+
 *  32 | when a repair has made the sums, or 0                        | zero         |crc32c at 4092 |
 *     +---------------+---------------+---------------+---------------+--------------+---------------+
 * 4096 | sum of page 0 | sum of page 1 | sum of page 2 | and so on
 *     +---------------+---------------+---------------+------------------------------
 * </pre>
 *
 * <p>Little-endian. A page is 4096 bytes of the heap file. Its sum is the CRC-32C of its contents,
 * with 1 in place of 0; 0 means that the page was never written and is all zeros. The header
 * copies, pages 0 and 1, have no sums. The time of a repair is in milliseconds since 1970.
 */
public final class PageSumsLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;
  static final int MADE = 32;
  static final int CHECKSUM = 4092;
  public static final int HEADER_SIZE = 4096;
  public static final int PAGE = 4096;
  public static final int SUM_SIZE = 4;

  /** The bytes "pmssums" and 0x1A, read as a little-endian long. */
  static final long MAGIC_VALUE = 0x1A736D7573736D70L;

  static final int VERSION_VALUE = 1;

  private PageSumsLayout() {}

  /** Returns the offset of the sum of the page that contains an address. */
  public static long offset(long address) {
    return HEADER_SIZE + address / PAGE * SUM_SIZE;
  }
}
