package io.pmstore.tiered;

import io.pmstore.core.medium.Checksum;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The layout of a mark, the file in a directory of pools or files that says whose it is.
 *
 * <pre>
 *    0  text       64   the process id of the last writer, for messages, and spaces
 *   64  entry      16   which header wrote last here
 *   80  entry      16   the same again
 *
 *       an entry:
 *       sequence    8   of the header
 *       contents    4   {@link StoreHeader#fingerprint}
 *       crc         4   CRC32C of the 12 bytes before
 * </pre>
 *
 * <p>Both entries are written after the first copy of a new header and before the second one, the
 * second entry when the first is durable. So one entry is whole at any time, and the one with the
 * larger sequence is that of one of the header's copies. A mark without an entry has been made, but
 * not used.
 */
final class MarkLayout {
  static final int SIZE = 96;
  private static final int TEXT = 64;
  private static final int ENTRY = 16;
  private static final int ENTRY_CRC = 12;

  private MarkLayout() {}

  /**
   * Which header wrote last.
   *
   * @param sequence the header's
   * @param contents the header's {@link StoreHeader#fingerprint}
   */
  record Entry(long sequence, int contents) {
    static Entry of(StoreHeader header) {
      return new Entry(header.sequence(), header.fingerprint());
    }

    /** Returns true if a header is the one that wrote, or the other copy of it. */
    boolean isOf(StoreHeader header) {
      return Math.abs(header.sequence() - sequence) <= 1 && header.fingerprint() == contents;
    }
  }

  static void writeText(MediumFile mark, long processId) throws IOException {
    byte[] text = new byte[TEXT];
    Arrays.fill(text, (byte) ' ');
    byte[] id = (processId + "\n").getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(id, 0, text, 0, id.length);
    mark.write(0, text, 0, TEXT);
  }

  /** Writes an entry, durably. */
  static void write(MediumFile mark, Entry entry) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(ENTRY).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(entry.sequence).putInt(entry.contents);
    bytes.putInt(Checksum.of(bytes.array(), 0, ENTRY_CRC));
    for (int at = TEXT; at < SIZE; at += ENTRY) {
      mark.write(at, bytes.array(), 0, ENTRY);
      mark.sync(); // the other one stays whole
    }
  }

  /** Returns the entry in force, or null. */
  static @Nullable Entry read(MediumFile mark) throws IOException {
    if (mark.size() < SIZE) {
      return null;
    }
    byte[] bytes = new byte[SIZE];
    mark.read(0, bytes, 0, SIZE);
    ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    @Nullable Entry found = null;
    for (int at = TEXT; at < SIZE; at += ENTRY) {
      long sequence = from.getLong(at);
      if (from.getInt(at + ENTRY_CRC) == Checksum.of(bytes, at, at + ENTRY_CRC)
          && (found == null || sequence > found.sequence)) {
        found = new Entry(sequence, from.getInt(at + 8));
      }
    }
    return found;
  }
}
