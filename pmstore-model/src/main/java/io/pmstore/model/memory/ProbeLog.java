package io.pmstore.model.memory;

import io.pmstore.core.log.LogBarrier;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Appends records as commits do: each thread writes its own, and they share barriers. */
final class ProbeLog {
  private static final int RECORD = 128;

  private final MediumFile file;
  private final long bytes;
  private final boolean sharesBarriers;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong written = new AtomicLong();

  /**
   * Creates the log.
   *
   * @param sharesBarriers whether one sync covers what other threads have written. On persistent
   *     memory it does not: a fence acts for its own thread
   */
  ProbeLog(MediumFile file, long bytes, boolean sharesBarriers) {
    this.file = file;
    this.bytes = bytes;
    this.sharesBarriers = sharesBarriers;
  }

  double appends(int threads, int each, boolean durable) throws IOException, InterruptedException {
    LogBarrier barrier = new LogBarrier(0, written::get, file::sync);
    return Threads.run(
        threads,
        thread -> {
          byte[] record = new byte[RECORD];
          for (int i = 0; i < each; i++) {
            file.write(taken.getAndAdd(RECORD) % bytes, record, 0, RECORD);
            // Counted after it is written: then so many records are, and all before them.
            long sequence = written.incrementAndGet();
            if (durable && sharesBarriers) {
              barrier.await(sequence);
            } else if (durable) {
              file.sync();
            }
          }
          return written.get();
        });
  }
}
