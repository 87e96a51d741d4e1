package io.pmstore.jmh.commit;

import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** One thread that commits: which object is its own, and what it writes next. */
@State(Scope.Thread)
public class Writer {
  /** The objects there are to be had. */
  static final int THREADS_MAX = 64;

  /** The bytes of a log record with three words, rounded up to cache lines. */
  private static final int RECORD = 128;

  final byte[] record = new byte[RECORD];
  final ByteBuffer buffer = ByteBuffer.allocateDirect(RECORD);
  int index;
  long count;

  /** Finds the thread's own object. */
  @Setup
  public void start(ThreadParams threads) {
    index = threads.getThreadIndex();
    if (index >= THREADS_MAX) {
      throw new IllegalArgumentException("use at most " + THREADS_MAX + " threads");
    }
  }
}
