package io.pmstore.jmh.consensus.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/**
 * Servers of Ratis, set up as pmstore sets its own up (a test compares the properties), so that the
 * state machines are what differs.
 */
final class RatisServers {
  static final RaftGroupId GROUP =
      RaftGroupId.valueOf(UUID.nameUUIDFromBytes("consensus".getBytes(UTF_8)));

  private static final long BATCH = (16L << 20) + (1 << 16);
  private static final int PENDING = 4096;
  private static final int LOG_ENTRIES = 100_000;
  private static final long WAIT_MICROS = 400;
  private static final String RETRIES = "1ms,10, 50ms,2000000000";
  private static final int ELECTION_MILLIS = 1_000;

  private RatisServers() {}

  static RaftServer make(MemberSettings settings, StateMachine machine) throws IOException {
    Path log = Files.createDirectories(settings.directory().resolve("log"));
    boolean isNew = !Files.exists(log.resolve(GROUP.getUuid().toString()));
    return RaftServer.newBuilder()
        .setServerId(RaftPeerId.valueOf(settings.id()))
        .setGroup(group(settings))
        .setStateMachine(machine)
        .setOption(isNew ? RaftStorage.StartupOption.FORMAT : RaftStorage.StartupOption.RECOVER)
        .setProperties(properties(Objects.requireNonNull(settings.ports().get(settings.id())), log))
        .build();
  }

  private static RaftGroup group(MemberSettings settings) {
    List<RaftPeer> peers =
        settings.ports().entrySet().stream()
            .map(
                each ->
                    RaftPeer.newBuilder()
                        .setId(each.getKey())
                        .setAddress(MemberSettings.HOST + ":" + each.getValue())
                        .build())
            .toList();
    return RaftGroup.valueOf(GROUP, peers);
  }

  static RaftClient client(MemberSettings settings) {
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(BATCH + (4L << 20)));
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, millis(15_000));
    return RaftClient.newBuilder()
        .setRaftGroup(group(settings))
        .setProperties(properties)
        .setRetryPolicy(RetryPolicies.retryUpToMaximumCountWithFixedSleep(100, millis(100)))
        .build();
  }

  static RaftProperties properties(int port, Path log) {
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.Server.setHost(properties, MemberSettings.HOST);
    GrpcConfigKeys.Server.setPort(properties, port);
    GrpcConfigKeys.Client.setHost(properties, MemberSettings.HOST);
    GrpcConfigKeys.Client.setPort(properties, port);
    GrpcConfigKeys.Admin.setHost(properties, MemberSettings.HOST);
    GrpcConfigKeys.Admin.setPort(properties, port);
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(BATCH + (4L << 20)));

    RaftServerConfigKeys.setStorageDir(properties, List.of(log.toFile()));
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(LOG_ENTRIES * 256L));
    RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf(4 << 20));
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(BATCH + 4096));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, LOG_ENTRIES);
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(BATCH));
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
        properties, TimeDuration.valueOf(WAIT_MICROS, TimeUnit.MICROSECONDS));
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, RETRIES);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, LOG_ENTRIES);
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);

    RaftServerConfigKeys.Write.setElementLimit(properties, PENDING);
    RaftServerConfigKeys.Write.setByteLimit(properties, SizeInBytes.valueOf(PENDING * BATCH));
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, millis(1_000));
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, millis(ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, millis(2 * ELECTION_MILLIS));
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, millis(2 * ELECTION_MILLIS));

    // Not of pmstore, which has a check of its own for what a read may see.
    RaftServerConfigKeys.Read.setOption(properties, RaftServerConfigKeys.Read.Option.LINEARIZABLE);
    return properties;
  }

  private static TimeDuration millis(long millis) {
    return TimeDuration.valueOf(millis, TimeUnit.MILLISECONDS);
  }
}
