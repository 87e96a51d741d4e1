package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class UninterruptiblesTest {
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
    Uninterruptibles.join(awaited);
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
