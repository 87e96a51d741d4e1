package io.pmstore.snapshot;

import io.pmstore.PmStore;
import io.pmstore.snapshot.Bank.Books;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

/** Threads that transfer money until they are closed; their exceptions are thrown then. */
final class Tellers implements AutoCloseable {
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean closing;

  Tellers(PmStore store, Books books, int threads) {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("Tellers: -Dpmstore.seed=" + seed);
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seed + i);
      running.add(
          pool.submit(
              () -> {
                while (!closing) {
                  Bank.transfer(store, books, random);
                }
              }));
    }
  }

  /** Waits until there have been more transfers. */
  void await(Books books, long more) {
    long before = books.getTransfers();
    while (books.getTransfers() < before + more && running.stream().noneMatch(Future::isDone)) {
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    closing = true;
    pool.close();
    for (Future<?> teller : running) {
      if (teller.state() != Future.State.SUCCESS) {
        throw new AssertionError("a teller failed", teller.exceptionNow());
      }
    }
  }
}
