package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.workload.Worker;
import java.util.List;
import java.util.SplittableRandom;

/** One thread of customers; it remembers what was acknowledged. */
final class TpcbWorker implements Worker {
  private final TpcbStore store;
  private final TpcbSize size;
  private final SplittableRandom random;

  private Transfer next = new Transfer(0, 0, 0, 0);
  private long timeMillis;
  private long acknowledged;
  private long deltas;

  TpcbWorker(TpcbStore store, TpcbSize size, SplittableRandom random) {
    this.store = store;
    this.size = size;
    this.random = random;
  }

  @Override
  public int prepare() {
    next = Transfer.next(random, size);
    timeMillis = System.currentTimeMillis();
    return 0;
  }

  @Override
  public void perform() throws Exception {
    store.transfer(next, timeMillis);
    acknowledged++;
    deltas += next.delta();
  }

  /** What a bank adds up to that began with zero and of which these were the only customers. */
  static Totals expected(List<TpcbWorker> workers) {
    return Totals.of(
        workers.stream().mapToLong(worker -> worker.deltas).sum(),
        workers.stream().mapToLong(worker -> worker.acknowledged).sum());
  }
}
