package io.pmstore.jmh.allocation;

import com.intel.pmem.llpl.TransactionalHeap;
import io.pmstore.Storage;
import io.pmstore.jmh.support.LlplPools;
import io.pmstore.jmh.support.TemporaryDirectory;
import java.io.IOException;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** An LLPL pool. */
@State(Scope.Benchmark)
public class LlplState {
  private TemporaryDirectory directory;
  TransactionalHeap pool;

  /** Makes the pool. */
  @Setup
  public void create() throws IOException {
    directory = TemporaryDirectory.create(Storage.LLPL);
    pool = LlplPools.createTransactional(directory);
  }

  @TearDown
  public void delete() {
    directory.close();
  }
}
