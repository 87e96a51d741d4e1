package io.pmstore.core.tx;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes acknowledged transactions durable within the bound of a relaxed durability, on a thread of
 * its own.
 */
final class RelaxedSync {
  private static final Logger LOG = LoggerFactory.getLogger(RelaxedSync.class);

  private final Engine engine;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("pmstore-sync").factory());

  RelaxedSync(Engine engine, Duration bound) {
    this.engine = engine;
    // Half of the bound is left for the sync itself.
    long periodNanos = Math.max(1, bound.toNanos() / 2);
    // sync() handles all it can throw, so there is nothing to ask the future for.
    var _ =
        thread.scheduleWithFixedDelay(this::sync, periodNanos, periodNanos, TimeUnit.NANOSECONDS);
  }

  private void sync() {
    try {
      engine.sync(engine.position());
    } catch (StoreFailedException e) {
      // The engine refuses everything from now on, so every user of the store learns of it.
      LOG.error(
          "making relaxed transactions durable failed; the store refuses everything further", e);
      thread.shutdown();
    }
  }

  void close() {
    thread.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (thread.awaitTermination(1, TimeUnit.HOURS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
