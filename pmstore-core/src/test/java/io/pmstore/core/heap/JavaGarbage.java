package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.fail;

import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The JVM's own garbage collection, for tests of what happens when Java objects are collected. */
public final class JavaGarbage {
  private static final long PATIENCE_NANOS = 120_000_000_000L;

  private JavaGarbage() {}

  /** Has the JVM collect its garbage until something has come true; fails after two minutes. */
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

  /** Has the JVM collect its garbage until an object is gone that nothing holds any more. */
  public static void collect(WeakReference<?> gone) {
    collectUntil("a Java object that nothing holds is collected", () -> gone.refersTo(null));
  }
}
