package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bean.DeadText;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Strings in cells: short Latin-1 strings in line, all others in blobs; one byte a character if all
 * characters are Latin-1.
 */
final class StringCells {
  private static final int FIRST_CHARACTERS = 6;

  private StringCells() {}

  /** Returns true if all characters are Latin-1. */
  static boolean isLatin1(String string) {
    for (int i = 0; i < string.length(); i++) {
      if (string.charAt(i) > 0xff) {
        return false;
      }
    }
    return true;
  }

  /**
   * Writes a string.
   *
   * @param overwrite true to store it where the cell's present string is, if it takes as much space
   */
  static void write(Heap heap, long object, int offset, String string, boolean overwrite) {
    if (!isLatin1(string)) {
      byte[] bytes = new byte[2 * string.length()];
      // An encoder would replace lone surrogates.
      ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asCharBuffer().put(string);
      write(heap, object, offset, CellLayout.STRING_UTF16, bytes, overwrite);
    } else if (string.length() > CellLayout.INLINE_MAX) {
      if (DeadText.isMark(string)) {
        throw new NotPersistableException(
            "this text was read from a field of a persistent object, and such a field holds no"
                + " value: the program passed the persistent object to a constructor or static"
                + " method of its class; call accessors of the object there, or pass a plain"
                + " object, as PmStore.copy makes it; PmStore.check names the constructor or"
                + " method");
      }
      byte[] bytes = string.getBytes(ISO_8859_1);
      write(heap, object, offset, CellLayout.STRING_LATIN1, bytes, overwrite);
    } else {
      ValueCells.put(heap, object, offset, inlineFirst(string), inlineSecond(string));
    }
  }

  private static void write(
      Heap heap, long object, int offset, long first, byte[] bytes, boolean overwrite) {
    if (overwrite
        && heap.getLong(object, offset) == first
        && heap.blobs().overwrite(object, offset, bytes)) {
      return;
    }
    ValueCells.put(heap, object, offset, first, heap.blobs().create(bytes));
  }

  /** Returns the first word of a cell with a string in line. */
  static long inlineFirst(String string) {
    long first = CellLayout.STRING | (long) string.length() << 8;
    for (int i = 0; i < Math.min(string.length(), FIRST_CHARACTERS); i++) {
      first |= (long) string.charAt(i) << (16 + 8 * i);
    }
    return first;
  }

  /** Returns the second word of a cell with a string in line. */
  static long inlineSecond(String string) {
    long second = 0;
    for (int i = FIRST_CHARACTERS; i < string.length(); i++) {
      second |= (long) string.charAt(i) << (8 * (i - FIRST_CHARACTERS));
    }
    return second;
  }

  private static int inlineLength(long first) {
    int length = (int) (first >>> 8) & 0xff;
    if (length > CellLayout.INLINE_MAX) {
      throw new StoreDamagedException(
          "a cell says that it holds a string of %s characters in line, where %s have room; restore the store from a backup"
              .formatted(length, CellLayout.INLINE_MAX));
    }
    return length;
  }

  private static int inlineCharacter(long first, long second, int i) {
    return (int)
            (i < FIRST_CHARACTERS
                ? first >>> (16 + 8 * i)
                : second >>> (8 * (i - FIRST_CHARACTERS)))
        & 0xff;
  }

  /** Compares a string with one in line, as {@link String#compareTo} does. */
  static int compareInline(String string, long first, long second) {
    int length = inlineLength(first);
    for (int i = 0; i < Math.min(length, string.length()); i++) {
      int difference = string.charAt(i) - inlineCharacter(first, second, i);
      if (difference != 0) {
        return difference;
      }
    }
    return string.length() - length;
  }

  static String readInline(long first, long second) {
    byte[] bytes = new byte[inlineLength(first)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) inlineCharacter(first, second, i);
    }
    return new String(bytes, ISO_8859_1);
  }

  static String latin1(byte[] bytes, int length) {
    return new String(bytes, 0, length, ISO_8859_1);
  }

  static String utf16(byte[] bytes, int length) {
    ByteBuffer stored = ByteBuffer.wrap(bytes, 0, length).order(ByteOrder.LITTLE_ENDIAN);
    return stored.asCharBuffer().toString();
  }
}
