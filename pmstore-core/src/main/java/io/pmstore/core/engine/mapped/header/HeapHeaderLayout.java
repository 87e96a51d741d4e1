package io.pmstore.core.engine.mapped.header;

/**
 * The layout of a heap header. Two copies are at the start of the heap file, at 0 and {@value
 * #COPY_SIZE}; the copy with sequence n is at (n mod 2) * {@value #COPY_SIZE}.
 *
 * <pre>
 *     0                                                              8              12              16
 *     +--------------------------------------------------------------+--------------+---------------+
 *   0 | magic "pmstore" 0x1A                                         |version       |state          |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  16 | store UUID, high half                                        | low half                     |
 *     +--------------------------------------------------------------+------------------------------+
 *  32 | header sequence                                              | epoch                        |
 *     +--------------------------------------------------------------+------------------------------+
 *  48 | checkpoint: sequence of the first record to replay           | its offset in its segment    |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  64 | heap size in bytes                                           |its segment   |storage        |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  80 | log segment size in bytes                                    | past epochs  | zero          |
 *     +--------------------------------------------------------------+--------------+---------------+
 *  96 | past epoch: its number                                       | where it ends: sequence      |
 *     +--------------------------------------------------------------+--------------+---------------+
 * 112 | offset in its segment                                        |its segment   | zero          |
 *     +--------------------------------------------------------------+--------------+---------------+
 * 128 | further past epochs, then zeros                                                             |
 *     +-----------------------------------------------------------------------------+---------------+
 * 4080 | zero                                                                        |crc32c         |
 *     +-----------------------------------------------------------------------------+---------------+
 * </pre>
 *
 * <p>Little-endian. The checksum covers the copy's first 4092 bytes.
 */
public final class HeapHeaderLayout {
  public static final int COPY_SIZE = 4096;
  static final int COPIES = 2;

  static final int MAGIC = 0;
  public static final int VERSION = 8;
  static final int STATE = 12;
  static final int UUID_HIGH = 16;
  static final int UUID_LOW = 24;
  static final int SEQUENCE = 32;
  static final int EPOCH = 40;
  static final int CHECKPOINT_SEQUENCE = 48;
  static final int CHECKPOINT_OFFSET = 56;
  static final int HEAP_SIZE = 64;
  static final int CHECKPOINT_SEGMENT = 72;
  static final int STORAGE = 76;
  static final int SEGMENT_SIZE = 80;
  static final int PAST_EPOCHS = 88;
  static final int PAST_EPOCH = 96;
  static final int PAST_EPOCH_SIZE = 32;
  public static final int PAST_EPOCHS_MAX = 16;
  static final int PAST_EPOCHS_END = PAST_EPOCH + PAST_EPOCHS_MAX * PAST_EPOCH_SIZE;
  public static final int CHECKSUM = 4092;

  /** The bytes "pmstore" and 0x1A, read as a little-endian long. */
  static final long MAGIC_VALUE = 0x1A65726F74736D70L;

  public static final int VERSION_VALUE = 1;
  static final int STATE_OPEN = 1;
  static final int STATE_CLOSED = 2;
  static final int STORAGE_FILE = 1;
  static final int STORAGE_PERSISTENT_MEMORY = 2;

  private HeapHeaderLayout() {}

  public static long offset(long sequence) {
    return (sequence & 1) * COPY_SIZE;
  }
}
