package io.pmstore.raft;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcFactory;
import org.apache.ratis.grpc.server.GrpcLogAppender;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;

/**
 * The gRPC transport of Ratis, with a change: the leader accepts a follower's statement of which
 * entries its heap has.
 *
 * <p>An append names the term of the entry before it. If the leader has dropped that entry from its
 * log, Ratis 3.3.0 tells the follower to install a snapshot instead. A follower whose heap has
 * everything up to that entry answers that it has the snapshot already. Ratis then tells it again,
 * for ever. Everything in a heap is committed, so the leader had the same entry, and the append
 * needs no comparison of terms.
 *
 * <p>Ratis creates an instance of this class by its name.
 */
final class SnapshotAwareRpc implements RpcType {
  SnapshotAwareRpc() {}

  @Override
  public String name() {
    return SnapshotAwareRpc.class.getName();
  }

  @Override
  public RpcFactory newFactory(Parameters parameters) {
    return new GrpcFactory(parameters) {
      @Override
      public LogAppender newLogAppender(
          RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        return new Appender(server, leader, follower);
      }
    };
  }

  private static final class Appender extends GrpcLogAppender {
    Appender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
      super(server, leader, follower);
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
