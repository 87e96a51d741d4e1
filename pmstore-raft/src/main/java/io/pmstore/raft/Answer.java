package io.pmstore.raft;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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
    RUNNING,
    /** The leader did not execute it: the answers to its message have no room for this one. */
    ALONE
  }

  private static final int HEADER = 32; // the name of its ending

  /** Returns how many bytes an answer takes in a message, at most. */
  static long size(@Nullable String text) {
    return HEADER + Wire.size(text);
  }

  ByteString encode() {
    return Wire.bytes(this::write);
  }

  static Answer decode(ByteString encoded) {
    return Wire.read(encoded, Answer::read);
  }

  /** Encodes the answers to the calls of one message, in their order. */
  static ByteString encode(List<Answer> answers) {
    return Wire.bytes(
        out -> {
          out.writeInt(answers.size());
          for (Answer answer : answers) {
            answer.write(out);
          }
        });
  }

  static List<Answer> decodeAll(ByteString encoded) {
    return Wire.read(
        encoded,
        in -> {
          int count = in.readInt();
          List<Answer> answers = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            answers.add(read(in));
          }
          return answers;
        });
  }

  private void write(DataOutputStream out) throws IOException {
    out.writeUTF(ending.name());
    Wire.write(out, text);
  }

  private static Answer read(DataInputStream in) throws IOException {
    return new Answer(Ending.valueOf(in.readUTF()), Wire.text(in));
  }
}
