package io.pmstore.llpl;

import io.pmstore.core.engine.WriteSet.RangeVisitor;
import io.pmstore.core.memory.HeapMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Group commit: commits write sets in the order in which they arrive. Write sets that wait together
 * share one PMDK transaction.
 *
 * <p>A transaction first takes a snapshot of each stretch that is in use and about to change, and
 * then writes. It then flushes what it wrote to unused space. Unused space needs no snapshot,
 * because it is unused again after a roll-back. PMDK flushes the rest when the transaction commits.
 *
 * <p>Guarded by the engine's lock, except {@link #add} and the positions.
 */
final class GroupCommit {
  /**
   * Over how many bytes ranges are joined. The snapshot of a stretch costs about 450 ns, be it of 8
   * bytes or 500, so to join saves that; 256 bytes are what persistent memory writes at once.
   */
  static final int GAP_MAX = 256;

  /** Over how many bytes joining never makes the undo log longer: a snapshot has a header. */
  private static final int SMALL_GAP_MAX = 24;

  private final HeapMemory memory;
  private final LlplPool pool;
  private final PoolRoot root;
  private final Queue<PendingCommit> queue = new ConcurrentLinkedQueue<>();
  private final List<PendingCommit> group = new ArrayList<>();
  private final Stretches changed = new Stretches();
  private final Stretches fresh = new Stretches();
  private final RangeVisitor addChanged = (at, source, from, length) -> add(changed, at, length);
  private final RangeVisitor addFresh = (at, source, from, length) -> add(fresh, at, length);
  private final RangeVisitor write;
  private volatile long position;
  private volatile long durable;

  GroupCommit(HeapMemory memory, LlplPool pool, PoolRoot root) {
    this.memory = memory;
    this.pool = pool;
    this.root = root;
    write = memory::write;
  }

  /** The position of the last commit whose changes may be seen. */
  long position() {
    return position;
  }

  /** The position of the last commit that has ended. */
  long durable() {
    return durable;
  }

  /** Has a write set committed with the next ones; its undo log has to be small. */
  void add(PendingCommit commit) {
    queue.add(commit);
  }

  /** How many wait. */
  int waiting() {
    return queue.size();
  }

  /** Takes those that wait, as many as fit into the undo log that a thread has in any case. */
  void takeWaiting() {
    group.clear();
    long undo = 0;
    for (PendingCommit next = queue.peek(); next != null; next = queue.peek()) {
      undo += next.undo();
      if (undo > PoolSpace.UNDO_IN_PLACE && !group.isEmpty()) {
        return;
      }
      queue.remove();
      if (next.take()) {
        group.add(next);
      }
    }
  }

  /** Takes a single one, whose undo log may be large. */
  void take(PendingCommit commit) {
    group.clear();
    group.add(commit);
  }

  /**
   * Commits those that were taken. When it throws, and the position is the old one, nothing has
   * changed.
   */
  void commit() {
    changed.clear();
    fresh.clear();
    group.forEach(this::prepare);
    group.removeIf(PendingCommit::isDone);
    long before = position;
    if (changed.isEmpty() && fresh.isEmpty()) {
      position = before + group.size();
    } else {
      join();
      pool.transaction(this::writeAll);
    }
    durable = position;
    for (int i = 0; i < group.size(); i++) {
      group.get(i).committed(before + 1 + i);
    }
  }

  /** Finds out what a write set touches; one that cannot be applied fails alone. */
  private void prepare(PendingCommit commit) {
    try {
      commit.writes().resolve(memory);
      commit.writes().forEachRange(addChanged, addFresh);
    } catch (RuntimeException e) { // it is nothing that can be written
      commit.failed(e);
    }
  }

  private void add(Stretches stretches, long address, int length) {
    stretches.add(address, length, memory.size());
  }

  private void join() {
    boolean small = changed.undoSize(GAP_MAX) <= PoolSpace.UNDO_IN_PLACE;
    changed.join(small ? GAP_MAX : SMALL_GAP_MAX);
    fresh.join(GAP_MAX);
  }

  private void writeAll() {
    // All snapshots before the first write: running out of undo log changes nothing.
    for (int i = 0; i < changed.count(); i++) {
      root.addToTransaction(changed.extent(i), changed.offset(i), changed.length(i));
    }
    long next = position + 1;
    for (PendingCommit commit : group) {
      position = next++; // before the changes can be seen, as the transactions above require
      commit.writes().forEachRange(write);
    }
    for (int i = 0; i < fresh.count(); i++) {
      root.flush(fresh.extent(i), fresh.offset(i), fresh.length(i));
    }
  }

  /** Notes that those that were taken failed. */
  void failed(RuntimeException why) {
    group.forEach(commit -> commit.failed(why));
  }
}
