package io.pmstore.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * An entry of the Raft log: the record of one commit.
 *
 * <pre>
 *   0       8                16       24        32           48
 *  +-------+----------------+--------+---------+------------+--------
 *  | kind  | term of the    | maker  | number  | cluster id | record
 *  |       | validation     |        |         |            |
 *  +-------+----------------+--------+---------+------------+--------
 * </pre>
 *
 * <p>The cluster id is two words, the more significant one first. The maker is a random number that
 * identifies the process which has made the entry. That process numbers its entries. Little-endian.
 *
 * @param kind {@link #COMMIT} or {@link #BIRTH}
 * @param term the term in which the transaction was validated. If the log has the entry under
 *     another term, the entry does nothing
 * @param maker the process that has made the entry
 * @param number the number of the entry among those of its maker
 * @param cluster the id of the cluster whose log this is
 * @param record a write set, as {@link io.pmstore.core.engine.WriteSet#encode} returns it; for a
 *     birth, the digest of the heap before the first commit
 */
record Entry(long kind, long term, long maker, long number, UUID cluster, ByteString record) {
  /** A transaction's changes. */
  static final long COMMIT = 0x32_74_69_6d_6d_6f_63L; // "commit2"

  /** The first entry of a cluster: its id, and what every node's empty heap has to be. */
  static final long BIRTH = 0x32_68_74_72_69_62L; // "birth2"

  private static final int TERM = 8;
  private static final int HEADER = 48;

  byte[] encode() {
    byte[] encoded = new byte[HEADER + record.size()];
    ByteBuffer.wrap(encoded)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(kind)
        .putLong(term)
        .putLong(maker)
        .putLong(number)
        .putLong(cluster.getMostSignificantBits())
        .putLong(cluster.getLeastSignificantBits());
    record.copyTo(encoded, HEADER);
    return encoded;
  }

  /** Makes an entry that the log is about to get one that does nothing: the log has no term 0. */
  static void revoke(byte[] encoded) {
    ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).putLong(TERM, 0);
  }

  /** Returns true if {@link #revoke} was called for it. */
  boolean isRevoked() {
    return term == 0;
  }

  static Entry decode(ByteString encoded) {
    if (encoded.size() < HEADER) {
      throw new IllegalArgumentException(
          "an entry of the log has %d bytes, expected %d or more"
              .formatted(encoded.size(), HEADER));
    }
    ByteBuffer header = header(encoded);
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
    ByteBuffer header = header(encoded);
    return header.getLong(16) == maker ? header.getLong(24) : -1;
  }

  private static ByteBuffer header(ByteString encoded) {
    return encoded
        .substring(0, HEADER)
        .asReadOnlyByteBuffer()
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN);
  }
}
