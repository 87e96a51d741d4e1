package io.pmstore.proxy.layer;

import io.pmstore.core.engine.Uninterruptibles;
import io.pmstore.proxy.bytecode.NativeImage;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.ReachableClasses;
import java.util.HashSet;

/**
 * Uses the code that makes persistent classes for the first time, once in a process, on another
 * thread. The JVM needs as much time for this as for opening a store, and it needs no store for it.
 *
 * <p>No other thread uses that code before the thread has ended, so that no two threads initialize
 * its classes, or those of libraries, in different orders.
 */
final class Preparation {
  private static final Thread THREAD = start();

  private Preparation() {}

  private static Thread start() {
    return Thread.ofPlatform()
        .name("pmstore-prepare")
        .daemon()
        .inheritInheritableThreadLocals(false)
        .start(
            () -> {
              if (!NativeImage.isRunning()) {
                PersistentClasses.of(PreparedBean.class);
              }
              examineEnhanced();
              ReachableClasses.visit(PreparedBean.class, new HashSet<Class<?>>()::add);
              boolean _ = NodeShapes.all().equals(NodeShapes.all());
            });
  }

  private static void examineEnhanced() {
    try {
      PersistentClasses.of(Class.forName(PreparedCode.NAME));
    } catch (ClassNotFoundException e) {
      // Only a compiler has run, or a tool has dropped the class: the first object takes longer.
    }
  }

  /** Begins, unless it has begun. */
  static void begin() {
    // The class is initialized.
  }

  /**
   * Waits until all is done; begins if it has not begun. An interrupt does not end the wait: the
   * thread could initialize the same classes in another order, which is a deadlock.
   */
  static void await() {
    Uninterruptibles.join(THREAD);
  }
}
