package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The JVM's own garbage collection, for tests of what happens when Java objects are collected. */
public final class JavaGarbage {
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private JavaGarbage() {}

  /** Makes the JVM collect its garbage until a condition is true; fails after two minutes. */
  public static void collectUntil(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        fail("not within two minutes, though Java's garbage was collected: " + what);
      }
      System.gc();
      LockSupport.parkNanos(1_000_000); // references are enqueued by another thread
    }
  }

  /** Makes the JVM collect its garbage until it has collected an object that nothing holds. */
  public static void collect(WeakReference<?> gone) {
    collectUntil("a Java object that nothing holds is collected", () -> gone.refersTo(null));
  }
}
