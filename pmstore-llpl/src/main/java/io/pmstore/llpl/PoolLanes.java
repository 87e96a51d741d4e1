package io.pmstore.llpl;

import io.pmstore.StoreDamagedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Checks the lanes of a pool that was not closed, because PMDK's recovery trusts them. Each lane
 * has three logs. Recovery follows their links to the next part, and executes entries of a log of
 * changes without a checksum, unless they copy bytes. A flipped bit can make it write a word
 * anywhere in the pool.
 *
 * <pre>
 *   0x2000 + 3072 * lane    log of the allocator     64 + 192 bytes
 *            256            log of published changes 64 + 640 bytes
 *            960            undo log                 64 + 2048 bytes
 *
 *   log:  0 checksum   8 next, or 0   16 capacity   24 generation   32 flags   64 entries
 *   entry: where in the low 61 bits, what to do in the high 3: 0, 1, 2 a word; 5, 6 bytes, with a checksum
 * </pre>
 */
final class PoolLanes {
  private static final int FIRST = 0x2000;
  private static final int COUNT = 1024;
  private static final int SIZE = 3072;
  private static final int[] LOGS = {0, 256, 960};
  private static final int[] CAPACITIES = {192, 640, 2048};
  private static final int UNDO = 2;
  private static final int LOG_HEADER = 64;
  private static final int WHAT_SHIFT = 61;
  private static final long BYTES_SET = 5;
  private static final long BYTES_COPIED = 6;

  private final Path pool;
  private final PoolParts parts;

  private PoolLanes(Path pool, PoolParts parts) {
    this.pool = pool;
    this.parts = parts;
  }

  /**
   * Checks the lanes of a pool.
   *
   * @param pool the pool, for messages
   * @param parts its contents
   * @throws StoreDamagedException if PMDK cannot have written them so
   */
  static void check(Path pool, PoolParts parts) throws IOException {
    new PoolLanes(pool, parts).check();
  }

  private void check() throws IOException {
    ByteBuffer lanes = read(FIRST, COUNT * SIZE);
    for (int lane = 0; lane < COUNT; lane++) {
      for (int log = 0; log < LOGS.length; log++) {
        int at = lane * SIZE + LOGS[log];
        long capacity = lanes.getLong(at + 16);
        if (capacity != CAPACITIES[log] && (log == UNDO || !isPart(capacity, CAPACITIES[log]))) {
          throw damaged(lane, log, "has a capacity of " + capacity);
        }
        checkNext(lane, log, lanes.getLong(at + 8));
      }
      long first = lanes.getLong(lane * SIZE + LOGS[UNDO] + LOG_HEADER);
      long what = first >>> WHAT_SHIFT;
      if (first != 0 && what != BYTES_SET && what != BYTES_COPIED) {
        throw damaged(lane, UNDO, "starts with %016x".formatted(first));
      }
    }
  }

  /**
   * Returns true if a log of words may say so: PMDK stores such a log with the number of bytes that
   * it has written as its capacity, and with a capacity of zero when the log has been carried out.
   */
  private static boolean isPart(long capacity, long room) {
    return capacity >= 0 && capacity <= room && capacity % LOG_HEADER == 0;
  }

  private void checkNext(int lane, int log, long next) throws IOException {
    long left = parts.size() / SIZE; // more would be a circle
    for (long at = next; at != 0; left--) {
      if (at < FIRST + COUNT * SIZE || at > parts.size() - 2 * LOG_HEADER || left == 0) {
        throw damaged(lane, log, "goes on at " + at);
      }
      ByteBuffer header = read((at + LOG_HEADER - 1) & -LOG_HEADER, LOG_HEADER);
      long capacity = header.getLong(16);
      if (capacity <= 0 || capacity > parts.size() || capacity % LOG_HEADER != 0) {
        throw damaged(lane, log, "goes on at %d with a capacity of %d".formatted(at, capacity));
      }
      at = header.getLong(8);
    }
  }

  private ByteBuffer read(long offset, int length) throws IOException {
    return ByteBuffer.wrap(parts.read(offset, length)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private StoreDamagedException damaged(int lane, int log, String what) {
    return new StoreDamagedException(
        "%s is damaged: log %d of lane %d, of which PMDK would recover, %s; restore it from a backup"
            .formatted(pool, log, lane, what));
  }
}
