package io.pmstore.jmh.commit;

import java.nio.ByteBuffer;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/** One thread that commits: which object is its own, and what it writes next. */
@State(Scope.Thread)
public class Writer {
  /** The threads there can be. */
  static final int THREADS_MAX = 64;

  /** So many objects lie between those of two threads: no line and no page is shared. */
  private static final int SPACING = 256;

  /** The objects of a store, of which each thread has one. */
  static final int OBJECTS = THREADS_MAX * SPACING;

  /** The bytes of the bare logs: as many as a store's log has, so that no cache holds them. */
  static final int LOG_SIZE = 128 << 20;

  /** The bytes of a log record with three words, rounded up to cache lines. */
  private static final int RECORD = 128;

  final byte[] record = new byte[RECORD];
  final ByteBuffer buffer = ByteBuffer.allocateDirect(RECORD);
  int index;
  int object;
  long count;

  /** Finds the thread's own object. */
  @Setup
  public void start(ThreadParams threads) {
    index = threads.getThreadIndex();
    object = index * SPACING;
    if (index >= THREADS_MAX) {
      throw new IllegalArgumentException("use at most " + THREADS_MAX + " threads");
    }
  }
}
