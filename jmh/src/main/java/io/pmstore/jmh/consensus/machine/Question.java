package io.pmstore.jmh.consensus.machine;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Questions to a state machine, and their answers, as bytes. */
public final class Question {
  private static final byte VALUE = 'v';
  private static final byte ENTRY = 'e';
  private static final ByteString NOTHING = ByteString.EMPTY;
  private static final ByteString SOMETHING = ByteString.copyFrom(new byte[] {1});

  private Question() {}

  /** Asks for the value of a key. */
  public static ByteString value(String key) {
    return ByteString.copyFrom(new byte[] {VALUE}).concat(ByteString.copyFromUtf8(key));
  }

  /** Asks another replica for the changes of an entry, whose small form is given. */
  static ByteString entry(long index, ByteString small) {
    return ByteString.copyFrom(new byte[] {ENTRY})
        .concat(ByteString.copyFromUtf8(index + "\n"))
        .concat(small);
  }

  static boolean isValue(ByteString question) {
    return question.byteAt(0) == VALUE;
  }

  static String key(ByteString question) {
    return question.substring(1).toString(UTF_8);
  }

  static long index(ByteString question) {
    return Long.parseLong(question.substring(1, end(question)).toString(UTF_8));
  }

  static ByteString small(ByteString question) {
    return question.substring(end(question) + 1);
  }

  private static int end(ByteString question) {
    int end = 1;
    while (question.byteAt(end) != '\n') {
      end++;
    }
    return end;
  }

  static ByteString answer(Optional<ByteString> answer) {
    return answer.map(SOMETHING::concat).orElse(NOTHING);
  }

  /** Decodes an answer. */
  public static Optional<ByteString> answered(ByteString answer) {
    return answer.isEmpty() ? Optional.empty() : Optional.of(answer.substring(1));
  }
}
