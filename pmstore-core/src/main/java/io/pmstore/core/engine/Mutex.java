package io.pmstore.core.engine;

import java.util.concurrent.locks.ReentrantLock;

/** A lock for the head of a try statement: {@code try (var _ = lock.hold()) { ... }}. */
public final class Mutex extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private final transient Held held;

  /** Gives a lock back. */
  @FunctionalInterface
  public interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /** Creates a lock that nobody holds. */
  public Mutex() {
    held = this::unlock; // made once: a commit may find no memory
  }

  /** Waits for the lock and takes it. The thread gives it back at the end of the statement. */
  public Held hold() {
    lock();
    return held;
  }
}
