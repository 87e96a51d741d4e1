package io.pmstore.jmh.consensus.machine;

import static java.util.Objects.requireNonNull;

import io.pmstore.core.medium.Medium;
import io.pmstore.jmh.consensus.versions.Change;
import io.pmstore.jmh.consensus.versions.Structure;
import io.pmstore.jmh.consensus.versions.VersionStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * The thesis' state machine: an entry's data goes at once into a {@link VersionStore}, and the log
 * keeps the entry's keys only. Ratis 3.3.0 has no interface for its log, so that small log stays.
 *
 * <p>After a crash the log may have entries whose versions were not durable, if several are made
 * durable together. They are asked for at the other replicas.
 */
public final class VersionMachine extends MapMachine implements StateMachine.DataApi {
  private static final long PERIOD_MILLIS = 5;

  private final Medium medium;
  private final Structure structure;
  private final long capacity;
  private final int persistEvery;
  private final MissingEntries missing;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("persist-versions").factory());
  private @Nullable VersionStore store; // set once, before the server starts
  private volatile @Nullable TermIndex durable;

  /**
   * Creates the machine.
   *
   * @param capacity bytes of a new region
   * @param persistEvery how many entries are made durable together, at most: 1 for none that is
   *     acknowledged before
   * @param missing asks the other replicas
   */
  public VersionMachine(
      Medium medium, Structure structure, long capacity, int persistEvery, MissingEntries missing) {
    this.medium = medium;
    this.structure = structure;
    this.capacity = capacity;
    this.persistEvery = persistEvery;
    this.missing = missing;
  }

  /** Asks other replicas for what a crash has lost here. */
  @FunctionalInterface
  public interface MissingEntries {
    /**
     * Asks.
     *
     * @return the answer of one that has it, as {@link Question} encodes it
     * @throws IOException if none has
     */
    ByteString ask(ByteString question) throws IOException;
  }

  private VersionStore store() {
    return requireNonNull(store);
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    VersionStore opened = VersionStore.open(medium, structure, capacity, persistEvery);
    store = opened;
    if (opened.durableApplied() >= 0) {
      TermIndex at = TermIndex.valueOf(opened.durableTerm(), opened.durableApplied());
      durable = at;
      setLastAppliedTermIndex(at);
    }
    if (persistEvery > 1) {
      var _ =
          timer.scheduleWithFixedDelay(
              this::persistWaiting, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }
    super.initialize(server, group, storage);
  }

  private void persistWaiting() {
    try {
      store().persistWaiting();
    } catch (IOException | RuntimeException e) {
      failed(e);
    }
  }

  // ---- the log's events

  @Override
  public StateMachine.DataApi data() {
    return this;
  }

  @Override
  public TransactionContext startTransaction(RaftClientRequest request) {
    ByteString content = request.getMessage().getContent();
    return TransactionContext.newBuilder()
        .setStateMachine(this)
        .setClientRequest(request)
        .setLogData(MapRequest.keys(MapRequest.changes(content)))
        .setStateMachineData(content)
        .build();
  }

  @Override
  public CompletableFuture<?> write(LogEntryProto entry, TransactionContext context) {
    try {
      store()
          .write(
              entry.getTerm(),
              entry.getIndex(),
              MapRequest.changes(
                  entry.getStateMachineLogEntry().getStateMachineEntry().getStateMachineData()));
      return CompletableFuture.completedFuture(null);
    } catch (IOException | RuntimeException e) {
      failed(e);
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletableFuture<Void> truncate(long first) {
    try {
      store().truncate(first);
      return CompletableFuture.completedFuture(null);
    } catch (IOException | RuntimeException e) {
      failed(e);
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletableFuture<ByteString> read(LogEntryProto entry, TransactionContext context) {
    ByteString small = entry.getStateMachineLogEntry().getLogData();
    Optional<ByteString> here = changes(entry.getIndex(), small);
    return here.isPresent()
        ? CompletableFuture.completedFuture(here.get())
        : CompletableFuture.supplyAsync(() -> askOthers(entry.getIndex(), small));
  }

  private Optional<ByteString> changes(long index, ByteString small) {
    List<Change> changes = new ArrayList<>();
    for (String key : MapRequest.keys(small)) {
      Change change = store().change(key, index);
      if (change == null) {
        return Optional.empty();
      }
      changes.add(change);
    }
    return Optional.of(MapRequest.of(changes));
  }

  private ByteString askOthers(long index, ByteString small) {
    try {
      return missing.ask(Question.entry(index, small));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  boolean apply(LogEntryProto entry) throws IOException {
    long index = entry.getIndex();
    if (!store().isWritten(entry.getTerm(), index)) {
      ByteString small = entry.getStateMachineLogEntry().getLogData();
      store()
          .restore(
              entry.getTerm(),
              index,
              MapRequest.changes(missing.ask(Question.entry(index, small))));
    }
    return store().apply(entry.getTerm(), index);
  }

  @Override
  public void notifyTermIndexUpdated(long term, long index) {
    store().applied(term, index);
    super.notifyTermIndexUpdated(term, index);
  }

  @Override
  public void notifyConfigurationChanged(
      long term, long index, RaftConfigurationProto configuration) {
    // notifyTermIndexUpdated has been called for the same entry
  }

  // ---- reading

  @Override
  Optional<ByteString> value(String key) {
    return store().get(key).map(UnsafeByteOperations::unsafeWrap);
  }

  @Override
  Optional<ByteString> answer(ByteString question) {
    return Question.isValue(question)
        ? super.answer(question)
        : changes(Question.index(question), Question.small(question));
  }

  // ---- snapshots: the region itself

  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    TermIndex latest = durable;
    return latest == null ? null : new LogMachine.Durable(latest);
  }

  @Override
  public long takeSnapshot() throws IOException {
    store().persist();
    TermIndex at = TermIndex.valueOf(store().durableTerm(), store().durableApplied());
    if (at.getIndex() >= 0) {
      durable = at;
    }
    // What the log still has, a replica that lags may ask for.
    store().collect(getServer().join().getDivision(getGroupId()).getRaftLog().getStartIndex());
    return at.getIndex();
  }

  @Override
  public void close() {
    super.close();
    timer.shutdownNow();
    try {
      if (!timer.awaitTermination(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the versions are still being persisted");
      }
      VersionStore closing = store;
      if (closing != null) {
        closing.persist();
        closing.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
