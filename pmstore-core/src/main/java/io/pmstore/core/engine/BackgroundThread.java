package io.pmstore.core.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;

/**
 * An engine's own thread. It runs requested tasks; several requests before a task starts lead to
 * one run. Thread-safe.
 */
public final class BackgroundThread {
  /** A task that can be requested. */
  public static final class Task {
    private final Runnable work;
    private volatile boolean requested;

    /**
     * Creates a task.
     *
     * @param work throws nothing
     */
    public Task(Runnable work) {
      this.work = work;
    }
  }

  private final Mutex lock = new Mutex();
  private final Condition changed = lock.newCondition();
  private final Task[] tasks;
  private final Thread thread;
  private boolean working;
  private volatile boolean stopping;

  /** Creates the thread; {@link #start} starts it. */
  public BackgroundThread(ThreadFactory factory, Task... tasks) {
    this.tasks = tasks.clone();
    this.thread = factory.newThread(this::run);
  }

  public void start() {
    thread.start();
  }

  /** Requests a task; returns at once. */
  public void request(Task task) {
    if (task.requested) {
      return;
    }
    try (var _ = lock.hold()) {
      task.requested = true;
      changed.signalAll();
    }
  }

  private void run() {
    while (awaitTask()) {
      for (Task task : tasks) {
        if (task.requested) {
          task.requested = false; // first: a request from now on leads to another run
          task.work.run();
        }
      }
    }
  }

  private boolean awaitTask() {
    try (var _ = lock.hold()) {
      working = false;
      changed.signalAll();
      while (!stopping) {
        if (isRequested()) {
          working = true;
          return true;
        }
        changed.awaitUninterruptibly();
      }
      return false;
    }
  }

  private boolean isRequested() {
    for (Task task : tasks) {
      if (task.requested) {
        return true;
      }
    }
    return false;
  }

  /** Returns true once {@link #stop} was called: a long task may give up. */
  public boolean isStopping() {
    return stopping;
  }

  /** Waits until all requested tasks have run, or the thread has ended. */
  public void awaitIdle() {
    try (var _ = lock.hold()) {
      while (thread.isAlive() && !stopping && (working || isRequested())) {
        changed.awaitUninterruptibly();
      }
    }
  }

  /** Stops the thread and waits for its end; no task runs afterwards. */
  public void stop() {
    try (var _ = lock.hold()) {
      stopping = true;
      changed.signalAll();
    }
    Uninterruptibles.join(thread);
  }
}
