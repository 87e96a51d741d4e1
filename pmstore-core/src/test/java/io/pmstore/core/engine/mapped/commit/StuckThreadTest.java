package io.pmstore.core.engine.mapped.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The processor can leave a thread in the midst of a commit for long. The commits behind it go on.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StuckThreadTest extends StoreTest {
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger writes = new AtomicInteger();
  private volatile boolean on;

  /** Leaves the first thread that writes a record, before it has. */
  private void before(Operation operation, String file) throws IOException {
    if (on
        && file.startsWith("log")
        && (operation == Operation.WRITE || operation == Operation.WRITE_RELAXED)
        && writes.incrementAndGet() == 1) {
      stuck.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private static long commitWord(Engine engine, int index, boolean relaxed) {
    WriteSet writes = new WriteSet();
    writes.putLong(Engine.RESERVED + 8L * index, index + 100);
    if (relaxed) {
      writes.setRelaxed();
    }
    return engine.commit(writes);
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void commitsDoNotWaitForAThreadThatDoesNotGoOn(Storage storage) throws Exception {
    Path directory = directory("store");
    Path killed = directory("killed");
    int behind = 200;
    try (MappedEngine engine = openHooked(directory, small(storage), this::before);
        ExecutorService threads = Executors.newSingleThreadExecutor()) {
      on = true;
      Future<Long> first = threads.submit(() -> commitWord(engine, 0, false));
      stuck.await();
      long last = 0;
      for (int i = 1; i <= behind; i++) {
        last = commitWord(engine, i, i % 2 == 0);
      }
      engine.sync(last);
      assertTrue(!first.isDone());
      // What was acknowledged survives the process, though the first thread has written nothing.
      copyAsAfterKill(directory, killed);
      released.countDown();
      assertEquals(last - behind, first.get());
      engine.sync(engine.position());
      for (int i = 0; i <= behind; i++) {
        assertEquals(i + 100, engine.memory().getLong(Engine.RESERVED + 8L * i), "word " + i);
      }
    }
    for (Path path : new Path[] {killed, directory}) {
      try (MappedEngine engine = MappedEngine.open(path, small(storage))) {
        for (int i = 0; i <= behind; i++) {
          assertEquals(i + 100, engine.memory().getLong(Engine.RESERVED + 8L * i), "word " + i);
        }
      }
    }
  }
}
