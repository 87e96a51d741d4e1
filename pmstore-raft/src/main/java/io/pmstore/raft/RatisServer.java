package io.pmstore.raft;

import io.pmstore.PmStoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.client.RaftClientConfigKeys;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.util.ExitUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** Configures and creates the Ratis server of a node. */
final class RatisServer {
  /** The most bytes of a commit: what the nodes send to each other at once. */
  static final int RECORD_MAX = 16 << 20;

  private static final int BATCH = RECORD_MAX + (1 << 16); // with the entry's header
  private static final int PENDING = 4096;
  private static final long ENTRY_BYTES = 256; // of a small transaction
  private static final long SEGMENT_MIN = 8 << 10;
  private static final long PREALLOCATED = 4 << 20;

  /**
   * How long Ratis lets pass between two messages to a follower, in microseconds: its own
   * millisecond is what a commit of one thread then takes. Without a pause, small messages take the
   * processors from 20 threads; a few hundred microseconds cost neither.
   */
  private static final long WAIT_MICROS = 400;

  /**
   * How long a leader waits before it tries again to reach a follower, and how often. Ratis' own
   * waits grow to five seconds: a node that was away for a minute would be out of date for as long
   * after its start, and once more, because its first answer, that it lacks entries, counts as a
   * failure too.
   */
  private static final String RETRIES = "1ms,10, 50ms,2000000000";

  /** How often Ratis logs that a node cannot be reached, or refuses what it is sent. */
  private static final Duration LOG_PERIOD = Duration.ofMinutes(1);

  private static final Duration CLIENT_TIMEOUT = Duration.ofSeconds(15);

  static {
    // Ratis would end the program if its port is in use, and, once it has looked at this setting,
    // whenever a thread of the program throws what nobody catches.
    Thread.UncaughtExceptionHandler ofProgram = Thread.getDefaultUncaughtExceptionHandler();
    ExitUtils.disableSystemExit();
    Thread.setDefaultUncaughtExceptionHandler(ofProgram);
  }

  private RatisServer() {}

  /** Makes the server, which does nothing yet. */
  static RaftServer make(
      RaftSettings settings, NodeFiles files, ClusterGuard guard, StateMachine machine)
      throws IOException {
    RaftGroupId groupId = groupId(settings.group());
    Files.createDirectories(files.log());
    // The members that the log has, if there are any, replace these.
    RaftGroup group =
        RaftGroup.valueOf(groupId, settings.joins() ? List.of() : peers(settings.members()));
    RaftServer.Builder builder =
        RaftServer.newBuilder()
            .setServerId(RaftPeerId.valueOf(settings.id()))
            .setGroup(group)
            .setStateMachine(machine)
            .setOption(RaftStorage.StartupOption.RECOVER)
            .setProperties(properties(settings, files.log()));
    Parameters parameters = parameters(settings);
    NodeRpc.put(parameters, guard);
    return builder.setParameters(parameters).build();
  }

  /**
   * Starts a server.
   *
   * @throws IOException if it cannot, such as for want of its port
   */
  static void start(RaftServer server) throws IOException {
    try {
      server.start();
    } catch (ExitUtils.ExitException e) {
      throw new IOException(e.getMessage() + ": " + rootOf(e).getMessage(), e);
    }
  }

