package io.pmstore.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A call of a replicated map, as a node sends it to the leader, and its answer.
 *
 * @param map the name of the map
 */
record MapCall(
    Operation operation,
    String map,
    String key,
    @Nullable String value,
    @Nullable String expected) {
  enum Operation {
    GET,
    SET,
    COMPARE_AND_SET,
    REMOVE,
    SIZE;

    boolean writes() {
      return this != GET && this != SIZE;
    }
  }

  /** How a call ended. */
  enum Ending {
    DONE,
    NOT_LEADER,
    UNKNOWN,
    FAILED
  }

  /**
   * The answer to a call.
   *
   * @param text the value, or what went wrong
   */
  record Answer(Ending ending, @Nullable String text) {
    ByteString encode() {
      return bytes(
          out -> {
            out.writeUTF(ending.name());
            write(out, text);
          });
    }

    static Answer decode(ByteString encoded) {
      return read(encoded, in -> new Answer(Ending.valueOf(in.readUTF()), MapCall.text(in)));
    }
  }

  ByteString encode() {
    return bytes(
        out -> {
          out.writeLong(Long.reverseBytes(Questions.MAP));
          out.writeUTF(operation.name());
          write(out, map);
          write(out, key);
          write(out, value);
          write(out, expected);
        });
  }

  static MapCall decode(ByteString encoded) {
    return read(
        encoded,
        in -> {
          in.readLong();
          Operation operation = Operation.valueOf(in.readUTF());
          return new MapCall(operation, required(in), required(in), text(in), text(in));
        });
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private static ByteString bytes(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writing.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  private static <T> T read(ByteString encoded, Reading<T> reading) {
    try {
      return reading.from(new DataInputStream(encoded.newInput()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(DataOutputStream out, @Nullable String text) throws IOException {
    if (text == null) {
      out.writeInt(-1);
    } else {
      byte[] bytes = text.getBytes(UTF_8);
      out.writeInt(bytes.length);
      out.write(bytes);
    }
  }

  private static @Nullable String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : new String(in.readNBytes(length), UTF_8);
  }

  private static String required(DataInputStream in) throws IOException {
    String text = text(in);
    if (text == null) {
      throw new IOException("a call of a map lacks a text");
    }
    return text;
  }
}
