package io.pmstore.model.oms;

import io.pmstore.model.memory.FileMemory;
import io.pmstore.model.memory.ProbedMemory;
import io.pmstore.model.profile.Profile;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Measures what bare appends, barriers and hand-offs cost, just before and after the runs that are
 * compared with a prediction: on a shared machine a disk is not the same a minute later. No store
 * takes part.
 */
final class BareCosts implements AutoCloseable {
  private static final int HAND_OFFS = 500;
  private static final int SETTLING = 5;

  private final ProbedMemory memory;
  private final int barriers;
  private final int appends;

  /**
   * The costs.
   *
   * @param appendNanos a record is written
   * @param barrierNanos a record is written and made durable, by a thread alone
   * @param sharedNanos the same by each of some threads that share barriers
   * @param handOffNanos a thread is woken
   */
  record Costs(double appendNanos, double barrierNanos, double sharedNanos, double handOffNanos) {}

  BareCosts(Path directory) {
    memory = FileMemory.create(directory, FileMemory.BYTES_MIN);
    boolean isDisk = memory.kind() == Profile.Kind.DISK;
    barriers = isDisk ? 60 : 20_000;
    appends = isDisk ? 1_000 : 20_000;
  }

  /**
   * Measures.
   *
   * @param threads how many share barriers
   */
  Costs measure(int threads) throws IOException, InterruptedException {
    memory.appends(1, SETTLING, true); // what others left to be written before
    return new Costs(
        memory.appends(1, appends, false) / appends,
        memory.appends(1, barriers, true) / barriers,
        memory.appends(threads, barriers, true) / barriers,
        memory.handOffs(HAND_OFFS) / HAND_OFFS);
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
