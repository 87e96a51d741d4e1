package io.pmstore.raft;

import static java.util.Objects.requireNonNull;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.ReplicationStatus;
import io.pmstore.ReplicationStatus.Role;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineHost;
import io.pmstore.core.engine.EngineProvider;
import io.pmstore.raft.events.Recorder;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * A node of a replicated store. It connects its parts, and starts and closes its Ratis server. It
 * lives as long as the store is open, even if a copy replaces its heap. Thread-safe.
 */
final class Node {
  private static final System.Logger LOG = System.getLogger(Node.class.getName());

  /** Why the server of a node stops that is neither closed nor has failed, and what to do. */
  static final String REMOVED =
      "it has stopped, as a node does that was removed from the members; close it, and call another"
          + " node. Add a new node under another id in its place, as docs/replication.md says under"
          + " \"A node is lost\"";

  private final RaftSettings settings;
  private final NodeFiles files;
  private final PmStoreOptions options;
  private final RaftGroupId groupId;
  private final long patience;
  private final ExecutorService answers = Executors.newVirtualThreadPerTaskExecutor();

  private final ClusterGuard guard;
  private final HeapStateMachine machine = new HeapStateMachine(this);
  private final Applier applier = new Applier(this);
  private final Proposals proposals = new Proposals(this);
  private final Leadership leadership = new Leadership(this);
  private final Peers peers = new Peers(this);
  private final CatchUp catchUp = new CatchUp(this);
  private final Reads reads = new Reads(this, answers);
  private final Maps maps = new Maps(this, answers);
  private final Members members = new Members(this, answers);
  private final Copies copies = new Copies(this);
  private final Operation operation;
  private final CopyInstall install;
  private final Recorder recorder;

  private final ReentrantLock closingServer = new ReentrantLock();
  private volatile @Nullable Throwable failure;
  private volatile boolean closing;
  private volatile @Nullable RaftServer server;
  private @Nullable EngineHost host; // set once, before the server starts
  private volatile @Nullable RaftEngine engine;

  Node(RaftSettings settings, NodeFiles files, PmStoreOptions options, EngineProvider heaps) {
    this.settings = settings;
    this.files = files;
    this.options = options;
    this.guard = new ClusterGuard(settings, files);
    this.groupId = RatisServer.groupId(settings.group());
    this.patience = settings.outcomeTimeout().toNanos();
    this.operation = new Operation(this, settings);
    this.install = new CopyInstall(this, files, heaps);
    this.recorder = new Recorder(files.directory().toString(), settings.id());
  }

  // ---- parts

  RaftGroupId groupId() {
    return groupId;
  }

  RaftSettings settings() {
    return settings;
  }

  PmStoreOptions heapOptions() {
    return options;
  }

