package io.pmstore.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.memory.HeapMemory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An engine fails while a sync runs and a commit waits for room. The thread that fails it waits for
 * the end of the sync, and gets an error there. The commit ends all the same.
 */
public final class FailureBesideSync {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final CountDownLatch syncing = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> waited = new AtomicReference<>();
  private final AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
  private volatile boolean holdsSyncs;

  private FailureBesideSync() {}

  /**
   * Fails an engine.
   *
   * @param opener opens it with a hook in front of its files, and a background thread that does
   *     nothing: so its commits fill it
   */
  public static void check(Function<HookedMedium.Hook, Engine> opener) throws Exception {
    new FailureBesideSync().run(opener);
  }

  private void run(Function<HookedMedium.Hook, Engine> opener) throws Exception {
    try (Engine engine = opener.apply(this::before)) {
      HeapMemory memory = engine.memory();
      Thread waiting = start(() -> waited.set(thrownByCommits(engine)));
      awaitWaiting(waiting);
      assertTrue(engine.commitWaits() > 0, "the commit waits for room");

      holdsSyncs = true;
      Thread syncs = start(() -> engine.sync(engine.position()));
      EngineFixture.await(syncing);
      Thread fails = new Uninterruptible(() -> engine.fail(new InternalError("planted")));
      fails.setUncaughtExceptionHandler((thread, thrown) -> failed.set(thrown));
      fails.start();
      awaitWaiting(fails);
      fails.interrupt();
      while (fails.isInterrupted()) {
        Thread.onSpinWait(); // until its wait has noticed that
      }
      mayEnd.countDown();

      assertTrue(fails.join(SOON) && syncs.join(SOON));
      assertInstanceOf(Uninterruptible.Refusal.class, failed.get());
      assertTrue(waiting.join(SOON), "the commit still waits");
      assertInstanceOf(StoreFailedException.class, waited.get());
      assertThrows(RuntimeException.class, () -> memory.getLong(Engine.RESERVED));
      StoreFailedException later = assertThrows(StoreFailedException.class, engine::position);
      assertEquals("planted", String.valueOf(later.getCause().getMessage()));
    } finally {
      mayEnd.countDown();
    }
  }

  private void before(Operation operation, String file) {
    if (operation == Operation.SYNC && holdsSyncs) {
      syncing.countDown();
      EngineFixture.await(mayEnd);
    }
  }

  private static Thread start(Runnable body) {
    return Thread.ofPlatform().daemon().start(body);
  }

  private static Throwable thrownByCommits(Engine engine) {
    try {
      for (long i = 0; ; i++) {
        WriteSet writes = new WriteSet();
        writes.put(Engine.RESERVED, new byte[64 << 10], 0, 64 << 10);
        engine.commit(writes);
      }
    } catch (RuntimeException e) {
      return e;
    }
  }

  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      assertTrue(thread.isAlive());
      Thread.onSpinWait();
    }
  }

  /** A thread that gets an error when it restores its interrupt, as one without stack would. */
  private static final class Uninterruptible extends Thread {
    Uninterruptible(Runnable body) {
      super(body);
      setDaemon(true);
    }

    @Override
    public void interrupt() {
      if (Thread.currentThread() == this) {
        throw new Refusal();
      }
      super.interrupt();
    }

    static final class Refusal extends Error {
      private static final long serialVersionUID = 1L;
    }
  }
}
