package io.pmstore.raft;

import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A call of a replicated map, as a node sends it to the leader, alone or with others. An {@link
 * Answer} to each comes back.
 *
 * @param map the name of the map
 */
record MapCall(
    Operation operation,
    String map,
    String key,
    @Nullable String value,
    @Nullable String expected) {
  private static final int HEADER = 32; // of a message, and the name of its operation

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

  /** Returns how many bytes it takes in a message, at most. */
  long size() {
    return HEADER + Wire.size(map) + Wire.size(key) + Wire.size(value) + Wire.size(expected);
  }

  static ByteString encode(List<MapCall> calls) {
    return Wire.bytes(
        out -> {
          out.writeLong(Long.reverseBytes(Questions.MAP));
          out.writeInt(calls.size());
          for (MapCall call : calls) {
            out.writeUTF(call.operation.name());
            Wire.write(out, call.map);
            Wire.write(out, call.key);
            Wire.write(out, call.value);
            Wire.write(out, call.expected);
          }
        });
  }

  static List<MapCall> decode(ByteString encoded) {
    return Wire.read(
        encoded,
        in -> {
          in.readLong();
          int count = in.readInt();
          List<MapCall> calls = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            Operation operation = Operation.valueOf(in.readUTF());
            calls.add(
                new MapCall(
                    operation, Wire.required(in), Wire.required(in), Wire.text(in), Wire.text(in)));
          }
          return calls;
        });
  }
}
