package io.pmstore.jmh.consensus.versions;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A key and the index of the log's entry that wrote it. Keys are ordered by their bytes, versions
 * of one key by their index.
 *
 * @param a the first eight bytes of the key, big-endian
 * @param b the next eight
 * @param c the next seven, and the length in the last byte
 * @param index of the entry
 */
public record VersionKey(long a, long b, long c, long index) implements Comparable<VersionKey> {
  /** The most bytes of a key. */
  public static final int KEY_MAX = 23;

  private static final int BYTES = KEY_MAX + 1;

  /**
   * Makes the version of a key.
   *
   * @throws IllegalArgumentException if the key is longer than {@value #KEY_MAX} bytes in UTF-8
   */
  public static VersionKey of(String key, long index) {
    byte[] text = key.getBytes(UTF_8);
    if (text.length > KEY_MAX) {
      throw new IllegalArgumentException(
          "the key \"%s\" has %d bytes; keys have at most %d".formatted(key, text.length, KEY_MAX));
    }
    byte[] bytes = Arrays.copyOf(text, BYTES);
    bytes[KEY_MAX] = (byte) text.length;
    ByteBuffer words = ByteBuffer.wrap(bytes);
    return new VersionKey(words.getLong(), words.getLong(), words.getLong(), index);
  }

  public String key() {
    byte[] bytes = ByteBuffer.allocate(BYTES).putLong(a).putLong(b).putLong(c).array();
    return new String(bytes, 0, bytes[KEY_MAX], UTF_8);
  }

  /** Returns another version of the same key. */
  VersionKey at(long other) {
    return new VersionKey(a, b, c, other);
  }

  boolean sameKey(VersionKey other) {
    return a == other.a && b == other.b && c == other.c;
  }

  @Override
  public int compareTo(VersionKey other) {
    return compare(other.a, other.b, other.c, other.index);
  }

  int compare(long otherA, long otherB, long otherC, long otherIndex) {
    if (a != otherA) {
      return Long.compareUnsigned(a, otherA);
    }
    if (b != otherB) {
      return Long.compareUnsigned(b, otherB);
    }
    if (c != otherC) {
      return Long.compareUnsigned(c, otherC);
    }
    return Long.compare(index, otherIndex);
  }
}
