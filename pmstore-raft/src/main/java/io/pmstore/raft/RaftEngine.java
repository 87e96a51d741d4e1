package io.pmstore.raft;

import io.pmstore.PmStoreException;
import io.pmstore.Replication;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineHost;
import io.pmstore.core.engine.EngineMetrics;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The heap of one node of a replicated store, on an engine of this machine.
 *
 * <p>A commit on the leader proposes its write set to the other nodes. It returns when a majority
 * has the write set durably and the heap of this node shows it. Only the state machine changes the
 * heap: it applies the entries of the Raft log, one after the other, in the same way on every node.
 * It writes them to the engine below without a sync, because the Raft log makes them durable.
 *
 * <p>Before {@link #start}, this node writes the initial contents of a new heap itself. They are
 * the same on each node; the first entry of the log verifies that.
 */
final class RaftEngine implements Engine {
  private final Engine inner;
  private final Node node;
  private volatile boolean booting;
  private volatile boolean replaced;
  private volatile boolean closed;

  /**
   * Creates the engine.
   *
   * @param inner has the heap here; {@link #close} closes it
   * @param node of the heap
   * @param isNew true if the heap is to be filled as every node's is
   */
  RaftEngine(Engine inner, Node node, boolean isNew) {
    this.inner = inner;
    this.node = node;
    this.booting = isNew;
  }

  Engine inner() {
    return inner;
  }

  @Override
  public void start(EngineHost host) {
    inner.sync(inner.position()); // what is applied counts as durable for the log
    booting = false;
    host.follow();
    node.start(host, this);
  }

  @Override
  public HeapMemory memory() {
    return inner.memory();
  }

  @Override
  public void grow(long size) {
    inner.grow(size);
  }

  @Override
  public void shrink(long size) {
    throw new PmStoreException("the heap of a replicated store does not shrink");
  }

  @Override
  public void keepAtClose(UsedSpace used) {
    inner.keepAtClose(used);
  }

  @Override
  public Commit place(WriteSet writes) {
    if (booting || node.applier().isApplying() || writes.isEmpty()) {
      return inner.place(writes);
    }
    checkUsable();
    long term = node.leadership().termToWrite();
    if (writes.encodedSize() > RatisServer.RECORD_MAX) {
      throw new TransactionTooLargeException(
          "a transaction writes %d bytes, and one of a replicated store at most %d; split it"
              .formatted(writes.encodedSize(), RatisServer.RECORD_MAX));
    }
    writes.resolve(inner.memory());
    return new Proposed(term, writes.encode(), writes::readsAreCurrent);
  }

  /** A commit that the state machine carries out. */
  private final class Proposed implements Commit {
    private final long term;
    private final byte[] record;
    private final BooleanSupplier readsAreCurrent;
    private boolean committed;

    Proposed(long term, byte[] record, BooleanSupplier readsAreCurrent) {
      this.term = term;
      this.record = record;
      this.readsAreCurrent = readsAreCurrent;
    }

    @Override
    public long append() {
      long position = node.proposals().propose(term, record, readsAreCurrent);
      committed = true;
      return position;
    }

    @Override
    public void apply() {
      // the state machine has
    }

    @Override
    public void abandon() {
      if (committed) {
        node.proposals().lose();
      }
      node.failIfLost();
    }
  }

  @Override
  public void sync(long position) {
    if (booting) {
      inner.sync(position);
    } // otherwise a majority has it, even if this node has failed since
  }

  @Override
  public long leadership() {
    return booting ? -1 : node.leadership().term();
  }

  @Override
  public void confirm(long position, long leadership) {
    node.reads().confirm(leadership);
  }

  @Override
  public void awaitNewest() {
    inner.checkUsable();
    node.reads().awaitNewest();
  }

  @Override
  public void checkCurrent() {
    node.leadership().termToWrite();
  }

  @Override
  public void checkWritable() {
    inner.checkWritable();
    if (!booting) {
      node.leadership().termToWrite();
    }
  }

  @Override
  public Optional<Replication> replication() {
    return Optional.of(node.operation());
  }

  @Override
  public long position() {
    return inner.position();
  }

  @Override
  public void verify(FaultVisitor faults) {
    inner.verify(faults);
  }

  @Override
  public @Nullable Instant checksumsMade() {
    return inner.checksumsMade();
  }

  @Override
  public void checkStored(long address, long length) {
    inner.checkStored(address, length);
  }

  @Override
  public OptionalLong logSegmentSize() {
    return inner.logSegmentSize();
  }

  @Override
  public long commitWaits() {
    return inner.commitWaits();
  }

  /** {@inheritDoc} What makes commits durable is the log of Raft, whose syncs are not counted. */
  @Override
  public EngineMetrics metrics() {
    EngineMetrics here = inner.metrics();
    return new EngineMetrics(
        OptionalLong.empty(),
        here.recoveryBytes(),
        here.fileBytes(),
        here.dirtyBytes(),
        here.checkpoints(),
        here.checkpointBytes(),
        here.lastCheckpoint());
  }

  @Override
  public PmStoreException fail(InternalError fault) {
    PmStoreException failed = inner.fail(fault);
    node.failed(fault);
    return failed;
  }

  @Override
  public void checkUsable() {
    if (replaced) {
      throw node.heapReplaced();
    }
    if (closed) {
      throw node.ended();
    }
    node.checkNotLost();
    inner.checkUsable();
  }

  @Override
  public void closing() {
    node.copies().close(); // they keep snapshots of the heap open
    if (!replaced) {
      node.closingStore();
    }
  }

  @Override
  public void replaced() {
    replaced = true;
  }

  @Override
  public void replacementFailed(Throwable why) {
    replaced = false;
    node.replacementFailed(why);
  }

  @Override
  public void stop() {
    if (!replaced) {
      node.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      stop();
    } finally {
      try {
        inner.close();
      } finally {
        if (!replaced) {
          node.heapIsClosed();
        }
      }
    }
  }
}
