package io.pmstore.tiered;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The engine's own thread: does one piece of work whenever it was requested. Thread-safe. */
final class Worker {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Runnable work;
  private final Thread thread;
  private volatile boolean requested;
  private boolean working;
  private volatile boolean stopping;

  /**
   * Creates the thread; {@link #start} starts it.
   *
   * @param work throws nothing
   */
  Worker(ThreadFactory factory, Runnable work) {
    this.work = work;
    this.thread = factory.newThread(this::run);
  }

  void start() {
    thread.start();
  }

  /** Requests the work; returns at once. */
  void request() {
    if (requested) {
      return;
    }
    lock.lock();
    try {
      requested = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean isStopping() {
    return stopping;
  }

  private void run() {
    while (awaitRequest()) {
      work.run();
    }
  }

  private boolean awaitRequest() {
    lock.lock();
    try {
      working = false;
      changed.signalAll();
      while (!stopping && !requested) {
        changed.awaitUninterruptibly();
      }
      requested = false; // first: a request from now on leads to another run
      working = !stopping;
      return working;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all requested work is done. */
  void awaitIdle() {
    lock.lock();
    try {
      while (thread.isAlive() && (requested || working)) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Stops the thread after its present work, and waits for its end. */
  void stop() {
    lock.lock();
    try {
      stopping = true;
      changed.signalAll();
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