  /** Returns the last cause of an exception. */
  static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    for (Throwable cause = root; cause != null; cause = cause.getCause()) {
      root = cause;
    }
    return root;
  }

  /** Returns what an exception says, and its last cause, such as that a disk is full. */
  static String text(Throwable thrown) {
    Throwable root = rootOf(thrown);
    String text = thrown.toString();
    String last = root.getMessage() == null ? root.toString() : root.getMessage();
    return text.contains(last) ? text : text + ", because of " + root;
  }

  static RaftGroupId groupId(String group) {
    return RaftGroupId.valueOf(
        UUID.nameUUIDFromBytes(("pmstore raft 3 " + group).getBytes(StandardCharsets.UTF_8)));
  }

  static List<RaftPeer> peers(Map<String, String> members) {
    return members.entrySet().stream().map(each -> peer(each.getKey(), each.getValue())).toList();
  }

  static RaftPeer peer(String id, String address) {
    return RaftPeer.newBuilder().setId(id).setAddress(address).build();
  }

  /**
   * Checks what the settings say of this machine.
   *
   * @throws PmStoreException if the address is of no machine, or a file for TLS cannot be read or
   *     does not fit
   */
  static void check(RaftSettings settings) {
    try {
      var _ = InetAddress.getByName(settings.bindHost());
    } catch (UnknownHostException e) {
      throw new PmStoreException(
          "the node %s is to listen on the host \"%s\", which this machine does not know; correct its address %s, or name an address of this machine with RaftSettings.bind"
              .formatted(settings.id(), settings.bindHost(), settings.address()),
          e);
    }
    TlsFiles.check(settings);
  }

  /** Returns the parameters of server and client: TLS, if the settings have it. */
  static Parameters parameters(RaftSettings settings) {
    Parameters parameters = new Parameters();
    if (settings.hasTls()) {
      GrpcConfigKeys.TLS.setConf(
          parameters,
          new GrpcTlsConfig(
              settings.tlsKey().toFile(),
              settings.tlsCertificate().toFile(),
              settings.tlsTrust().toFile(),
              true));
    }
    return parameters;
  }

  static RaftProperties clientProperties(RaftSettings settings) {
    RaftProperties properties = new RaftProperties();
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(BATCH + (4L << 20)));
    RaftClientConfigKeys.Rpc.setRequestTimeout(properties, duration(CLIENT_TIMEOUT));
    return properties;
  }

  static RaftProperties properties(RaftSettings settings, Path log) {
    RaftProperties properties = new RaftProperties();
    RaftConfigKeys.Rpc.setType(properties, new NodeRpc());
    String host = settings.bindHost();
    int port = Addresses.port(settings.address());
    GrpcConfigKeys.Server.setHost(properties, host);
    GrpcConfigKeys.Server.setPort(properties, port);
    GrpcConfigKeys.Client.setHost(properties, host);
    GrpcConfigKeys.Client.setPort(properties, port);
    GrpcConfigKeys.Admin.setHost(properties, host);
    GrpcConfigKeys.Admin.setPort(properties, port);
    GrpcConfigKeys.setMessageSizeMax(properties, SizeInBytes.valueOf(BATCH + (4L << 20)));
    GrpcConfigKeys.Server.setLogMessageBatchDuration(properties, duration(LOG_PERIOD));

    RaftServerConfigKeys.setStorageDir(properties, List.of(log.toFile()));
    RaftServerConfigKeys.Log.setLogMetadataEnabled(properties, false);
    // Ratis drops whole segments only. A larger entry has one of its own.
    long segment = Math.clamp(settings.logEntries() * ENTRY_BYTES, SEGMENT_MIN, 2L * BATCH);
    RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segment));
    RaftServerConfigKeys.Log.setPreallocatedSize(
        properties, SizeInBytes.valueOf(Math.min(segment, PREALLOCATED)));
    RaftServerConfigKeys.Log.setWriteBufferSize(properties, SizeInBytes.valueOf(BATCH + 4096));
    RaftServerConfigKeys.Log.setPurgeUptoSnapshotIndex(properties, true);
    RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, settings.logEntries());
    RaftServerConfigKeys.Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(BATCH));
    RaftServerConfigKeys.Log.Appender.setInstallSnapshotEnabled(properties, false);
    RaftServerConfigKeys.Log.Appender.setWaitTimeMin(
        properties, TimeDuration.valueOf(WAIT_MICROS, TimeUnit.MICROSECONDS));
    RaftServerConfigKeys.Log.Appender.setRetryPolicy(properties, RETRIES);
    RaftServerConfigKeys.Snapshot.setAutoTriggerEnabled(properties, true);
    RaftServerConfigKeys.Snapshot.setAutoTriggerThreshold(properties, settings.logEntries());
    RaftServerConfigKeys.Snapshot.setTriggerWhenStopEnabled(properties, false);

    RaftServerConfigKeys.Write.setElementLimit(properties, PENDING);
    RaftServerConfigKeys.Write.setByteLimit(
        properties, SizeInBytes.valueOf((long) PENDING * BATCH)); // Ratis refuses what is above
    RaftServerConfigKeys.RetryCache.setExpiryTime(properties, duration(Duration.ofSeconds(1)));

    Duration election = settings.electionTimeout();
    RaftServerConfigKeys.Rpc.setTimeoutMin(properties, duration(election));
    RaftServerConfigKeys.Rpc.setTimeoutMax(properties, duration(election.multipliedBy(2)));
    RaftServerConfigKeys.Rpc.setRequestTimeout(properties, duration(election.multipliedBy(2)));
    return properties;
  }

  private static TimeDuration duration(Duration duration) {
    return TimeDuration.valueOf(duration.toMillis(), TimeUnit.MILLISECONDS);
  }
}
