package io.pmstore.jmh.consensus.machine;

import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Does nothing: what is left is Ratis. */
public final class IdleMachine extends MapMachine {
  @Override
  boolean apply(LogEntryProto entry) {
    return true;
  }

  @Override
  Optional<ByteString> value(String key) {
    return Optional.empty();
  }
}
