package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.MethodDescriptor;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ratis gets the messages of this cluster only, so it logs nothing about those of another one. */
class ClusterInterceptorTest {
  private static final long CALL = 77;

  @TempDir Path root;

  /** A call whose answer is kept. */
  private static final class Call
      extends ServerCall<AppendEntriesRequestProto, AppendEntriesReplyProto> {
    @Nullable StatusRuntimeException closed;

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(AppendEntriesReplyProto message) {}

    @Override
    public void close(Status status, Metadata trailers) {
      assertNull(closed, "closed twice");
      closed = new StatusRuntimeException(status, trailers);
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<AppendEntriesRequestProto, AppendEntriesReplyProto>
        getMethodDescriptor() {
      throw new UnsupportedOperationException();
    }
  }

  private ClusterMessages messages(String id, UUID cluster) throws Exception {
    NodeFiles files = new NodeFiles(Files.createDirectory(root.resolve(id)));
    files.prepare(id, "pmstore");
    RaftSettings settings = RaftSettings.node(id).member(id, "localhost", 7000);
    ClusterGuard guard = new ClusterGuard(settings, files);
    assertTrue(guard.join(cluster));
    return new ClusterMessages(guard);
  }

  @Test
  void aMessageOfAnotherClusterIsAnsweredWithoutRatis() throws Exception {
    UUID ours = UUID.randomUUID();
    ClusterInterceptor interceptor = new ClusterInterceptor(messages("a", ours));
    AppendEntriesRequestProto append =
        AppendEntriesRequestProto.newBuilder()
            .setServerRequest(RaftRpcRequestProto.newBuilder().setCallId(CALL))
            .build();
    List<String> seen = new ArrayList<>();
    Call call = new Call();
    ServerCall.Listener<AppendEntriesRequestProto> listener =
        interceptor.interceptCall(
            call,
            new Metadata(),
            (same, headers) ->
                new ServerCall.Listener<>() {
                  @Override
                  public void onMessage(AppendEntriesRequestProto message) {
                    seen.add("message");
                  }

                  @Override
                  public void onHalfClose() {
                    seen.add("end");
                  }
                });
    listener.onMessage(messages("b", ours).tagged(append));
    assertEquals(List.of("message"), seen);

    listener.onMessage(messages("c", UUID.randomUUID()).tagged(append));
    listener.onMessage(append);
    listener.onHalfClose();
    assertEquals(List.of("message"), seen);
    StatusRuntimeException answer = call.closed;
    assertNotNull(answer);
    assertEquals(CALL, GrpcUtil.getCallId(answer));
    assertTrue(GrpcUtil.isHeartbeat(answer));
    assertTrue(
        String.valueOf(answer.getStatus().getDescription()).contains(ours.toString()),
        answer::toString);
  }
}
