package io.pmstore.tiered;

import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Logs the progress of loading a store, once a second. Logs nothing if loading takes less than a
 * second. Thread-safe.
 */
final class LoadProgress {
  private static final long EVERY_NANOS = 1_000_000_000;
  private static final int MIB_SHIFT = 20;

  private final Path directory;
  private final long total;
  private final LongSupplier nanoTime;
  private final Consumer<String> log;
  private final long began;
  private final AtomicLong told;
  private final AtomicLong loaded = new AtomicLong();

  /**
   * Begins.
   *
   * @param directory of the store
   * @param total bytes of all that is read
   */
  LoadProgress(Path directory, long total) {
    this(
        directory,
        total,
        System::nanoTime,
        message -> System.getLogger(LoadProgress.class.getName()).log(Level.INFO, message));
  }

  /** For tests: with another clock. */
  LoadProgress(Path directory, long total, LongSupplier nanoTime, Consumer<String> log) {
    this.directory = directory;
    this.total = total;
    this.nanoTime = nanoTime;
    this.log = log;
    this.began = nanoTime.getAsLong();
    this.told = new AtomicLong(began);
  }

  /** Notes that bytes were read and loaded. */
  void add(long bytes) {
    long sum = loaded.addAndGet(bytes);
    long last = told.get();
    long now = nanoTime.getAsLong();
    if (now - last >= EVERY_NANOS && told.compareAndSet(last, now)) {
      log.accept(
          "loading the store in %s: %,d of %,d MiB"
              .formatted(directory, sum >> MIB_SHIFT, total >> MIB_SHIFT));
    }
  }

  /** Tells how long it took, if it told anything before. */
  void done() {
    if (told.get() != began) {
      log.accept(
          "the store in %s is loaded: %,d MiB in %.1f s"
              .formatted(
                  directory,
                  loaded.get() >> MIB_SHIFT,
                  (nanoTime.getAsLong() - began) / (double) EVERY_NANOS));
    }
  }
}
