package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When a transaction waits for its barrier, and who asks for it otherwise. */
class RelaxedSyncTest {
  private record Sync(long position, Thread thread) {}

  private final MemoryEngine bytes = new MemoryEngine();
  private final LinkedBlockingQueue<Sync> syncs = new LinkedBlockingQueue<>();

  private Heap open(Durability durability) {
    Engine noting =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (_, method, arguments) -> {
                  if (method.getName().equals("sync")) {
                    syncs.add(new Sync((long) arguments[0], Thread.currentThread()));
                  }
                  try {
                    return method.invoke(bytes, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
    return new Heap(noting, durability, _ -> new NoObjects());
  }

  @Test
  void aSyncTransactionIsDurableBeforeItReturns() {
    Heap heap = open(Durability.SYNC);
    syncs.clear();
    heap.transaction(() -> heap.allocate(3, 16));
    assertEquals(new Sync(bytes.position(), Thread.currentThread()), syncs.poll());
    heap.close();
  }

  @Test
  void aRelaxedTransactionIsMadeDurableInTheBackgroundWithoutFurtherCommits() throws Exception {
    Heap heap = open(Durability.relaxed(Duration.ofMillis(20)));
    heap.transaction(() -> heap.allocate(3, 16));
    long committed = bytes.position();
    Sync sync;
    do {
      sync = syncs.poll(60, TimeUnit.SECONDS);
      assertTrue(sync != null, "nobody asked for the sync of commit " + committed);
    } while (sync.position() < committed);
    assertTrue(sync.thread() != Thread.currentThread(), "the committing thread waited for it");
    heap.close();
  }
}
