package io.pmstore.raft;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * The state machine that Ratis calls. It passes entries, events and questions to the {@link Node}.
 *
 * <p>For Ratis, the heap itself is the snapshot, up to the last entry that is durable in it.
 */
final class HeapStateMachine extends BaseStateMachine {
  private final Node node;
  private volatile @Nullable TermIndex durable;

  HeapStateMachine(Node node) {
    this.node = node;
  }

  /** The heap has this entry durably, and all before it. */
  synchronized void durable(AppliedIndexes.At at) {
    if (at.index() >= 0) {
      TermIndex reached = TermIndex.valueOf(at.term(), at.index());
      durable = reached;
      setLastAppliedTermIndex(reached);
    }
  }

  /** A copy that was put in place while an entry waited to be applied may be newer than that. */
  @Override
  protected synchronized boolean updateLastAppliedTermIndex(TermIndex reached) {
    return reached.getIndex() > getLastAppliedTermIndex().getIndex()
        && super.updateLastAppliedTermIndex(reached);
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    getLifeCycle().startAndTransition(() -> {}, IOException.class);
  }

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    TermIndex latest = durable;
    return latest == null ? null : new HeapSnapshot(latest);
  }

  private record HeapSnapshot(TermIndex at) implements SnapshotInfo {
    @Override
    public TermIndex getTermIndex() {
      return at;
    }

    @Override
    public List<FileInfo> getFiles() {
      return List.of(); // the nodes copy heaps themselves
    }
  }

  @Override
  public long takeSnapshot() throws IOException {
    AppliedIndexes.At at;
    try {
      at = node.applier().makeDurable();
    } catch (Throwable t) {
      node.failed(t);
      throw new IOException(t); // anything else has Ratis try for ever while it is being closed
    }
    if (at.index() >= 0) {
      durable = TermIndex.valueOf(at.term(), at.index());
    }
    return at.index();
  }

  /**
   * Called when Ratis is about to have its log go on behind the copy of another node's heap, and
   * then {@link #reinitialize}. A crash between the two leaves a heap that is newer than the log,
   * which Ratis puts right when it starts.
   */
  @Override
  public void pause() {
    if (node.install().putInPlace()) {
      // If the copy was not newer, the heap is the former one, and Ratis is about to drop its log.
      durable(node.applier().makeDurable());
    }
    if (getLifeCycleState() == LifeCycle.State.RUNNING) {
      getLifeCycle().transition(LifeCycle.State.PAUSING);
      getLifeCycle().transition(LifeCycle.State.PAUSED);
    }
  }

  @Override
  public void reinitialize() {
    durable(node.applier().makeDurable());
    getLifeCycle().transition(LifeCycle.State.STARTING);
    getLifeCycle().transition(LifeCycle.State.RUNNING);
  }

  @Override
  public void close() {
    getLifeCycle().checkStateAndClose();
  }

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
    ByteString entry = request.getMessage().getContent();
    Proposal proposal = node.proposals().of(entry);
    if (proposal == null) {
      TransactionContext refused =
          TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request).build();
      return refused.setException(
          new IOException("this entry was not made by a transaction of this node"));
    }
    return TransactionContext.newBuilder()
        .setStateMachine(this)
        .setClientRequest(request)
        .setLogData(entry)
        .setStateMachineContext(proposal)
        .build();
  }

  @Override
  public TransactionContext preAppendTransaction(TransactionContext transaction) {
    ((Proposal) transaction.getStateMachineContext()).append();
    return transaction;
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    try {
      node.applier()
          .apply(entry.getTerm(), entry.getIndex(), entry.getStateMachineLogEntry().getLogData());
    } catch (Throwable t) {
      // Ratis notes it and goes on with the next entry, which the applier refuses. Were it thrown,
      // a server that is being closed would try the same entry for ever.
      node.failed(t);
      return CompletableFuture.failedFuture(t);
    }
    updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
    return CompletableFuture.completedFuture(Message.EMPTY);
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    node.proposals().passed(term);
    super.notifyTermIndexUpdated(term, index);
  }

  @Override
  public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
    node.leaderChanged();
  }

  @Override
  public void notifyLeaderReady() {
    node.leaderReady();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    node.notLeader();
  }

  @Override
  public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto failed) {
    node.failed(cause);
  }

  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex first) {
    return node.install()
        .asked(role, first.getIndex())
        .thenApply(at -> TermIndex.valueOf(at.term(), at.index()));
  }

  @Override
  public CompletableFuture<Message> query(Message request) {
    return node.answer(request.getContent()).thenApply(Message::valueOf);
  }

  @Override
  public CompletableFuture<Message> queryStale(Message request, long minIndex) {
    return query(request);
  }
}
