package io.pmstore.jmh.commit;

import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.pmstore.Storage;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Memory blocks of an LLPL pool, one for each thread. */
@State(Scope.Benchmark)
public class LlplState {
  private final TransactionalMemoryBlock[] blocks =
      new TransactionalMemoryBlock[Writer.THREADS_MAX];
  private TemporaryDirectory directory;
  private TransactionalHeap pool;

  /** Makes the pool. */
  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(Storage.LLPL);
    pool = LlplPools.create(directory);
    for (int i = 0; i < blocks.length; i++) {
      blocks[i] = pool.allocateMemoryBlock(32);
    }
  }

  /** Deletes it. */
  @TearDown
  public void delete() {
    directory.close();
  }

  /** What a user of LLPL writes for the three setters. */
  final void transaction(Writer writer) {
    TransactionalMemoryBlock block = blocks[writer.index];
    long n = ++writer.count;
    pool.execute(
        () -> {
          block.setLong(8, n);
          block.setLong(16, n + 1);
          block.setLong(24, n + 2);
        });
  }
}
