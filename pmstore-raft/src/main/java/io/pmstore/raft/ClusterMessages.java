package io.pmstore.raft;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.RaftClientRequestProto.TypeCase;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.ReadIndexRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.proto.RaftProtos.StartLeaderElectionRequestProto;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the cluster of a node into what its Ratis server sends to others, and has the {@link
 * ClusterGuard} check what the node receives, by the {@link ClusterInterceptor}. The messages of
 * Ratis have a map for the context of traces, which carries the {@link ClusterTag} as well.
 * Thread-safe.
 */
final class ClusterMessages {
  private static final String KEY = "pmstore.cluster";

  private final ClusterGuard guard;

  ClusterMessages(ClusterGuard guard) {
    this.guard = guard;
  }

  /** Returns the server without the requests of clients. */
  RaftServer withoutClients(RaftServer server) {
    return changed(RaftServer.class, server, this::checked);
  }

  /** Returns the services with a tag in the votes and elections that they ask for. */
  GrpcServices tagging(GrpcServices services) {
    return changed(GrpcServices.class, services, this::tagged);
  }

  AppendEntriesRequestProto tagged(AppendEntriesRequestProto append) {
    return append.toBuilder().setServerRequest(tagged(append.getServerRequest())).build();
  }

  InstallSnapshotRequestProto tagged(InstallSnapshotRequestProto snapshot) {
    return snapshot.toBuilder().setServerRequest(tagged(snapshot.getServerRequest())).build();
  }

  private RaftRpcRequestProto tagged(RaftRpcRequestProto header) {
    RaftRpcRequestProto.Builder changed = header.toBuilder();
    changed.getSpanContextBuilder().putContext(KEY, guard.tag().toString());
    return changed.build();
  }

  private Object tagged(Object argument) {
    return switch (argument) {
      case RequestVoteRequestProto vote ->
          vote.toBuilder().setServerRequest(tagged(vote.getServerRequest())).build();
      case StartLeaderElectionRequestProto start ->
          start.toBuilder().setServerRequest(tagged(start.getServerRequest())).build();
      default -> argument;
    };
  }

  private Object checked(Object argument) throws IOException {
    if (argument instanceof RaftClientRequest request && !request.is(TypeCase.STALEREAD)) {
      throw new IOException("a node takes questions of other nodes only, no requests of clients");
    }
    return argument;
  }

  /**
   * Checks a message that this node has received, if it is one of Raft.
   *
   * @throws IOException if it must be left alone
   */
  void check(Object message) throws IOException {
    RaftRpcRequestProto header = header(message);
    if (header != null) {
      guard.checkMessage(
          header.getRequestorId().toStringUtf8(),
          header.getSpanContext().getContextOrDefault(KEY, ""));
    }
  }

  private static @Nullable RaftRpcRequestProto header(Object message) {
    return switch (message) {
      case RequestVoteRequestProto vote -> vote.getServerRequest();
      case AppendEntriesRequestProto append -> append.getServerRequest();
      case InstallSnapshotRequestProto snapshot -> snapshot.getServerRequest();
      case StartLeaderElectionRequestProto start -> start.getServerRequest();
      case ReadIndexRequestProto read -> read.getServerRequest();
      default -> null;
    };
  }

  private interface Change {
    Object of(Object argument) throws IOException;
  }

  private static <T> T changed(Class<T> type, T target, Change change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(target, method, arguments, change)));
  }

  private static @Nullable Object call(
      Object target, Method method, @Nullable Object @Nullable [] arguments, Change change)
      throws Throwable {
    if (arguments != null) {
      for (int i = 0; i < arguments.length; i++) {
        Object given = arguments[i];
        arguments[i] = given == null ? null : change.of(given);
      }
    }
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
