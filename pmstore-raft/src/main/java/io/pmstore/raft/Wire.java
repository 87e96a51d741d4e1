package io.pmstore.raft;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of texts in questions and answers. A text keeps each of its characters, halves of
 * surrogate pairs too, for which an encoder would put a question mark.
 */
final class Wire {
  private static final int NULL = 0;
  private static final int BYTES = 1; // Latin-1
  private static final int CHARS = 2; // two bytes each

  interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private Wire() {}

  static ByteString bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writing.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  static <T> T read(ByteString encoded, Reading<T> reading) {
    try {
      return reading.from(new DataInputStream(encoded.newInput()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeByte(NULL);
      return;
    }
    boolean isLatin = isLatin(text);
    out.writeByte(isLatin ? BYTES : CHARS);
    out.writeInt(text.length());
    if (isLatin) {
      out.write(text.getBytes(ISO_8859_1));
    } else {
      out.writeChars(text);
    }
  }

  private static boolean isLatin(String text) {
    return text.chars().allMatch(each -> each <= 0xff);
  }

  /** Returns how many bytes a text takes. */
  static long size(@Nullable String text) {
    return text == null ? 1 : 5 + (isLatin(text) ? text.length() : 2L * text.length());
  }

  static @Nullable String text(DataInputStream in) throws IOException {
    int form = in.readByte();
    if (form == NULL) {
      return null;
    }
    int length = in.readInt();
    if (form == BYTES) {
      return new String(in.readNBytes(length), ISO_8859_1);
    }
    char[] chars = new char[length];
    for (int i = 0; i < length; i++) {
      chars[i] = in.readChar();
    }
    return new String(chars);
  }

  static String required(DataInputStream in) throws IOException {
    String text = text(in);
    if (text == null) {
      throw new IOException("a question of a node lacks a text");
    }
    return text;
  }
}
