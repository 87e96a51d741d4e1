package io.pmstore.oms.targets;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.MemoryBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * The index of the orders by their ids, in the pool, so that nothing is rebuilt at opening: one
 * block with the handles of the tables, one table for each stripe.
 */
final class LlplRawIndex {
  private static final int STRIPES_LOG = 8;
  private static final int STRIPES = 1 << STRIPES_LOG;

  private final List<LlplRawStripe> stripes = new ArrayList<>(STRIPES);

  LlplRawIndex(LlplRawPool pool) {
    MemoryBlock handles = pool.block(pool.root());
    for (int i = 0; i < STRIPES; i++) {
      stripes.add(new LlplRawStripe(pool, handles, (long) i * Long.BYTES));
    }
  }

  /** Makes an empty index, in the running transaction. Returns its handle. */
  static long create(Heap heap) {
    MemoryBlock handles = heap.allocateMemoryBlock((long) STRIPES * Long.BYTES, true);
    for (int i = 0; i < STRIPES; i++) {
      handles.setLong(
          (long) i * Long.BYTES, heap.allocateMemoryBlock(LlplRawTable.SIZE_MIN, true).handle());
    }
    return handles.handle();
  }

  /** The stripe of an order. */
  LlplRawStripe stripe(long id) {
    return stripes.get((int) (LlplRawTable.hash(id) >>> (Long.SIZE - STRIPES_LOG)));
  }

  List<LlplRawStripe> stripes() {
    return stripes;
  }
}
