package io.pmstore.core.engine.mapped.header;

import io.pmstore.core.engine.StoreLock;
import io.pmstore.core.memory.HeapMemory;
import java.util.List;

/**
 * The files of a store's directory.
 *
 * <pre>
 *   lock       locked while the store is open; names the last writer's process
 *   heap       the two header copies, then the heap; exists only if the whole store does
 *   sums       the checksums of the heap's pages
 *   log-0      redo log, segment 0; and so on
 *   log-0.new  an unfinished replacement of a segment; and so on
 *   sums.new   an unfinished replacement of lost checksums
 *   heap.new   an unfinished heap; renamed to heap when all else is durable
 *   heap.backup  the same, of a backup
 * </pre>
 */
public final class StoreLayout {
  public static final String LOCK = StoreLock.FILE;
  public static final String HEAP = "heap";
  public static final String HEAP_NEW = "heap.new";

  /**
   * The unfinished heap of a backup. Its name is another one because nobody may take what is left
   * of a backup for a store that has yet to be made.
   */
  public static final String HEAP_BACKUP = "heap.backup";

  public static final String SUMS = "sums";
  public static final int LOG_SEGMENTS = 4;

  /**
   * The segment size of a new log. Segments grow up to the size in the header, unless that is the
   * smallest possible one.
   */
  static final long LOG_SEGMENT_MIN = 64 << 10;

  /** The largest segment that an option can ask for, or that a large transaction can lead to. */
  public static final long LOG_SEGMENT_MAX = 1L << 30;

  private static final long LOG_SEGMENT_FIXED = 1 << 20;

  /** The size of a new heap; it is doubled until it is an extent. */
  public static final long HEAP_MIN = 512 << 10;

  /** Each heap's size is a multiple of this. */
  private static final long HEAP_UNIT = 256 << 10;

  /** The files that exist if and only if the heap does. */
  public static final List<String> PARTS = parts();

  private StoreLayout() {}

  private static List<String> parts() {
    String[] names = new String[1 + LOG_SEGMENTS];
    names[0] = SUMS;
    for (int i = 0; i < LOG_SEGMENTS; i++) {
      names[1 + i] = log(i);
    }
    return List.of(names);
  }

  /** Returns true if a heap can have a size. */
  static boolean isHeapSize(long size) {
    return size == closedSize(size) && size <= HeapMemory.EXTENT_SIZE * HeapMemory.EXTENTS_MAX;
  }

  /** Returns the size of a heap of which {@code used} bytes are in use, and that does not grow. */
  public static long closedSize(long used) {
    return Math.max(HEAP_MIN, (used + HEAP_UNIT - 1) & -HEAP_UNIT);
  }

  /** Returns the size to which a heap grows that needs {@code room} bytes. */
  public static long heapSize(long room) {
    if (room >= HeapMemory.EXTENT_SIZE) {
      return (room + HeapMemory.EXTENT_SIZE - 1) & -HeapMemory.EXTENT_SIZE;
    }
    return Math.max(HEAP_MIN, Long.highestOneBit(Math.max(1, room - 1)) << 1);
  }

  /** Returns the segment size of a new log. */
  public static long firstSegmentSize(long segmentSize) {
    return segmentSize > LOG_SEGMENT_FIXED ? LOG_SEGMENT_MIN : segmentSize;
  }

  /** Returns the size up to which segments can grow for a large transaction. */
  public static long segmentMax(long segmentSize) {
    return segmentSize > LOG_SEGMENT_FIXED ? LOG_SEGMENT_MAX : segmentSize;
  }

  /** Returns the name of the unfinished replacement of a segment. */
  public static String newLog(int segment) {
    return newName(log(segment));
  }

  /** Returns the name of the unfinished replacement of a file. */
  public static String newName(String part) {
    return part + ".new";
  }

  public static String log(int segment) {
    return "log-" + segment;
  }

  /** Returns the number of the segment with a name. */
  public static int logNumber(String name) {
    return Integer.parseInt(name.substring("log-".length()));
  }

  /** Returns the name that a file keeps after a repair has replaced it. */
  public static String replacedName(String part, int number) {
    return part + ".replaced-" + number;
  }
}
