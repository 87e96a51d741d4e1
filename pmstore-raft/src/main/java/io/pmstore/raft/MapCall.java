package io.pmstore.raft;

import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A call of a replicated map, as a node sends it to the leader. An {@link Answer} comes back.
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

  ByteString encode() {
    return Wire.bytes(
        out -> {
          out.writeLong(Long.reverseBytes(Questions.MAP));
          out.writeUTF(operation.name());
          Wire.write(out, map);
          Wire.write(out, key);
          Wire.write(out, value);
          Wire.write(out, expected);
        });
  }

  static MapCall decode(ByteString encoded) {
    return Wire.read(
        encoded,
        in -> {
          in.readLong();
          Operation operation = Operation.valueOf(in.readUTF());
          return new MapCall(
              operation, Wire.required(in), Wire.required(in), Wire.text(in), Wire.text(in));
        });
  }
}
