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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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

  private TieredEngine open(HookedMedium.Hook hook) {
    TieredEngine engine =
        TieredOpener.open(
            directory,
            OPTIONS,
            medium -> new HookedMedium(medium, hook),
            Spiller.BASE_POOLS,
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
            WriteSet writes = new WriteSet();
            writes.putLong(16384 + 64L * i, i);
            writes.setRelaxed();
            long position = engine.commit(writes);
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
    try (TieredEngine again = TieredEngine.open(directory, OPTIONS)) {
      assertTrue(durable[0] > 0);
      for (int i = 1; i <= durable[0]; i++) {
        assertEquals(i, again.memory().getLong(16384 + 64L * i));
      }
    }
  }
}
