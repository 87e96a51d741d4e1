package io.pmstore.raft;

import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The leader's answer to a call of a map or to a change of the members.
 *
 * @param text the value, or what went wrong
 */
record Answer(Ending ending, @Nullable String text) {
  /** How a call ended. */
  enum Ending {
    DONE,
    /** It was not executed: this node does not lead, or not yet. */
    NOT_LEADER,
    /** It may have been executed, or not. */
    UNKNOWN,
    /** It was not executed. */
    FAILED,
    /** It was not executed: its arguments are wrong. */
    REFUSED,
    /** It is being executed. */
    RUNNING
  }

  ByteString encode() {
    return Wire.bytes(
        out -> {
          out.writeUTF(ending.name());
          Wire.write(out, text);
        });
  }

  static Answer decode(ByteString encoded) {
    return Wire.read(encoded, in -> new Answer(Ending.valueOf(in.readUTF()), Wire.text(in)));
  }
}
