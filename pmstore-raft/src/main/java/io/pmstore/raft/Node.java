package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import io.pmstore.NotLeaderException;
import io.pmstore.OutcomeUnknownException;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Replication;
import io.pmstore.ReplicationStatus;
import io.pmstore.ReplicationStatus.Role;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineHost;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.core.engine.OutdatedReadsException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.raft.events.HeapCopyEvent;
import io.pmstore.raft.events.Recorder;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * A node of a replicated store: its server of Ratis, its role, the commits on their way, and the
 * one place where the heap changes. Lives as long as the store is open, whichever heap it has.
 * Thread-safe.
 *
 * <p>The role changes in two steps. {@link #leadingTerm} is what decides whether a transaction may
 * be proposed, and changes at once. The heap and its collector follow on a thread of their own,
 * because transactions and the collector may wait for entries to be applied.
 */
final class Node {
  private static final System.Logger LOG = System.getLogger(Node.class.getName());

  private final RaftSettings settings;
  private final NodeFiles files;
  private final PmStoreOptions options;
  private final EngineProvider heaps;
  private final HeapStateMachine machine = new HeapStateMachine(this);
  private final RaftGroupId groupId;
  private final ClientId clientId = ClientId.randomId();
  private final long patience;
  private final Operation operation;
  private final Copies copies;
  private final Maps maps;
  private final LeaderCheck leaderCheck;
  private final Recorder recorder;

  private final long maker = new SecureRandom().nextLong();
  private final AtomicLong numbers = new AtomicLong();
  private final ConcurrentHashMap<Long, Proposal> proposals = new ConcurrentHashMap<>();

  private final ExecutorService roles =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().daemon().name("pmstore-raft-role").factory());
  private final ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();
  private final Object roleLock = new Object();
  private long roleChanges; // guarded by roleLock
  private volatile long leadingTerm;

  private final ReentrantLock applying = new ReentrantLock();
  private @Nullable AppliedIndexes applied; // guarded by applying
  private volatile long appliedIndex = -1; // of the last entry that has changed the heap
  private volatile @Nullable Thread applier;
  private volatile @Nullable Throwable failure;
  private volatile boolean closing;

  private volatile @Nullable RaftServer server;
  private @Nullable EngineHost host; // set once, before the server starts
  private volatile @Nullable RaftEngine engine;
  private @Nullable String birth; // of the empty heap, until the first entry is applied

  Node(RaftSettings settings, NodeFiles files, PmStoreOptions options, EngineProvider heaps) {
    this.settings = settings;
    this.files = files;
    this.options = options;
    this.heaps = heaps;
    this.groupId = RatisServer.groupId(settings);
    this.patience = settings.outcomeTimeout().toNanos();
    this.operation = new Operation(this, settings);
    this.copies = new Copies(this);
    this.maps = new Maps(this);
    this.leaderCheck = new LeaderCheck(this, answers);
    this.recorder = new Recorder(files.directory().toString(), settings.id());
  }

  RaftGroupId groupId() {
    return groupId;
  }

  RaftSettings settings() {
    return settings;
  }

  EngineHost host() {
    return requireNonNull(host);
  }

  RaftEngine engine() {
    return requireNonNull(engine);
  }

  Operation operation() {
    return operation;
  }

  RaftServer server() {
    RaftServer running = server;
    if (running == null) {
      throw closed();
    }
    return running;
  }

  RaftServer.Division division() {
    try {
      return server().getDivision(groupId);
    } catch (IOException e) {
      throw closed();
    }
  }

  private static StoreClosedException closed() {
    return new StoreClosedException("the node is closed; open it again");
  }

  // ---- life

  /** Starts the node on a heap that follows. */
  void start(EngineHost above, RaftEngine on) {
    host = above;
    engine = on;
    files.heapIsWhole(settings.id(), settings.group());
    AppliedIndexes.At last = Notes.read(on.memory(), above.notes());
    applying.lock();
    try {
      applied = new AppliedIndexes(on.position(), last);
      appliedIndex = last.index();
      birth = last.index() < 0 ? copies.digest().sha256() : null;
    } finally {
      applying.unlock();
    }
    machine.durable(last);
    try {
      RaftServer made = RatisServer.make(settings, files, machine);
      server = made;
      made.start();
      recorder.start(this::recordedStatus);
    } catch (IOException e) {
      throw new PmStoreException(
          "the node %s cannot start at %s: %s; the address has to be one of this machine, with a free port"
              .formatted(settings.id(), settings.address(), e),
          e);
    }
  }

  /** Ends the node; its heap is closed next. */
  void close() {
    closing = true;
    recorder.close();
    synchronized (roleLock) {
      roleChanges++;
      leadingTerm = 0;
    }
    copies.close();
    maps.close();
    RaftServer running = server;
    if (running != null) {
      try {
        running.close();
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, settings.id() + ": closing the server failed", e);
      }
    }
    giveUpAll("the node was closed");
    roles.shutdown();
    answers.shutdown();
    boolean interrupted = false;
    try {
      roles.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the node's work for good: what it has applied is not what the log says, or may not be. */
  void failed(Throwable t) {
    if (closing || failure != null) {
      failure = failure == null ? t : failure;
      return;
    }
    failure = t;
    LOG.log(System.Logger.Level.ERROR, settings.id() + ": the node has failed", t);
    synchronized (roleLock) {
      roleChanges++;
      leadingTerm = 0;
    }
    giveUpAll("the node has failed: " + t);
    recordRole();
    RaftEngine open = engine;
    if (open != null) {
      open.inner().fail(new InternalError("the node of the replicated store has failed", t));
    }
    RaftServer running = server;
    if (running != null) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  running.close();
                } catch (IOException e) {
                  LOG.log(System.Logger.Level.WARNING, "closing the server failed", e);
                }
              });
    }
  }

  Maps maps() {
    return maps;
  }

  /** How long calls wait for an outcome or a leader, in nanoseconds. */
  long patience() {
    return patience;
  }

  boolean isClosing() {
    return closing;
  }

  boolean hasFailed() {
    return failure != null;
  }

  private void giveUpAll(String why) {
    for (Proposal each : proposals.values()) {
      each.doubt(why, patience);
    }
  }

  /** Gives up what keeps snapshots of the heap open, which is about to be closed. */
  void closingHeap() {
    copies.close();
  }

  // ---- roles

  /** Returns the term in which this node runs transactions, or 0. */
  long leadingTerm() {
    return leadingTerm;
  }

  /**
   * Returns the term in which a transaction may be proposed.
   *
   * @throws NotLeaderException if this node runs no transactions now
   */
  long termToWrite() {
    long term = leadingTerm;
    if (term == 0) {
      throw notLeader("this node does not run transactions");
    }
    return term;
  }

  NotLeaderException notLeader(String what) {
    String leader = operation.leaderId();
    String where =
        leader == null
            ? "no leader is known now; try again when one is elected"
            : leader.equals(settings.id())
                ? "it has been elected, and is about to begin; try again"
                : "the leader is %s at %s; call it there"
                    .formatted(leader, operation.addressOf(leader));
    return new NotLeaderException("%s (%s): %s".formatted(what, settings.id(), where), leader);
  }

  /** Called when all entries of earlier terms are applied, and this node leads. */
  void leaderReady() {
    long term = division().getInfo().getCurrentTerm();
    recordRole();
    long change;
    synchronized (roleLock) {
      change = ++roleChanges;
    }
    inRoleThread(
        () -> {
          if (isStill(change)) {
            host().lead(() -> beginToLead(term, change));
          }
        });
  }

  private void beginToLead(long term, long change) {
    String mine = birth;
    if (mine != null && isStill(change)) {
      proposeBirth(term, mine);
    }
    synchronized (roleLock) {
      if (roleChanges == change && !closing && failure == null) {
        leadingTerm = term;
      }
    }
  }

  private boolean isStill(long change) {
    synchronized (roleLock) {
      return roleChanges == change && !closing;
    }
  }

  /** Called when this node stops leading. Must not wait. */
  void notLeader() {
    long change;
    synchronized (roleLock) {
      change = ++roleChanges;
      leadingTerm = 0;
    }
    giveUpAll("this node stopped leading");
    recordRole();
    inRoleThread(
        () -> {
          if (isStill(change)) {
            host().follow();
          }
        });
  }

  /** Records the role, if it has changed since it was recorded last. */
  void recordRole() {
    try {
      Role role = operation.role();
      String leader = operation.leaderId(); // Ratis changes it a moment later than the role
      if (role == Role.LEADER) {
        leader = settings.id();
      } else if (settings.id().equals(leader)) {
        leader = null;
      }
      recorder.role(role.name(), leader, division().getInfo().getCurrentTerm());
    } catch (StoreClosedException e) {
      recorder.role(Role.STOPPED.name(), null, 0);
    }
  }

  private Optional<ReplicationStatus> recordedStatus() {
    recordRole(); // Ratis does not tell when a node becomes a candidate
    try {
      return Optional.of(operation.status());
    } catch (StoreClosedException e) {
      return Optional.empty();
    }
  }

  private void inRoleThread(Runnable change) {
    try {
      roles.execute(
          () -> {
            try {
              change.run();
            } catch (Throwable t) {
              if (!closing) {
                failed(t);
              }
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.log(System.Logger.Level.DEBUG, "the node is closed", e);
    }
  }

  // ---- proposals

  /**
   * Proposes a transaction's write set to the others.
   *
   * @param term in which the transaction was validated
   * @return its position, when a majority has it and the heap here shows it
   * @throws NotLeaderException if it was rolled back on all nodes
   * @throws OutcomeUnknownException if that is not known
   */
  long propose(long term, byte[] record, BooleanSupplier readsAreCurrent) {
    return propose(Entry.COMMIT, term, UnsafeByteOperations.unsafeWrap(record), readsAreCurrent);
  }

  private void proposeBirth(long term, String digest) {
    try {
      propose(Entry.BIRTH, term, ByteString.copyFromUtf8(digest), () -> true);
    } catch (NotLeaderException | OutcomeUnknownException e) {
      LOG.log(System.Logger.Level.DEBUG, "another node will propose the first entry", e);
    }
  }

  private long propose(long kind, long term, ByteString record, BooleanSupplier readsAreCurrent) {
    long number = numbers.incrementAndGet();
    byte[] entry = new Entry(kind, term, maker, number, record).encode();
    Proposal proposal = new Proposal(term, entry, readsAreCurrent);
    proposals.put(number, proposal);
    try {
      submit(UnsafeByteOperations.unsafeWrap(entry), number, proposal);
      if (closing || failure != null) {
        proposal.doubt("the node was closed", closing ? 0 : patience);
      }
      return switch (proposal.await()) {
        case COMMITTED -> proposal.position();
        case OUTDATED -> throw new OutdatedReadsException();
        case REFUSED ->
            throw notLeader("a transaction was rolled back: %s".formatted(proposal.reason()));
        default -> throw unknown(proposal);
      };
    } finally {
      proposals.remove(number, proposal);
    }
  }

  private PmStoreException unknown(Proposal proposal) {
    return new OutcomeUnknownException(
        "the outcome of a transaction is not known, because %s (%s) before a majority of the nodes had confirmed it; read on the leader whether it has happened"
            .formatted(proposal.reason(), settings.id()));
  }

  private void submit(ByteString entry, long number, Proposal proposal) {
    try {
      CompletableFuture<RaftClientReply> asked =
          server()
              .submitClientRequestAsync(
                  request(RaftClientRequest.writeRequestType(), number, entry));
      var _ = asked.whenComplete((reply, thrown) -> replied(proposal, reply, thrown));
    } catch (IOException | RuntimeException e) {
      replied(proposal, null, e);
    }
  }

  RaftClientRequest request(RaftClientRequest.Type type, long number, ByteString message) {
    return RaftClientRequest.newBuilder()
        .setClientId(clientId)
        .setServerId(server().getId())
        .setGroupId(groupId)
        .setCallId(number)
        .setMessage(Message.valueOf(message))
        .setType(type)
        .build();
  }

  /** Called when Ratis has answered. The heap changes when the entry is applied, not before. */
  private void replied(
      Proposal proposal, @Nullable RaftClientReply reply, @Nullable Throwable thrown) {
    if (thrown == null && reply != null && reply.isSuccess()) {
      return;
    }
    String why =
        thrown != null
            ? thrown.toString()
            : reply == null ? "there was no answer" : String.valueOf(reply.getException());
    if (proposal.isAppended()) {
      proposal.doubt(why, patience);
    } else {
      proposal.refuse(why);
    }
  }

  /** Returns true if an entry is one that a transaction of this process waits for. */
  boolean isProposing(ByteString entry) {
    return proposals.containsKey(Entry.numberOf(entry, maker));
  }

  /** Called before the log gets an entry, in the order of the log. */
  void appending(ByteString entry) {
    Proposal proposal = proposals.get(Entry.numberOf(entry, maker));
    if (proposal != null) {
      proposal.append();
    }
  }

  // ---- the heap changes here

  /** Returns true if the calling thread is applying an entry. */
  boolean isApplying() {
    return Thread.currentThread().equals(applier);
  }

  /** Applies the next entry of the log. Called in the order of the log, on each node. */
  void apply(long term, long index, ByteString logged) {
    applying.lock();
    try {
      Throwable before = failure;
      if (before != null) {
        throw new StoreFailedException("an earlier entry was not applied: " + before, before);
      }
      AppliedIndexes indexes = requireNonNull(applied);
      if (index <= indexes.at(Long.MAX_VALUE).index()) {
        return; // a copy of another node's heap has it
      }
      passed(term);
      operation.heard();
      Entry entry = Entry.decode(logged);
      Proposal own = entry.maker() == maker ? proposals.get(entry.number()) : null;
      if (entry.term() != term) {
        recorder.stale(index, term, entry.term());
        if (own != null) {
          own.refuse("another node led before it was in the log");
        }
        return; // validated against another state; no node applies it
      }
      applier = Thread.currentThread();
      try {
        long position = change(entry, new AppliedIndexes.At(term, index), own);
        indexes.add(position, new AppliedIndexes.At(term, index));
        birth = null;
      } finally {
        applier = null;
      }
    } finally {
      applying.unlock();
    }
  }

  private long change(Entry entry, AppliedIndexes.At at, @Nullable Proposal own) {
    WriteSet record;
    if (entry.kind() == Entry.BIRTH) {
      checkBirth(entry);
      record = new WriteSet();
    } else {
      record = WriteSet.decode(entry.record().toByteArray());
    }
    Notes.put(record, host().notes(), at);
    record.setRelaxed();
    if (own == null || !own.claim()) {
      long position = host().apply(record);
      appliedIndex = at.index();
      return position;
    }
    try {
      long position = engine().inner().commit(record); // its transaction holds the locks
      appliedIndex = at.index(); // before anyone learns of it
      own.committed(position);
      return position;
    } catch (Throwable t) {
      own.failed(t);
      throw t;
    }
  }

  private void checkBirth(Entry entry) {
    String theirs = entry.record().toStringUtf8();
    String mine = birth;
    if (mine != null && !mine.equals(theirs)) {
      throw new PmStoreException(
          "the empty heap of the node %s has the digest %s, and that of the node which led first %s; open all nodes with the same version of pmstore and the same options"
              .formatted(settings.id(), mine, theirs));
    }
  }

  /** Called for each entry: those of earlier terms that are not applied yet will never be. */
  void passed(long term) {
    for (Proposal each : proposals.values()) {
      if (each.term() < term) {
        each.refuse("another node led before it was in the log");
      }
    }
  }

  /** Makes what is applied durable; returns the last entry of it. */
  AppliedIndexes.At makeDurable() {
    applying.lock();
    try {
      Engine inner = engine().inner();
      long position = inner.position();
      inner.sync(position);
      return requireNonNull(applied).at(position);
    } finally {
      applying.unlock();
    }
  }

  /** Returns the entry that the commit at a position comes from. */
  AppliedIndexes.At entryAt(long position) {
    applying.lock();
    try {
      return requireNonNull(applied).at(position);
    } finally {
      applying.unlock();
    }
  }

  // ---- reads

  /**
   * Waits until it is certain that no other node has led since this one did in a term.
   *
   * @throws NotLeaderException if that is not so
   */
  void confirm(long term) {
    Throwable failed =
        term == 0 || leadingTerm != term ? new IOException("it stopped leading") : findFault();
    if (failed != null || leadingTerm != term) {
      throw notLeader("what a transaction has read may be old: " + failed);
    }
  }

  private @Nullable Throwable findFault() {
    return leaderCheck.findFault(patience);
  }

  /**
   * Waits until this node shows everything that any node had acknowledged before.
   *
   * @throws NotLeaderException if no leader says what that is
   */
  void awaitNewest() {
    long begin = System.nanoTime();
    while (true) {
      long newest = leadingTerm != 0 ? newestHere() : maps.newest();
      if (newest >= 0 && awaitApplied(newest, begin)) {
        operation.heard();
        return;
      }
      if (closing || failure != null || System.nanoTime() - begin > patience) {
        throw notLeader("the newest state is not known, or not here yet");
      }
      pause(); // an election takes its time
    }
  }

  /** Returns the index of an entry that includes everything acknowledged, or -1 if not leading. */
  long newestHere() {
    long term = leadingTerm;
    long newest = appliedIndex; // at least of everything that is acknowledged
    return term != 0 && findFault() == null && leadingTerm == term ? newest : -1;
  }

  private boolean awaitApplied(long index, long begin) {
    while (appliedIndex < index) {
      if (closing || failure != null || System.nanoTime() - begin > patience) {
        return false;
      }
      pause();
    }
    return true;
  }

  private void pause() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notLeader("a read was interrupted before the newest state was known");
    }
  }

  /** Answers another node, or itself. */
  CompletableFuture<ByteString> answer(ByteString question) {
    long kind = Questions.word(question, 0);
    if (kind == Questions.TERM) {
      return CompletableFuture.completedFuture(
          Questions.words(division().getInfo().getCurrentTerm()));
    }
    return CompletableFuture.supplyAsync(
        () -> {
          if (kind == Questions.NEWEST) {
            return Questions.words(newestHere());
          }
          return kind == Questions.MAP
              ? maps.execute(MapCall.decode(question)).encode()
              : copies.answer(question);
        },
        answers);
  }

  /** Returns a digest of the present heap. */
  Replication.Digest digest() {
    return copies.digest();
  }

  // ---- a copy of another node's heap

  /** Replaces the heap by a copy of the leader's. */
  CompletableFuture<AppliedIndexes.At> install(RoleInfoProto role) {
    String leader = role.getFollowerInfo().getLeaderInfo().getId().getId().toStringUtf8();
    String address = role.getFollowerInfo().getLeaderInfo().getId().getAddress();
    return CompletableFuture.supplyAsync(() -> replaceBy(leader, address), answers)
        .whenComplete(
            (at, thrown) -> {
              if (thrown != null && !closing) {
                LOG.log(
                    System.Logger.Level.WARNING,
                    settings.id() + ": the heap of " + leader + " was not copied; tried again",
                    thrown);
              }
            });
  }

  private AppliedIndexes.At replaceBy(String leader, String address) {
    HeapCopyEvent copying = recorder.heapCopy();
    CopyFetch.Fetched copy =
        new CopyFetch(this, leader, address).into(heaps, files, options.groupAccess());
    AppliedIndexes.At fetched = copy.at();
    applying.lock();
    try {
      AppliedIndexes indexes = requireNonNull(applied);
      if (fetched.index() <= indexes.at(Long.MAX_VALUE).index()) {
        return indexes.at(Long.MAX_VALUE); // what is here is newer than what was fetched
      }
      engine().detach();
      host()
          .replace(
              () -> {
                files.replaceHeap();
                RaftEngine replaced =
                    new RaftEngine(heaps.open(files.heap(), heapOptions()), this, false);
                engine = replaced;
                return replaced;
              });
      AppliedIndexes.At noted = Notes.read(engine().memory(), host().notes());
      if (!noted.equals(fetched)) {
        throw new IllegalStateException(
            "a copy is of the entry %s, and its heap says %s".formatted(fetched, noted));
      }
      applied = new AppliedIndexes(engine().position(), fetched);
      appliedIndex = fetched.index();
      birth = null;
      recorder.ended(copying, leader, copy.heapBytes(), copy.transferredBytes(), fetched.index());
      return fetched;
    } catch (Throwable t) {
      failed(t);
      throw t;
    } finally {
      applying.unlock();
    }
  }

  PmStoreOptions heapOptions() {
    return options;
  }
}
