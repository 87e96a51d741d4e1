package io.pmstore.core.tx;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Whether new transactions and snapshots of a store may begin: admits them, holds them back for a
 * time, or refuses them for good. Thread-safe.
 *
 * <p>A new transaction or snapshot first becomes visible as running and then asks here. {@link
 * #hold} and {@link #close} first bar new ones and then look for running ones. So they miss none.
 */
public final class Admission {
  private volatile boolean open = true;
  private boolean closed; // guarded by this
  private @Nullable CompletableFuture<Void> held; // guarded by this

  /** Returns true if new ones begin now. */
  public boolean isOpen() {
    return open;
  }

  /** Holds new ones back until {@link #release}; does nothing if they are refused already. */
  synchronized void hold() {
    if (!closed && held == null) {
      held = new CompletableFuture<>();
      open = false;
    }
  }

  /** Ends {@link #hold}; those that wait begin. Does nothing if nothing is held back. */
  public synchronized void release() {
    open = !closed;
    wake();
  }

  /** Refuses new ones, and those that are held back. */
  synchronized void close() {
    closed = true;
    open = false;
    wake();
  }

  private void wake() {
    CompletableFuture<Void> ending = held;
    held = null;
    if (ending != null) {
      ending.complete(null);
    }
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Waits while new ones are held back. An interrupt does not end the wait, and stays pending. */
  public void await() {
    CompletableFuture<Void> wait;
    synchronized (this) {
      wait = held;
    }
    if (wait != null) {
      wait.join(); // lets a fork-join pool run another thread
    }
  }
}
