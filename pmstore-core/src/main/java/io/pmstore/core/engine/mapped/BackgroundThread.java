package io.pmstore.core.engine.mapped;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The engine's own thread: does what is asked for, each task once however often it was asked. */
final class BackgroundThread {
  /** What can be asked for. */
  static final class Task {
    private final Runnable work;
    private volatile boolean wanted;

    /**
     * Creates a task.
     *
     * @param work what to do; throws nothing
     */
    Task(Runnable work) {
      this.work = work;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
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

  /** Asks for a task; returns at once. */
  void ask(Task task) {
    if (task.wanted) {
      return;
    }
    lock.lock();
    try {
      task.wanted = true;
      asked.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (awaitTask()) {
      for (Task task : tasks) {
        if (task.wanted) {
          task.wanted = false; // first: who asks from now on is served again
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
          if (task.wanted) {
            return true;
          }
        }
        asked.awaitUninterruptibly();
      }
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the task that runs has ended; no other will. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
      asked.signal();
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
