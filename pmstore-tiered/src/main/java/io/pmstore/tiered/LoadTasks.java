package io.pmstore.tiered;

import io.pmstore.core.engine.Uninterruptibles;
import io.pmstore.core.medium.IoAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs the tasks of a recovery: in parallel if there is much to load, otherwise at once on the
 * calling thread. One thread submits tasks.
 */
final class LoadTasks implements AutoCloseable {
  /** From so many bytes on threads are started; fewer are loaded in a few milliseconds. */
  static final long PARALLEL_MIN = 32 << 20;

  private static final int THREADS_MAX = 8;

  private final @Nullable ExecutorService threads;
  private final List<Future<?>> running = new ArrayList<>();

  /**
   * Prepares.
   *
   * @param bytes how much is loaded
   */
  LoadTasks(long bytes) {
    int count = Math.min(THREADS_MAX, Runtime.getRuntime().availableProcessors());
    threads =
        bytes < PARALLEL_MIN || count == 1
            ? null
            : Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name("pmstore-tiered load ", 0).factory());
  }

  /**
   * Runs a task, or has it run by a thread of its own. Tasks between two {@link #await} touch
   * different bytes of the heap.
   */
  void run(IoAction task) throws IOException {
    if (threads == null) {
      task.run();
      return;
    }
    running.add(
        threads.submit(
            () -> {
              task.run();
              return null;
            }));
  }

  /**
   * Waits until all tasks are done.
   *
   * @throws IOException if one threw it; other exceptions of tasks are thrown too. No task runs
   *     then
   */
  void await() throws IOException {
    try {
      for (Future<?> task : running) {
        Object _ = Uninterruptibles.get(task);
      }
      running.clear();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case IOException thrown -> throw thrown;
        case RuntimeException thrown -> throw thrown;
        case Error thrown -> throw thrown;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    }
  }

  /** Ends all threads, after their present tasks. */
  @Override
  public void close() {
    if (threads != null) {
      threads.shutdownNow();
      threads.close();
    }
  }
}
