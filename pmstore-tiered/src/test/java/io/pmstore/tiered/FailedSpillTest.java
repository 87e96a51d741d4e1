package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A spill that fails loses nothing that is durable. */
class FailedSpillTest {
  private static final int COMMITS = 9000;
  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults().storage(Storage.TIERED).tieredPoolSize(1 << 20);

  @TempDir Path directory;

  /**
   * A file system that copies on write may have no room even for a header that is there already. If
   * one copy names a spill by then, the spill must stay: its pool counts as empty.
   */
  @Test
  void aSpillThatOneCopyOfTheHeaderNamesStays() {
    AtomicInteger writesLeft = new AtomicInteger(-1);
    TieredEngine engine =
        open(
            (operation, file) -> {
              if (operation == HookedMedium.Operation.WRITE
                  && file.equals(TieredLayout.HEADER)
                  && writesLeft.get() >= 0
                  && writesLeft.getAndDecrement() == 0) {
                throw new MediumException("writing the header", NativeCalls.ENOSPC);
              }
            });
    writesLeft.set(1); // the first copy of the next header
    checkFails(engine);
  }

  /**
   * A sync that finds no room may have lost what was written, and a second one would not tell. So
   * the spill is not tried again.
   */
  @Test
  void aSpillThatCannotBeSyncedFailsTheStore() {
    AtomicBoolean isFull = new AtomicBoolean(true);
    TieredEngine engine =
        open(
            (operation, file) -> {
              if (operation == HookedMedium.Operation.SYNC
                  && TieredLayout.isSpill(file)
                  && isFull.getAndSet(false)) {
                throw MediumException.ofSync(file, NativeCalls.ENOSPC);
              }
            });
    checkFails(engine);
  }

  /**
   * An engine that fails takes its heap away. A base that is being made then would have no blocks,
   * and would replace all spills.
   */
  @Test
  void aBaseOfAFailedEngineReplacesNothing() throws Exception {
    CompletableFuture<Boolean> committed = new CompletableFuture<>();
    CountDownLatch failed = new CountDownLatch(1);
    AtomicReference<TieredEngine> opened = new AtomicReference<>();
    TieredEngine engine =
        open(
            (operation, file) -> {
              if (operation == HookedMedium.Operation.CREATE
                  && file.startsWith(TieredLayout.BASE)
                  && failed.getCount() > 0) {
                committed.join();
                opened.get().fail(new InternalError("failed beside a base"));
                failed.countDown();
              }
            },
            0); // a base after the first spill
    opened.set(engine);
    for (int i = 1; i <= COMMITS; i++) {
      commit(engine, i);
    }
    engine.sync(engine.position());
    committed.complete(true);
    assertTrue(failed.await(1, TimeUnit.MINUTES), "no base was begun");
    assertThrows(StoreFailedException.class, engine::position);
    engine.close();
    checkHolds(COMMITS);
  }

  private TieredEngine open(HookedMedium.Hook hook) {
    return open(hook, Spiller.BASE_POOLS);
  }

  private TieredEngine open(HookedMedium.Hook hook, int basePools) {
    TieredEngine engine =
        TieredOpener.open(
            directory,
            OPTIONS,
            medium -> new HookedMedium(medium, hook),
            basePools,
            work -> Thread.ofPlatform().daemon().unstarted(work));
    engine.awaitIdle();
    return engine;
  }

  /** Commits until a spill fails the engine; then opens the store and looks for what is durable. */
  private void checkFails(TieredEngine engine) {
    long[] durable = {0};
    assertThrows(
        PmStoreException.class,
        () -> {
          for (int i = 1; i <= COMMITS; i++) {
            long position = commit(engine, i);
            if (i % 100 == 0) {
              engine.sync(position);
              durable[0] = i;
            }
          }
          engine.awaitIdle();
          engine.sync(engine.position());
          throw new AssertionError("no spill has failed the engine");
        });
    assertThrows(StoreFailedException.class, engine::position);
    engine.close();
    assertTrue(durable[0] > 0);
    checkHolds(durable[0]);
  }

  private static long commit(TieredEngine engine, int number) {
    WriteSet writes = new WriteSet();
    writes.putLong(16384 + 64L * number, number);
    writes.setRelaxed();
    return engine.commit(writes);
  }

  private void checkHolds(long commits) {
    try (TieredEngine again = TieredEngine.open(directory, OPTIONS)) {
      for (int i = 1; i <= commits; i++) {
        assertEquals(i, again.memory().getLong(16384 + 64L * i));
      }
    }
  }
}