  ClusterGuard guard() {
    return guard;
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

  Applier applier() {
    return applier;
  }

  Proposals proposals() {
    return proposals;
  }

  Leadership leadership() {
    return leadership;
  }

  Peers peers() {
    return peers;
  }

  CatchUp catchUp() {
    return catchUp;
  }

  Reads reads() {
    return reads;
  }

  Members members() {
    return members;
  }

  Maps maps() {
    return maps;
  }

  Copies copies() {
    return copies;
  }

  CopyInstall install() {
    return install;
  }

  Recorder recorder() {
    return recorder;
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

  /** Ends a call whose thread was interrupted; the interrupt stays pending. */
  static PmStoreException interrupted(String what) {
    Thread.currentThread().interrupt();
    return new PmStoreException(
        what + "; the interrupt is still pending: clear it before you call again");
  }

  /** Throws {@link StoreClosedException} if the node is closed or closing. */
  void checkOpen() {
    if (closing) {
      throw closed();
    }
  }

  StoreClosedException closed() {
    return new StoreClosedException(
        "the node %s in %s is closed; open it again, or call another node"
            .formatted(settings.id(), files.directory()));
  }

  /** Returns the exception to throw once the node {@linkplain #hasEnded has ended}. */
  PmStoreException ended() {
    Throwable why = failure();
    return closing || why == null
        ? closed()
        : new StoreFailedException(
            "the node %s in %s has failed, and refuses everything further: %s. Close it, repair what caused this, and open it again: it then gets from the others what it lacks"
                .formatted(settings.id(), files.directory(), RatisServer.text(why)),
            why);
  }

  /** Returns the exception for a call of a node whose server has stopped for good. */
  PmStoreException stopped(String what) {
    return hasEnded() ? ended() : leadership.notLeader(what);
  }

  /** Returns the exception for an object of a heap that was replaced. */
  StoreClosedException heapReplaced() {
    return new StoreClosedException(
        "a copy of the leader's heap has taken the place of the heap of the node %s in %s, from which this object was read; read it again from the store, which is open"
            .formatted(settings.id(), files.directory()));
  }

  /** How long calls wait for an outcome or a leader, in nanoseconds. */
  long patience() {
    return patience;
  }

  // ---- life

  /** Starts the node on a heap that follows. */
  void start(EngineHost above, RaftEngine on) {
    host = above;
    engine = on;
    files.heapIsWhole();
    AppliedIndexes.At last = Notes.read(on.memory(), above.notes());
    applier.start(last);
    machine.durable(last);
    try {
      RaftServer made = RatisServer.make(settings, files, guard, machine);
      server = made;
      RatisServer.start(made);
      checkLogBegin();
      checkAddress();
      guard.hasStarted();
      recorder.start(this::recordedStatus);
    } catch (IOException e) {
      throw new PmStoreException(
          "the node %s cannot start at %s: %s; the address has to be one of this machine, with a free port"
              .formatted(settings.id(), settings.address(), e),
          e);
    } catch (CompletionException e) { // of Ratis, about its files
      throw new PmStoreException(
          "the log of the node %s in %s cannot be opened: %s; look whether its disk is full or fails. If it is in order, the log is damaged: replace the node by a new one under another id, as docs/replication.md says under \"A node is lost\""
              .formatted(settings.id(), files.log(settings.group()), RatisServer.rootOf(e)),
          e);
    }
  }

  /**
   * Checks that the log goes on where the heap ends: the node would wait for the entries between.
   */
  private void checkLogBegin() {
    long begin = division().getRaftLog().getStartIndex();
    long last = applier.index(); // at least begin - 1, if a copy has taken the place of the heap
    if (begin > last + 1) {
      throw new StoreFormatException(
          "the heap of the node %s in %s ends with the entry %d, and its log begins with the entry %d: the heap is older than the log; put back the heap that belongs there, or replace the node by a new one under another id, as docs/replication.md says under \"A node is lost\""
              .formatted(settings.id(), files.heap(), last, begin));
    }
  }

  /** Checks that the others look for the node where it listens: it would wait for them for ever. */
  private void checkAddress() {
    String known = peers.members().get(settings.id());
    if (known != null && !known.equals(settings.address())) {
      throw new StoreFormatException(
          "the node %s in %s is opened at %s, and the members know it at %s; open it at that address (RaftSettings.bind names another one to listen on), or replace it by a new node under another id, as docs/replication.md says under \"A node is lost\""
              .formatted(settings.id(), files.directory(), settings.address(), known));
    }
  }

  /** Takes another heap, on an engine of this machine. */
  RaftEngine openedOn(Engine heap) {
    RaftEngine opened = new RaftEngine(heap, this, false);
    engine = opened;
    copies.open();
    return opened;
  }

  /** A copy could not take the place of the heap, which is closed. */
  void replacementFailed(Throwable why) {
    try {
      files.keepOldHeap();
    } catch (PmStoreException e) {
      why.addSuppressed(e);
    }
    failed(
        new PmStoreException(
            "a copy of the leader's heap could not take the place of its heap (%s)".formatted(why),
            why));
  }

  /** Ends the node; its heap is closed next. Ending it twice is harmless. */
  synchronized void close() {
    if (closing) {
      return;
    }
    closing = true;
    recorder.close();
    leadership.end();
    copies.close();
    install.close();
    peers.close();
    RaftServer running = server;
    if (running != null) {
      close(running);
    }
    proposals.giveUp("the node was closed");
    proposals.close();
    applier.wake();
    leadership.close();
    answers.shutdown();
  }

  /** The node has ended, and its heap is closed: another process may open its directory. */
  void heapIsClosed() {
    files.close();
  }

  /** Ends the node's work for good: what it has applied is not what the log says, or may not be. */
  void failed(Throwable t) {
    if (closing || failure != null) {
      failure = failure == null ? t : failure;
      return;
    }
    failure = t;
    LOG.log(System.Logger.Level.ERROR, settings.id() + ": the node has failed", t);
    leadership.end();
    proposals.giveUp("the node has failed: " + RatisServer.text(t));
    applier.wake();
    recordRole();
    RaftEngine open = engine;
    if (open != null) {
      open.inner()
          .fail(
              new InternalError(
                  "the node of the replicated store has failed: " + RatisServer.text(t), t));
    }
    RaftServer running = server;
    if (running != null) {
      Thread.ofVirtual().start(() -> close(running));
    }
  }

  private void close(RaftServer running) {
    closingServer.lock(); // Ratis does not wait for another thread that is closing it
    try {
      running.close();
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, settings.id() + ": closing the server failed", e);
    } finally {
      closingServer.unlock();
    }
  }

  boolean isClosing() {
    return closing;
  }

  /** Returns why the node has failed, or null. */
  @Nullable Throwable failure() {
    Throwable why = failure;
    return why == null && proposals.isLost()
        ? new IllegalStateException("an error in the middle of a commit")
        : why;
  }

  /** Returns true if the node is closed, or has failed. */
  boolean hasEnded() {
    return closing || failure != null || proposals.isLost();
  }

  /** Throws if an error has left a commit in doubt: the node has failed then. */
  void checkNotLost() {
    if (proposals.isLost()) {
      failIfLost();
      throw ended();
    }
  }

  /** Ends the work of a node that an error has left in doubt. */
  void failIfLost() {
    if (proposals.isLost() && failure == null) {
      Later.run(0, () -> failed(requireNonNull(failure()))); // here the stack may be about to end
    }
  }

  /**
   * The store is about to be closed, and waits for its transactions. After a while the node ends
   * its leadership, so that those which still wait may give up.
   */
  void closingStore() {
    Later.run(
        patience,
        () -> {
          leadership.end();
          proposals.giveUp("the node was closed");
        });
  }

  /**
   * Another node is about to copy the heap, and waits for the transactions under way. If these wait
   * for too long, the node stops leading, so that they may give up: they may be waiting for the
   * very node that copies, because no other can confirm them.
   */
  void heapIsCopied() {
    proposals.whenStuck(() -> operation.stepDown("another node has to copy the heap first"));
  }

  // ---- what Ratis tells

  /** Called when another node leads, or none. */
  void leaderChanged() {
    leadership.changed();
    applier.wake();
    recordRole();
  }

  /** Called when all entries of earlier terms are applied, and this node leads. */
  void leaderReady() {
    leadership.ready();
    recordRole();
  }

  /** Called when this node stops leading. Must not wait. */
  void notLeader() {
    leadership.lost();
    recordRole();
  }

  /** Answers another node, or itself. */
  CompletableFuture<ByteString> answer(ByteString message) {
    ByteString question = Questions.question(message);
    long kind = Questions.word(question, 0);
    String refusal = guard.findFaultOfQuestion(Questions.tag(message));
    if (refusal != null) {
      Answer notExecuted = new Answer(Answer.Ending.NOT_LEADER, refusal);
      if (kind == Questions.MAP) {
        int calls = MapCall.decode(question).size();
        return CompletableFuture.completedFuture(
            Answer.encode(Collections.nCopies(calls, notExecuted)));
      }
      return kind == Questions.MEMBERS
          ? CompletableFuture.completedFuture(notExecuted.encode())
          : CompletableFuture.failedFuture(new IOException(refusal));
    }
    if (kind == Questions.TERM) {
      return CompletableFuture.completedFuture(
          Questions.words(division().getInfo().getCurrentTerm()));
    }
    return CompletableFuture.supplyAsync(
        () -> {
          if (kind == Questions.NEWEST) {
            return Questions.words(reads.newestHere());
          } else if (kind == Questions.MAP) {
            return Answer.encode(maps.executeAll(MapCall.decode(question)));
          } else if (kind == Questions.MEMBERS) {
            return members.execute(MemberChange.decode(question)).encode();
          }
          return copies.answer(question);
        },
        answers);
  }

  // ---- recording

  /** Records the role, if it has changed since it was recorded last. */
  private void recordRole() {
    try {
      Role role = operation.role();
      String leader = leadership.leaderId(); // Ratis changes it a moment later than the role
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
}
