package io.pmstore.core.log;

/**
 * The layout of a log segment.
 *
 * <pre>
 *     0                                                              8              12              16
 *     +--------------------------------------------------------------+--------------+---------------+
 *   0 | magic "pmslog" 0x1A 0                                        |version       |segment number |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  16 | store UUID, high half                                        | low half                     |
 *     +--------------------------------------------------------------+------------------------------+
 *  32 | segment size in bytes                                        | zero, up to 4092             |
 *     +--------------------------------------------------------------+--------------+---------------+
 * 4080 | zero                                                                        |crc32c         |
 *     +-----------------------------------------------------------------------------+---------------+
 * 4096 | records, up to the segment's size
 *     +------------------------------------
 * </pre>
 *
 * <p>Little-endian. The checksum covers the first 4092 bytes. The header is written once, when the
 * segment is made.
 */
final class LogSegmentLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int SEGMENT = 12;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;
  static final int SIZE = 32;
  static final int CHECKSUM = 4092;
  static final int HEADER_SIZE = 4096;

  /** The bytes "pmslog", 0x1A and 0, read as a little-endian long. */
  static final long MAGIC_VALUE = 0x001A676F6C736D70L;

  static final int VERSION_VALUE = 1;

  private LogSegmentLayout() {}
}
