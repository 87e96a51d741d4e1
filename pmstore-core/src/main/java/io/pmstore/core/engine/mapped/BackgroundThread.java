package io.pmstore.core.engine.mapped;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine's own thread. It runs requested tasks; several requests before a task starts lead to
 * one run.
 */
final class BackgroundThread {
  /** A task that can be requested. */
  static final class Task {
    private final Runnable work;
    private volatile boolean requested;

    /**
     * Creates a task.
     *
     * @param work throws nothing
     */
    Task(Runnable work) {
      this.work = work;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Task[] tasks;
  private final Thread thread;
  private boolean stopping;

  BackgroundThread(ThreadFactory factory, Task... tasks) {
    this.tasks = tasks;
    this.thread = factory.newThread(this::run);
  }

  void start() {
    thread.start();
  }

  /** Requests a task; returns at once. */
  void request(Task task) {
    if (task.requested) {
      return;
    }
    lock.lock();
    try {
      task.requested = true;
      changed.signal();
    } finally {
      lock.unlock();
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
    lock.lock();
    try {
      while (!stopping) {
        for (Task task : tasks) {
          if (task.requested) {
            return true;
          }
        }
        changed.awaitUninterruptibly();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Stops the thread and waits for its end; no task runs afterwards. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
