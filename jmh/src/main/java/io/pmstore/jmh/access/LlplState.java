package io.pmstore.jmh.access;

import com.intel.pmem.llpl.TransactionalHeap;
import com.intel.pmem.llpl.TransactionalMemoryBlock;
import io.pmstore.Storage;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Memory blocks of an LLPL pool, used by hand. */
@State(Scope.Benchmark)
public class LlplState {
  /** How many objects are accessed in turn; a power of two. */
  @Param({Access.ONE, Access.MANY})
  public int objects;

  private TemporaryDirectory directory;
  TransactionalHeap pool;
  TransactionalMemoryBlock[] blocks;
  int mask;

  /** Makes the pool. */
  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(Storage.LLPL);
    pool = LlplPools.createTransactional(directory);
    blocks = new TransactionalMemoryBlock[objects];
    mask = objects - 1;
    for (int i = 0; i < objects; i++) {
      blocks[i] = pool.allocateMemoryBlock(32);
    }
  }

  @TearDown
  public void delete() {
    directory.close();
  }
}
