package io.pmstore.raft;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** The clients with which this node asks the other nodes. Thread-safe. */
final class Peers {
  /** How often a node asks another one that does not answer. */
  static final int ATTEMPTS = 50;

  static final long BETWEEN_MILLIS = 100;

  private final Node node;
  private @Nullable RaftClient client; // guarded by this
  private @Nullable Map<String, String> clientMembers; // guarded by this
  private boolean closed; // guarded by this

  Peers(Node node) {
    this.node = node;
  }

  /** Returns the addresses of all members by their ids. */
  Map<String, String> members() {
    Map<String, String> members = new LinkedHashMap<>();
    for (RaftPeer peer : node.division().getRaftConf().getAllPeers()) {
      members.put(peer.getId().toString(), peer.getAddress());
    }
    return members;
  }

  String addressOf(String id) {
    return members().getOrDefault(id, "an unknown address");
  }

  /**
   * Asks a node, once.
   *
   * @return its answer
   * @throws IOException if it does not answer, or with an exception; it may have got the question.
   *     Or if it is no member as far as known here: it may have joined a moment ago
   */
  ByteString ask(String id, ByteString question) throws IOException {
    Map<String, String> members = members();
    if (!members.containsKey(id)) {
      throw new IOException("%s is none of the members known here: %s".formatted(id, members));
    }
    return ask(client(members), id, question);
  }

  /** Asks a node with a client of {@link #newClient}. */
  ByteString ask(RaftClient client, String id, ByteString question) throws IOException {
    Message message = Message.valueOf(Questions.message(node.guard().tag(), question));
    RaftClientReply reply = client.io().sendStaleRead(message, 0, RaftPeerId.valueOf(id));
    if (!reply.isSuccess()) {
      throw new IOException(String.valueOf(reply.getException()), reply.getException());
    }
    return reply.getMessage().getContent();
  }

  /** Returns the client with which this node asks others; it sends each request once. */
  private synchronized RaftClient client(Map<String, String> members) {
    if (closed) {
      throw node.closed();
    }
    RaftClient made = client;
    if (made == null || !members.equals(clientMembers)) {
      close(made);
      made = makeClient(members);
      client = made;
      clientMembers = members;
    }
    return made;
  }

  /**
   * Returns a client of Ratis that sends each request once, and knows a node that may be unknown
   * here; the caller closes it.
   */
  RaftClient newClient(String id, String address) {
    Map<String, String> members = members();
    members.put(id, address);
    return makeClient(members);
  }

  private RaftClient makeClient(Map<String, String> members) {
    return RaftClient.newBuilder()
        .setRaftGroup(RaftGroup.valueOf(node.groupId(), RatisServer.peers(members)))
        .setProperties(RatisServer.clientProperties(node.settings()))
        .setParameters(RatisServer.parameters(node.settings()))
        .setRetryPolicy(RetryPolicies.noRetry())
        .build();
  }

  private static void close(@Nullable RaftClient closing) {
    if (closing != null) {
      try {
        closing.close();
      } catch (IOException e) {
        System.getLogger(Peers.class.getName())
            .log(System.Logger.Level.DEBUG, "closing a client failed", e);
      }
    }
  }

  /** Ends what this node asks others. */
  synchronized void close() {
    closed = true;
    close(client);
    client = null;
  }
}
