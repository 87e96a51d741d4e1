package io.pmstore.raft;

import java.io.IOException;
import org.apache.ratis.grpc.GrpcUtil;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.thirdparty.io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import org.apache.ratis.thirdparty.io.grpc.Metadata;
import org.apache.ratis.thirdparty.io.grpc.ServerCall;
import org.apache.ratis.thirdparty.io.grpc.ServerCallHandler;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.thirdparty.io.grpc.StatusRuntimeException;

/**
 * Asks the {@link ClusterGuard} about each message that the node receives, and answers those of
 * another cluster. Ratis does not see them: it would log each of them, some ten times a second. The
 * guard logs each sender once.
 */
final class ClusterInterceptor implements ServerInterceptor {
  private final ClusterMessages messages;

  ClusterInterceptor(ClusterMessages messages) {
    this.messages = messages;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new Checking<>(call, next.startCall(call, headers));
  }

  private final class Checking<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean isRefused;

    Checking(ServerCall<Q, ?> call, ServerCall.Listener<Q> next) {
      super(next);
      this.call = call;
    }

    @Override
    public void onMessage(Q message) {
      if (isRefused) {
        return;
      }
      try {
        messages.check(message);
      } catch (IOException e) {
        isRefused = true;
        refuse(message, e);
        return;
      }
      super.onMessage(message);
    }

    /** The sender looks for the request to which the answer belongs, as in an answer of Ratis. */
    private void refuse(Q message, IOException why) {
      StatusRuntimeException refusal =
          message instanceof AppendEntriesRequestProto append
              ? GrpcUtil.wrapException(
                  why, append.getServerRequest().getCallId(), append.getEntriesCount() == 0)
              : GrpcUtil.wrapException(why);
      Metadata trailers = refusal.getTrailers();
      call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
    }

    @Override
    public void onHalfClose() {
      if (!isRefused) {
        super.onHalfClose();
      }
    }
  }
}
