package io.pmstore.jmh.consensus.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.PmStore;
import io.pmstore.jmh.consensus.machine.IdleMachine;
import io.pmstore.jmh.consensus.machine.LogMachine;
import io.pmstore.jmh.consensus.machine.MapMachine;
import io.pmstore.jmh.consensus.machine.MapRequest;
import io.pmstore.jmh.consensus.machine.Question;
import io.pmstore.jmh.consensus.machine.VersionMachine;
import io.pmstore.jmh.consensus.versions.Change;
import io.pmstore.jmh.consensus.versions.Structure;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/** A server of Ratis with one of the state machines. */
final class RatisMember implements Member {
  private static final long PATIENCE_SECONDS = 60;

  private final MemberSettings settings;
  private final MapMachine machine;
  private final RaftServer server;
  private final RaftClient client;
  private final ClientId clientId = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();

  RatisMember(MemberSettings settings) throws IOException {
    this.settings = settings;
    machine = machine();
    server = RatisServers.make(settings, machine);
    try {
      client = RatisServers.client(settings);
      server.start();
    } catch (Throwable t) {
      server.close();
      throw t;
    }
  }

  private MapMachine machine() throws IOException {
    return switch (settings.contender()) {
      case IDLE -> new IdleMachine();
      case LOG -> new LogMachine(Files.createDirectories(settings.directory().resolve("machine")));
      case LIST, LIST_10 -> versions(Structure.LIST);
      case TREE, TREE_10 -> versions(Structure.TREE);
      case PMSTORE -> throw new IllegalArgumentException("no state machine: " + settings);
    };
  }

  private MapMachine versions(Structure structure) throws IOException {
    return new VersionMachine(
        settings.machineMedium(),
        structure,
        settings.regionBytes(),
        settings.contender().persistEvery(),
        this::askOthers);
  }

  private ByteString askOthers(ByteString question) throws IOException {
    IOException none =
        new IOException(
            settings.id()
                + " lacks an entry that was applied elsewhere, and so do the others that answer");
    for (String id : settings.ports().keySet()) {
      if (!id.equals(settings.id())) {
        try {
          RaftClientReply reply =
              client.io().sendStaleRead(Message.valueOf(question), 0, RaftPeerId.valueOf(id));
          Optional<ByteString> answer = Question.answered(contents(reply));
          if (answer.isPresent()) {
            return answer.get();
          }
        } catch (IOException e) {
          none.addSuppressed(e);
        }
      }
    }
    throw none;
  }

  private RaftServer.Division division() throws IOException {
    return server.getDivision(RatisServers.GROUP);
  }

  @Override
  public boolean leads() {
    try {
      return division().getInfo().isLeader() && division().getInfo().isLeaderReady();
    } catch (IOException e) {
      throw new IllegalStateException("the server has no group", e);
    }
  }

  @Override
  public long applied() {
    @Nullable Throwable failure = machine.failure();
    if (failure != null) {
      throw new IllegalStateException("the state machine has failed: " + failure, failure);
    }
    try {
      return division().getInfo().getLastAppliedIndex();
    } catch (IOException e) {
      throw new IllegalStateException("the server has no group", e);
    }
  }

  @Override
  public void transferLeadership(String id) throws IOException {
    contents(
        client
            .admin()
            .transferLeadership(
                RaftPeerId.valueOf(id), TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)));
  }

  // ---- calls

  @Override
  public void set(String key, String value) throws IOException {
    change(List.of(Change.set(key, value.getBytes(UTF_8))));
  }

  @Override
  public boolean compareAndSet(String key, Optional<String> expected, String value)
      throws IOException {
    byte[] wanted = expected.map(text -> text.getBytes(UTF_8)).orElse(null);
    return change(List.of(new Change(key, value.getBytes(UTF_8), true, wanted)));
  }

  @Override
  public void setAll(Map<String, String> entries) throws IOException {
    change(
        entries.entrySet().stream()
            .map(each -> Change.set(each.getKey(), each.getValue().getBytes(UTF_8)))
            .toList());
  }

  private boolean change(List<Change> changes) throws IOException {
    Message message = Message.valueOf(MapRequest.of(changes));
    return MapMachine.isDone(
        contents(
            leads()
                ? here(RaftClientRequest.writeRequestType(), message)
                : client.io().send(message)));
  }

  @Override
  public Optional<String> get(String key) throws IOException {
    Message message = Message.valueOf(Question.value(key));
    return Question.answered(
            contents(
                leads()
                    ? here(RaftClientRequest.readRequestType(), message)
                    : client.io().sendReadOnly(message)))
        .map(value -> value.toString(UTF_8));
  }

  @Override
  public Optional<String> getHere(String key) {
    return Question.answered(
            machine.queryStale(Message.valueOf(Question.value(key)), 0).join().getContent())
        .map(value -> value.toString(UTF_8));
  }

  private RaftClientReply here(RaftClientRequest.Type type, Message message) throws IOException {
    try {
      return server
          .submitClientRequestAsync(
              RaftClientRequest.newBuilder()
                  .setClientId(clientId)
                  .setServerId(server.getId())
                  .setGroupId(RatisServers.GROUP)
                  .setCallId(calls.incrementAndGet())
                  .setMessage(message)
                  .setType(type)
                  .build())
          .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the server did not answer: " + e, e);
    }
  }

  private static ByteString contents(RaftClientReply reply) throws IOException {
    if (!reply.isSuccess()) {
      throw new IOException("a request failed: " + reply.getException(), reply.getException());
    }
    return reply.getMessage() == null ? ByteString.EMPTY : reply.getMessage().getContent();
  }

  @Override
  public Optional<PmStore> store() {
    return Optional.empty();
  }

  @Override
  public void close() throws IOException {
    try (client) {
      server.close();
    }
  }
}
