package io.pmstore.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * The questions that nodes ask each other besides those of Ratis, such as for a part of a heap. In
 * a message, the {@link ClusterTag} of the node that asks stands before the question.
 *
 * <pre>
 *   tag:       1 or 0: is founded (i64)   id (two i64, the more significant one first)
 *   question:  kind (i64)   number of the copy (i64)   extent (i64)
 * </pre>
 */
final class Questions {
  /** Asks for a copy: answered by its number, term, index, size and log segment size. */
  static final long OPEN = 1;

  /** Asks for an extent of a copy: answered by its bytes, compressed. */
  static final long EXTENT = 2;

  /** Gives a copy up. */
  static final long CLOSE = 3;

  /** Calls of replicated maps; see {@link MapCall}. */
  static final long MAP = 4;

  /** Asks a node for its term. */
  static final long TERM = 5;

  /** Asks the leader for the index of an entry that includes all that was acknowledged; or -1. */
  static final long NEWEST = 6;

  /** A change of the members; see {@link MemberChange}. */
  static final long MEMBERS = 7;

  private static final int TAG_BYTES = 24;

  private Questions() {}

  /** Returns a message with a question. */
  static ByteString message(ClusterTag from, ByteString question) {
    UUID id = from.id();
    return words(
            from.isFounded() ? 1 : 0, id.getMostSignificantBits(), id.getLeastSignificantBits())
        .concat(question);
  }

  static ClusterTag tag(ByteString message) {
    return new ClusterTag(word(message, 0) == 1, new UUID(word(message, 1), word(message, 2)));
  }

  static ByteString question(ByteString message) {
    return message.substring(TAG_BYTES);
  }

  static ByteString of(long kind, long copy, long extent) {
    return words(kind, copy, extent);
  }

  static ByteString words(long... words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long word : words) {
      bytes.putLong(word);
    }
    return ByteString.copyFrom(bytes.flip());
  }

  static long word(ByteString words, int number) {
    return words.asReadOnlyByteBuffer().slice().order(ByteOrder.LITTLE_ENDIAN).getLong(8 * number);
  }
}
