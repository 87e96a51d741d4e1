package io.pmstore.jmh.consensus.machine;

import io.pmstore.jmh.consensus.versions.Change;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** Requests to the map as bytes: changes, and what of them is left in a small entry of the log. */
public final class MapRequest {
  private MapRequest() {}

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  /** Encodes changes of different keys. */
  public static ByteString of(List<Change> changes) {
    return bytes(
        out -> {
          out.writeInt(changes.size());
          for (Change change : changes) {
            out.writeUTF(change.key());
            write(out, change.value());
            out.writeBoolean(change.conditional());
            write(out, change.expected());
          }
        });
  }

  /** Decodes {@link #of}. */
  static List<Change> changes(ByteString encoded) {
    return read(
        encoded,
        in -> {
          int count = in.readInt();
          List<Change> changes = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            String key = in.readUTF();
            byte[] value = bytes(in);
            if (value == null) {
              throw new IOException("a change of the key " + key + " has no value");
            }
            changes.add(new Change(key, value, in.readBoolean(), bytes(in)));
          }
          return changes;
        });
  }

  /** Encodes the keys of changes. */
  static ByteString keys(List<Change> changes) {
    return bytes(
        out -> {
          out.writeInt(changes.size());
          for (Change change : changes) {
            out.writeUTF(change.key());
          }
        });
  }

  /** Decodes {@link #keys}. */
  static List<String> keys(ByteString encoded) {
    return read(
        encoded,
        in -> {
          int count = in.readInt();
          List<String> keys = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            keys.add(in.readUTF());
          }
          return keys;
        });
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

  private static void write(DataOutputStream out, byte @Nullable [] bytes) throws IOException {
    out.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      out.write(bytes);
    }
  }

  private static byte @Nullable [] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : in.readNBytes(length);
  }
}
