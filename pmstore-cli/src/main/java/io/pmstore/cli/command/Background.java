package io.pmstore.cli.command;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;

/** Runs long work that shows no progress itself, beside a clock. */
final class Background {
  private static final Duration STEP = Duration.ofMillis(200);

  private Background() {}

  /**
   * Runs the work on another thread.
   *
   * @param work what is to be done
   * @param clock gets the seconds since the start, several times a second, on this thread
   * @throws Exception what the work threw
   */
  static <T> T run(Callable<T> work, LongConsumer clock) throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    long start = System.nanoTime();
    Thread thread = Thread.ofPlatform().name("pm work").start(task);
    while (true) {
      try {
        T result = task.get(STEP.toMillis(), TimeUnit.MILLISECONDS);
        thread.join();
        return result;
      } catch (TimeoutException e) {
        clock.accept(Duration.ofNanos(System.nanoTime() - start).toSeconds());
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case Exception cause -> throw cause;
          case Error cause -> throw cause;
          case null, default -> throw e;
        }
      }
    }
  }
}
