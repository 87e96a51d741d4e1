package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.proxy.bytecode.PersistentClasses;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class PreparationTest {
  @Test
  void thePreparedClassesAreSomeThatStoresKeep() throws ClassNotFoundException {
    Class<?> enhanced = Class.forName(PreparedCode.NAME);
    assertEquals(
        List.of(),
        new ProxyLayerProvider()
            .check(PmStoreOptions.defaults(), List.of(PreparedBean.class, enhanced))
            .refusals());
    assertTrue(PersistentClasses.of(enhanced).isEnhanced());
    assertFalse(PersistentClasses.of(PreparedBean.class).isEnhanced());
  }

  /** Whoever did not wait could initialize the same classes in another order: a deadlock. */
  @Test
  void anInterruptedThreadWaitsAllTheSameAndStaysInterrupted() throws Exception {
    AtomicBoolean hasEnded = new AtomicBoolean();
    Thread waiter = Thread.currentThread();
    Thread awaited =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  awaitState(waiter, Thread.State.WAITING);
                  waiter.interrupt();
                  awaitUninterrupted(waiter);
                  awaitState(waiter, Thread.State.WAITING);
                  hasEnded.set(true);
                });
    Preparation.await(awaited);
    assertTrue(hasEnded.get());
    assertTrue(Thread.interrupted());
    assertFalse(awaited.isAlive());
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      Thread.onSpinWait();
    }
  }

  private static void awaitUninterrupted(Thread thread) {
    while (thread.isInterrupted()) {
      Thread.onSpinWait();
    }
  }
}
