package io.pmstore.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the Raft log: the records of commits that were under way together.
 *
 * <pre>
 *   0       8                16       24        32           48
 *  +-------+----------------+--------+---------+------------+---------
 *  | kind  | term of the    | maker  | number  | cluster id | payload
 *  |       | validation     |        |         |            |
 *  +-------+----------------+--------+---------+------------+---------
 *
 *  payload, once for each transaction:
 *
 *   0       8
 *  +-------+--------
 *  | size  | record     size: the bytes of the record; negative (-1 - size) if it is revoked
 *  +-------+--------
 * </pre>
 *
 * <p>The cluster id is two words, the more significant one first. The maker is a random number that
 * identifies the process which has made the entry. That process numbers its entries. Little-endian.
 *
 * @param kind {@link #COMMIT} or {@link #BIRTH}
 * @param term the term in which the transactions were validated. If the log has the entry under
 *     another term, the entry does nothing
 * @param maker the process that has made the entry
 * @param number the number of the entry among those of its maker
 * @param cluster the id of the cluster whose log this is
 * @param payload the write sets of transactions of which none changes what another one reads or
 *     changes, each as {@link io.pmstore.core.engine.WriteSet#encode} returns it; for a birth one
 *     record, the digest of the heap before the first commit
 */
record Entry(long kind, long term, long maker, long number, UUID cluster, ByteString payload) {
  /** Changes of transactions. */
  static final long COMMIT = 0x33_74_69_6d_6d_6f_63L; // "commit3"

  /** The first entry of a cluster: its id, and what every node's empty heap has to be. */
  static final long BIRTH = 0x33_68_74_72_69_62L; // "birth3"

  /** The bytes of a payload for each transaction, beside its record. */
  static final int RECORD_HEADER = Long.BYTES;

  private static final int TERM = 8;
  private static final int HEADER = 48;

  /**
   * Returns the bytes of an entry.
   *
   * @param records of its transactions; for a birth, the digest
   */
  static byte[] encode(
      long kind, long term, long maker, long number, UUID cluster, List<byte[]> records) {
    int size = HEADER;
    for (byte[] each : records) {
      size += RECORD_HEADER + each.length;
    }
    byte[] encoded = new byte[size];
    ByteBuffer entry =
        ByteBuffer.wrap(encoded)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(kind)
            .putLong(term)
            .putLong(maker)
            .putLong(number)
            .putLong(cluster.getMostSignificantBits())
            .putLong(cluster.getLeastSignificantBits());
    for (byte[] each : records) {
      entry.putLong(each.length).put(each);
    }
    return encoded;
  }

  /** Makes an entry that the log is about to get one that does nothing: the log has no term 0. */
  static void revoke(byte[] encoded) {
    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).putLong(TERM, 0);
  }

  /** Changes an entry that the log is about to get: the nodes will ignore one transaction. */
  static void revoke(byte[] encoded, int transaction) {
    ByteBuffer entry = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    int at = HEADER;
    for (int i = 0; i < transaction; i++) {
      at += RECORD_HEADER + (int) size(entry.getLong(at));
    }
    entry.putLong(at, -1 - entry.getLong(at));
  }

  private static long size(long header) {
    return header < 0 ? -1 - header : header;
  }

  /** Returns true if the whole entry was revoked. */
  boolean isRevoked() {
    return term == 0;
  }

  /**
   * Returns the records that are not revoked, one behind the other, which is the record of all
   * their changes.
   *
   * @throws IllegalArgumentException if the payload is cut off
   */
  byte[] record() {
    ByteBuffer from = words(payload);
    byte[] record = new byte[keep(from, null)];
    keep(from, record);
    return record;
  }

  /**
   * Copies the records that are not revoked.
   *
   * @param target gets them; null if only their length is wanted
   * @return their length in bytes
   */
  private int keep(ByteBuffer from, byte @Nullable [] target) {
    int length = 0;
    for (int at = 0; at < from.limit(); ) {
      int left = from.limit() - at - RECORD_HEADER;
      long header = left < 0 ? Long.MAX_VALUE : from.getLong(at);
      long size = size(header);
      if (size > left) {
        throw new IllegalArgumentException(
            "the entry %d of the maker %x is cut off in the record at byte %d of %d; it has to come whole from the node that wrote it"
                .formatted(number, maker, at, from.limit()));
      }
      at += RECORD_HEADER;
      if (header >= 0) {
        if (target != null) {
          from.get(at, target, length, (int) size);
        }
        length += (int) size;
      }
      at += (int) size;
    }
    return length;
  }

  static Entry decode(ByteString encoded) {
    if (encoded.size() < HEADER) {
      throw new IllegalArgumentException(
          "an entry of the log has %d bytes, expected %d or more"
              .formatted(encoded.size(), HEADER));
    }
    ByteBuffer header = words(encoded);
    Entry entry =
        new Entry(
            header.getLong(),
            header.getLong(),
            header.getLong(),
            header.getLong(),
            new UUID(header.getLong(), header.getLong()),
            encoded.substring(HEADER));
    if (entry.kind != COMMIT && entry.kind != BIRTH) {
      throw new IllegalArgumentException(
          "an entry of the log is of kind %x, which this program does not know; open the node with the program that the others run"
              .formatted(entry.kind));
    }
    return entry;
  }

  /** Returns the number of an entry of this maker, or -1 if another one has made it. */
  static long numberOf(ByteString encoded, long maker) {
    if (encoded.size() < HEADER) {
      return -1;
    }
    ByteBuffer header = words(encoded);
    return header.getLong(16) == maker ? header.getLong(24) : -1;
  }

  /** Returns the bytes to read words from; not a copy if they are in one array. */
  private static ByteBuffer words(ByteString encoded) {
    return encoded.asReadOnlyByteBuffer().slice().order(ByteOrder.LITTLE_ENDIAN);
  }
}
