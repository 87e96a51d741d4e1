package io.pmstore.proxy.layer;

import io.pmstore.proxy.bytecode.NativeImage;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.ReachableClasses;
import java.util.HashSet;

/**
 * The first use of the code that makes persistent classes, once in a process, on a thread of its
 * own: it takes the JVM as long as the opening of a store, and needs none.
 *
 * <p>Nobody else uses that code before the thread has ended, so that no two threads initialize its
 * classes, or the libraries', in different orders.
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

  /** Waits until all is done; begins if it has not begun. */
  static void await() {
    await(THREAD);
  }

  /** Waits for the end of a thread. An interrupt is kept for later. */
  static void await(Thread thread) {
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
