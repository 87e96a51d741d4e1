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

  /** Ends a transaction of LLPL without a commit. */
  private static final class Abort extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // it carries no state
    private static final Abort INSTANCE = new Abort();

    private Abort() {
      super("the benchmark wanted no commit", null, false, false);
    }
  }

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

  /** Runs a body in a transaction and rolls it back. */
  @SuppressWarnings("EmptyCatch") // it has done its work
  final void rolledBack(Runnable body) {
    try {
      pool.execute(
          () -> {
            body.run();
            throw Abort.INSTANCE;
          });
    } catch (Abort done) {
      // Thrown above.
    }
  }
}
