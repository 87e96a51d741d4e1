package io.pmstore.jmh.consensus.machine;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What the state machines have in common. An exception ends the work of a machine: Ratis would note
 * it and go on with the next entry.
 */
public abstract class MapMachine extends BaseStateMachine {
  private static final System.Logger LOG = System.getLogger(MapMachine.class.getName());
  private static final Message DONE = Message.valueOf(ByteString.copyFrom(new byte[] {1}));
  private static final Message REFUSED = Message.valueOf(ByteString.copyFrom(new byte[] {0}));

  private volatile @Nullable Throwable failure;

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    getLifeCycle().startAndTransition(() -> {}, IOException.class);
  }

  @Override
  public final CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    Throwable before = failure;
    if (before != null) {
      return CompletableFuture.failedFuture(before);
    }
    try {
      boolean done = apply(entry);
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(done ? DONE : REFUSED);
    } catch (Throwable t) {
      failed(t);
      throw new CompletionException(t);
    }
  }

  /** Ends the work of the machine. */
  final void failed(Throwable t) {
    failure = t;
    LOG.log(System.Logger.Level.ERROR, getId() + ": the state machine has failed", t);
  }

  /** Returns why the machine has ended its work, or null. */
  public final @Nullable Throwable failure() {
    return failure;
  }

  /** Applies the next entry; returns false if it is a compare-and-set that does nothing. */
  abstract boolean apply(LogEntryProto entry) throws IOException;

  /** Returns true if a reply to a change says that it was done. */
  public static boolean isDone(ByteString reply) {
    return reply.equals(DONE.getContent());
  }

  abstract Optional<ByteString> value(String key);

  @Override
  public CompletableFuture<Message> query(Message request) {
    return CompletableFuture.completedFuture(
        Message.valueOf(Question.answer(answer(request.getContent()))));
  }

  @Override
  public final CompletableFuture<Message> queryStale(Message request, long minIndex) {
    return query(request);
  }

  Optional<ByteString> answer(ByteString question) {
    return value(Question.key(question));
  }

  @Override
  public void close() {
    getLifeCycle().checkStateAndClose();
  }
}
