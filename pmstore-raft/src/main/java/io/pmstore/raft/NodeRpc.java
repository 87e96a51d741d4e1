package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.grpc.server.GrpcServicesImpl;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC transport of Ratis, with three changes: {@link ClusterInterceptor} keeps the messages of
 * other clusters away, the leader accepts a follower's statement of which entries its heap has, and
 * it finds a follower that is back sooner.
 *
 * <p>The second change: an append names the term of the entry before it. If the leader has dropped
 * that entry from its log, Ratis 3.3.0 tells the follower to install a snapshot instead. A follower
 * whose heap has everything up to that entry answers that it has the snapshot already. Ratis then
 * tells it again, for ever. Everything in a heap is committed, so the leader had the same entry,
 * and the append needs no comparison of terms.
 *
 * <p>The third change: Ratis counts each entry as sent that it has tried to send to a missing
 * follower. When it has counted all, only a heartbeat can find out that the follower is back, and
 * Ratis sends one in a quarter of the election timeout.
 *
 * <p>Ratis creates an instance of this class by its name.
 */
final class NodeRpc implements RpcType {
  private static final String GUARD = "pmstore.guard";

  NodeRpc() {}

  /** Adds what the transport of a node needs to the parameters of its server. */
  static void put(Parameters parameters, ClusterGuard guard) {
    parameters.put(GUARD, guard, ClusterGuard.class);
    ClusterInterceptor interceptor = new ClusterInterceptor(new ClusterMessages(guard));
    GrpcConfigKeys.Server.setServicesCustomizer(
        parameters, (builder, types) -> builder.intercept(interceptor));
  }

  @Override
  public String name() {
    return NodeRpc.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new Factory(
        parameters, new ClusterMessages(parameters.getNonNull(GUARD, ClusterGuard.class)));
  }

  private static final class Factory extends GrpcFactory {
    private final ClusterMessages messages;
    private @Nullable GrpcServicesImpl services; // set once, before there are appenders

    Factory(Parameters parameters, ClusterMessages messages) {
      super(parameters);
      this.messages = messages;
    }

    @Override
    public GrpcServices newRaftServerRpc(RaftServer server) {
      GrpcServicesImpl made =
          (GrpcServicesImpl) super.newRaftServerRpc(messages.withoutClients(server));
      services = made;
      return messages.tagging(made);
    }

    @Override
    public LogAppender newLogAppender(
        RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      return new Appender(server, leader, follower);
    }

    private final class Appender extends GrpcLogAppender {
      private static final int PROBE_MILLIS = 50; // between two heartbeats to a missing follower

      Appender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
      }

      /** The server has the one that tags messages; Ratis needs its own class here. */
      @Override
      public GrpcServicesImpl getServerRpc() {
        return requireNonNull(services);
      }

      @Override
      public @Nullable AppendEntriesRequestProto newAppendEntriesRequest(
          long callId, boolean heartbeat) throws RaftLogIOException {
        AppendEntriesRequestProto request = super.newAppendEntriesRequest(callId, heartbeat);
        return request == null ? null : messages.tagged(request);
      }

      @Override
      public InstallSnapshotRequestProto newInstallSnapshotNotificationRequest(TermIndex first) {
        return messages.tagged(super.newInstallSnapshotNotificationRequest(first));
      }

      @Override
      public long getHeartbeatWaitTimeMs() {
        long wait = super.getHeartbeatWaitTimeMs();
        int patience = getServer().properties().minRpcTimeoutMs() / 2;
        return getFollower().getLastRpcResponseTime().elapsedTimeMs() < patience
            ? wait
            : Math.min(
                wait, PROBE_MILLIS - getFollower().getLastHeartbeatSendTime().elapsedTimeMs());
      }

      @Override
      public boolean shouldInstallSnapshot(boolean hasSnapshot) {
        return super.shouldInstallSnapshot(hasSnapshot) && !hasAllBeforeTheLog();
      }

      private boolean hasAllBeforeTheLog() {
        long begin = getRaftLog().getStartIndex();
        return getFollower().hasAttemptedToInstallSnapshot() // has answered
            && getFollower().getSnapshotIndex() + 1 == begin
            && getFollower().getNextIndex() == begin;
      }
    }
  }
}
