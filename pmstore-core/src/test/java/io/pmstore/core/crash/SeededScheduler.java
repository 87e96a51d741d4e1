package io.pmstore.core.crash;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs virtual threads one at a time on the thread that calls {@link #run}, in an order drawn from
 * a seed: locks, conditions, parks and yields all reach its {@link SeededPool}. The same seed and
 * the same bodies give the same interleaving.
 *
 * <p>A thread runs until it yields, parks, waits for a lock or ends. So code between two {@link
 * #pause pauses} is one step for all other threads. Test bodies, and the media and engines around
 * the code under test, pause wherever another thread might interleave.
 *
 * <p>A run fails if it cannot be replayed: when a thread blocks on a monitor (a thread of the JVM
 * decides which one gets it), or when no thread is left that could wake the others.
 */
public final class SeededScheduler {
  private static final int STEPS_MAX = 2_000_000;
  // How the space allocator spreads threads; see newThread.
  private static final int STRIPES = 16;
  private static final double[] STICKINESS = {0, 0, 0.5, 0.9};

  private final SeededPool pool;
  private final List<Thread> threads = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private int made;
  private int running;
  private int steps;

  /**
   * Creates a scheduler without threads.
   *
   * @param seed what the order is drawn from
   */
  public SeededScheduler(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // Some runs switch at every step, others let a thread run on for a while: different
    // interleavings are likely in each.
    double stickiness = STICKINESS[random.nextInt(STICKINESS.length)];
    this.pool = new SeededPool(random, stickiness);
  }

  /** Lets other threads of the calling thread's scheduler run; does nothing on other threads. */
  public static void pause() {
    if (Thread.currentThread().isVirtual()) {
      Thread.yield();
    }
  }

  /**
   * Makes threads that {@link #run} does not wait for, such as those of an engine's own.
   *
   * @param name of the threads
   * @return a factory
   */
  public ThreadFactory threadFactory(String name) {
    return body -> newThread(name, body);
  }

  /**
   * Adds a thread that {@link #run} waits for. May be called before it, and by threads inside.
   *
   * @param name of the thread, for the trace
   * @param body what it does; an exception ends the run
   */
  public void start(String name, Body body) {
    running++;
    newThread(
            name,
            () -> {
              try {
                body.run();
              } catch (Throwable e) {
                failure.compareAndSet(null, e);
              } finally {
                running--;
              }
            })
        .start();
  }

  /** What a thread does. */
  @FunctionalInterface
  public interface Body {
    /**
     * Does it.
     *
     * @throws Exception to fail the run
     */
    void run() throws Exception;
  }

  private Thread newThread(String name, Runnable body) {
    Thread.Builder.OfVirtual builder = builder(pool).name(name);
    Thread thread;
    do {
      // Allocators choose by the thread's id, which depends on all threads that the process ever
      // had; its lowest bits are made to depend on this run only.
      thread = builder.unstarted(body);
    } while ((thread.threadId() - made) % STRIPES != 0);
    made++;
    threads.add(thread);
    return thread;
  }

  private static Thread.Builder.OfVirtual builder(SeededPool pool) {
    try {
      Constructor<?> constructor =
          Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
              .getDeclaredConstructor(java.util.concurrent.Executor.class);
      constructor.setAccessible(true);
      return (Thread.Builder.OfVirtual) constructor.newInstance(pool);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "this JDK's virtual threads cannot be given a scheduler: SeededScheduler needs another"
              + " way",
          e);
    }
  }

  /**
   * Runs until all started threads have ended, or one has failed.
   *
   * @param afterStep done after each step, on the calling thread, while no other runs
   * @throws Exception what a thread or afterStep threw
   */
  public void run(Body afterStep) throws Exception {
    while (running > 0 && failure.get() == null) {
      if (!pool.step(this::traceStep)) {
        throw new AssertionError("threads wait for ever: " + describeThreads());
      }
      checkReplayable();
      afterStep.run();
    }
    if (failure.get() != null) {
      rethrow(failure.get());
    }
  }

  private void checkReplayable() {
    if (++steps > STEPS_MAX) {
      throw new AssertionError("no end after %d steps: %s".formatted(steps, describeThreads()));
    }
    for (Thread thread : threads) {
      if (thread.getState() == Thread.State.BLOCKED) {
        throw new AssertionError(
            "a thread waits for a monitor that another holds across a pause; use a lock there, or"
                + " no pause: "
                + describeThreads());
      }
    }
    if (pool.wokenFromOutside()) {
      throw new AssertionError("a thread was woken from outside of the run: " + describeThreads());
    }
    threads.removeIf(thread -> thread.getState() == Thread.State.TERMINATED);
  }

  private static void rethrow(Throwable e) throws Exception {
    switch (e) {
      case Exception exception -> throw exception;
      case Error error -> throw error;
      default -> throw new AssertionError(e);
    }
  }

  private String describeThreads() {
    StringBuilder text = new StringBuilder();
    for (Thread thread : threads) {
      if (thread.getState() != Thread.State.TERMINATED) {
        text.append("\n\"%s\" %s".formatted(thread.getName(), thread.getState()));
        for (StackTraceElement frame : thread.getStackTrace()) {
          text.append("\n    at ").append(frame);
        }
      }
    }
    return text.toString();
  }

  private void traceStep(int thread) {
    trace.add("-" + thread);
  }

  /**
   * Notes what the running thread does, for {@link #trace}.
   *
   * @param what it does
   */
  public void note(String what) {
    trace.add(Thread.currentThread().getName() + ": " + what);
  }

  /**
   * What happened so far: which thread ran at each step, and what was noted.
   *
   * @return the trace, in order
   */
  public List<String> trace() {
    return trace;
  }

  /**
   * How far the run is.
   *
   * @return the steps so far
   */
  public int steps() {
    return steps;
  }
}
