package io.pmstore.oms.targets;

import com.intel.pmem.llpl.MemoryBlock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The orders whose ids have the same hash in its first bits, with the table that finds them. PMDK
 * isolates nothing: who reads or changes them holds the lock until the transaction has ended.
 */
final class LlplRawStripe {
  final ReentrantLock lock = new ReentrantLock();
  private final LlplRawPool pool;
  private final MemoryBlock handles;
  private final long offset;
  private LlplRawTable table;

  /**
   * Finds a stripe.
   *
   * @param handles the index's block
   * @param offset where it has the handle of this stripe's table
   */
  LlplRawStripe(LlplRawPool pool, MemoryBlock handles, long offset) {
    this.pool = pool;
    this.handles = handles;
    this.offset = offset;
    table = new LlplRawTable(pool.block(handles.getLong(offset)));
  }

  /** The table of the committed orders. */
  LlplRawTable table() {
    return table;
  }

  /**
   * Adds an order that is not here, in the running transaction. Returns the table that is this
   * stripe's when the transaction has committed.
   */
  LlplRawTable add(long id, long order) {
    LlplRawTable changed = table.add(pool, id, order);
    if (changed != table) {
      handles.addToTransaction(offset, Long.BYTES);
      handles.setLong(offset, changed.handle());
    }
    return changed;
  }

  /** Takes what {@link #add} returned, after the transaction. */
  void committed(LlplRawTable changed) {
    table = changed;
  }
}
