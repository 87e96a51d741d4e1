package io.pmstore.jmh.commit;

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.AnyMemoryBlock;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.pmstore.Storage;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Memory blocks of an LLPL pool, one for each thread, as far from each other as the objects of a
 * store.
 *
 * @param <H> the kind of pool
 * @param <B> the kind of its blocks
 */
public abstract class LlplState<H extends AnyHeap, B extends AnyMemoryBlock> {
  private static final int BLOCK_SIZE = 32;

  private final List<B> blocks = new ArrayList<>();
  private TemporaryDirectory directory;
  private H pool;

  /** Makes the pool. */
  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(Storage.LLPL);
    pool = createPool(directory);
    for (int i = 0; i < Writer.OBJECTS; i++) {
      blocks.add(allocate(pool, BLOCK_SIZE));
    }
  }

  @TearDown
  public void delete() {
    directory.close();
  }

  abstract H createPool(TemporaryDirectory where);

  abstract B allocate(H where, long size);

  abstract void change(H where, B block, long n);

  /** What a user of LLPL writes for the three setters. */
  final void transaction(Writer writer) {
    change(pool, blocks.get(writer.object), ++writer.count);
  }

  /** With LLPL's transactional setters, each of which takes a snapshot. */
  @State(Scope.Benchmark)
  public static class Setters extends LlplState<TransactionalHeap, TransactionalMemoryBlock> {
    @Override
    TransactionalHeap createPool(TemporaryDirectory where) {
      return LlplPools.createTransactional(where);
    }

    @Override
    TransactionalMemoryBlock allocate(TransactionalHeap where, long size) {
      return where.allocateMemoryBlock(size);
    }

    @Override
    void change(TransactionalHeap where, TransactionalMemoryBlock block, long n) {
      where.execute(
          () -> {
            block.setLong(8, n);
            block.setLong(16, n + 1);
            block.setLong(24, n + 2);
          });
    }
  }

  /** With one snapshot of all that changes. */
  @State(Scope.Benchmark)
  public static class OneRange extends LlplState<Heap, MemoryBlock> {
    @Override
    Heap createPool(TemporaryDirectory where) {
      return LlplPools.createRaw(where);
    }

    @Override
    MemoryBlock allocate(Heap where, long size) {
      return where.allocateMemoryBlock(size);
    }

    @Override
    void change(Heap where, MemoryBlock block, long n) {
      Transaction.create(
          where,
          () -> {
            block.addToTransaction(8, 3 * Long.BYTES);
            block.setLong(8, n);
            block.setLong(16, n + 1);
            block.setLong(24, n + 2);
          });
    }
  }
}
