package io.pmstore.core.tx;

import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Both kinds of thread. A body of a transaction that has another thread run to its end at a chosen
 * point writes an interleaving down as one program, which is the same in each run.
 */
public enum ThreadKind {
  /** Threads of the operating system. */
  PLATFORM {
    @Override
    Thread thread(Runnable task) {
      return Thread.ofPlatform().daemon().unstarted(task);
    }

    @Override
    public ExecutorService pool(int threads) {
      return Executors.newFixedThreadPool(threads);
    }
  },
  /** Threads of the JDK's scheduler. */
  VIRTUAL {
    @Override
    Thread thread(Runnable task) {
      return Thread.ofVirtual().unstarted(task);
    }

    @Override
    public ExecutorService pool(int threads) {
      return Executors.newVirtualThreadPerTaskExecutor();
    }
  };

  private static final long SECONDS_MAX = 60;

  /** Something that runs on another thread. */
  public static final class Running<T> {
    private final CompletableFuture<T> result = new CompletableFuture<>();
    private final Thread thread;

    private Running(ThreadKind kind, Callable<T> action) {
      thread =
          kind.thread(
              () -> {
                try {
                  result.complete(action.call());
                } catch (Throwable t) {
                  result.completeExceptionally(t);
                }
              });
      thread.start();
    }

    /**
     * Says whether it has ended.
     *
     * @return true if it has a result or an exception
     */
    public boolean isDone() {
      return result.isDone();
    }

    /**
     * Waits until the thread is inside a method, of any class.
     *
     * @param method its name
     */
    public void awaitIn(String method) {
      long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
      while (Arrays.stream(thread.getStackTrace())
          .noneMatch(frame -> frame.getMethodName().equals(method))) {
        if (result.isDone() || System.nanoTime() > limit) {
          throw new AssertionError("the thread never waited in " + method + ": " + result);
        }
        Thread.yield();
      }
    }

    /**
     * Waits for the end.
     *
     * @return the result
     */
    public T result() {
      try {
        return result.get(SECONDS_MAX, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        return ThreadKind.<T, RuntimeException>rethrow(e.getCause());
      } catch (TimeoutException e) {
        AssertionError hanging = new AssertionError("the other thread does not end; it is at");
        hanging.setStackTrace(thread.getStackTrace());
        throw hanging;
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  abstract Thread thread(Runnable task);

  /**
   * Lets other threads run, for a loop that never waits. The scheduler of virtual threads is not
   * fair: those that merely yield may take turns among themselves for ever.
   */
  public static void giveWay() {
    if (Thread.currentThread().isVirtual()) {
      LockSupport.parkNanos(1);
    } else {
      Thread.yield();
    }
  }

  /**
   * Threads for a stress test.
   *
   * @param threads how many at once, where they are not for free
   * @return their pool, to be closed
   */
  public abstract ExecutorService pool(int threads);

  /**
   * Runs an action on a thread of its own.
   *
   * @param <T> the type of its result
   * @param action what to do
   * @return its handle
   */
  public <T> Running<T> start(Callable<T> action) {
    return new Running<>(this, action);
  }

  /**
   * Runs an action on a thread of its own, to its end.
   *
   * @param <T> the type of its result
   * @param action what to do
   * @return its result; what it throws is thrown here
   */
  public <T> T run(Callable<T> action) {
    return start(action).result();
  }

  @SuppressWarnings("unchecked") // the compiler's checks of exceptions are what is got around here
  private static <T, X extends Throwable> T rethrow(Throwable t) throws X {
    throw (X) t;
  }
}
