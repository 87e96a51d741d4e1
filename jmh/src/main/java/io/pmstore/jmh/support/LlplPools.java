package io.pmstore.jmh.support;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.TransactionalHeap;
import io.pmstore.core.medium.Media;
import java.io.IOException;
import java.nio.file.Path;

/** Makes the pools of the benchmarks that use LLPL by hand. */
public final class LlplPools {
  /** The environment variable that makes PMDK write back cache lines on any file system. */
  public static final String FORCE = "PMEM_IS_PMEM_FORCE";

  private static final long SIZE = 64 << 20;

  private LlplPools() {}

  /**
   * Makes a pool of 64 MiB whose setters are transactional. LLPL has no way to close it: it stays
   * mapped until the process ends.
   *
   * @param directory where, made for LLPL
   */
  public static TransactionalHeap createTransactional(TemporaryDirectory directory) {
    return TransactionalHeap.createHeap(file(directory), SIZE);
  }

  /**
   * Makes such a pool whose setters are plain writes.
   *
   * @param directory where, made for LLPL
   */
  public static Heap createRaw(TemporaryDirectory directory) {
    return Heap.createHeap(file(directory), SIZE);
  }

  private static String file(TemporaryDirectory directory) {
    return directory.path().resolve("pool").toString();
  }

  /**
   * Makes sure that LLPL works and that what it does in a directory can be compared with what
   * pmstore does there.
   *
   * @param directory where the pool will be
   * @throws IOException if the mounted file systems cannot be found out
   */
  public static void require(Path directory) throws IOException {
    String skipped = "*** THE BENCHMARK IS SKIPPED: ";
    if (!"1".equals(System.getenv(FORCE)) && !Media.isDax(directory)) {
      throw new IllegalStateException(
          skipped
              + "PMDK would sync pages instead of writing back cache lines in "
              + directory
              + "; start with java -jar benchmarks.jar, or with "
              + FORCE
              + "=1 in the environment");
    }
    try {
      Class.forName("com.intel.pmem.llpl.AnyHeap");
    } catch (ClassNotFoundException | LinkageError e) {
      throw new IllegalStateException(
          skipped
              + "LLPL cannot be used here ("
              + e
              + "); run: sudo apt-get install libpmem1 libpmemobj1 libpmempool1",
          e);
    }
  }
}
