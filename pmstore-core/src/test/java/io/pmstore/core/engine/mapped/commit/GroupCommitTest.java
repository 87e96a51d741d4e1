package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commits that wait together share one sync of the log, while others append. */
@Timeout(60)
class GroupCommitTest extends StoreTest {
  private static final int FOLLOWERS = 8;

  private final AtomicInteger logSyncs = new AtomicInteger();
  private final CountDownLatch firstSyncBegun = new CountDownLatch(1);
  private final CountDownLatch firstSyncMayEnd = new CountDownLatch(1);
  private volatile boolean counting;
  private volatile boolean failing;

  private void before(Operation operation, String file) throws IOException {
    if (!counting || operation != Operation.SYNC || !file.startsWith("log")) {
      return;
    }
    if (logSyncs.incrementAndGet() == 1) {
      firstSyncBegun.countDown();
      try {
        firstSyncMayEnd.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      if (failing) {
        throw new MediumException("injected: sync of " + file, NativeCalls.EIO);
      }
    }
  }

  private MappedEngine openHooked() {
    return openHooked(directory("store"), small(Storage.FILE), this::before);
  }

  private static long commitWord(Engine engine, int index) {
    WriteSet writes = new WriteSet();
    writes.putLong(Engine.RESERVED + 8L * index, index);
    return engine.commit(writes);
  }

  /** Threads that commit and sync, and are all waiting for the sync that one of them is in. */
  private List<Thread> waiting(MappedEngine engine, Queue<Throwable> thrown)
      throws InterruptedException {
    counting = true;
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i <= FOLLOWERS; i++) {
      int index = i;
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      engine.sync(commitWord(engine, index));
                    } catch (Throwable e) {
                      thrown.add(e);
                    }
                  }));
      if (i == 0) {
        assertTrue(firstSyncBegun.await(30, TimeUnit.SECONDS));
      }
    }
    while (engine.position() < FOLLOWERS + 1
        || threads.stream().anyMatch(t -> t.getState() != Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
    return threads;
  }

  @Test
  void thoseThatWaitShareOneSync() throws InterruptedException {
    try (MappedEngine engine = openHooked()) {
      Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
      List<Thread> threads = waiting(engine, thrown);
      // All of them committed while the first one's sync was under way.
      assertEquals(1, logSyncs.get());
      assertEquals(FOLLOWERS, engine.memory().getLong(Engine.RESERVED + 8L * FOLLOWERS));
      firstSyncMayEnd.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(List.of(), List.copyOf(thrown));
      assertEquals(2, logSyncs.get(), "one for the first, one for all the others");
      engine.sync(engine.position());
      assertEquals(2, logSyncs.get(), "nothing is left to sync");
      long last = commitWord(engine, 0);
      engine.sync(last);
      engine.sync(last);
      assertEquals(3, logSyncs.get());
    }
  }

  @Test
  void aFailedSyncFailsAllThatWaitAndIsNotRetried() throws InterruptedException {
    failing = true;
    MappedEngine engine = openHooked();
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    List<Thread> threads = waiting(engine, thrown);
    firstSyncMayEnd.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(FOLLOWERS + 1, thrown.size());
    thrown.forEach(e -> assertInstanceOf(StoreFailedException.class, e));
    assertThrows(StoreFailedException.class, () -> engine.sync(1));
    engine.close();
    assertEquals(1, logSyncs.get(), "a second sync would succeed with the data lost");
  }

  @Test
  void aSyncOfWhatWasNeverCommittedIsRefused() {
    try (MappedEngine engine = openHooked()) {
      assertThrows(IllegalArgumentException.class, () -> engine.sync(1));
      assertFalse(counting);
    }
  }
}
