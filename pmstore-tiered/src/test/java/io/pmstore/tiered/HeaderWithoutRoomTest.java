package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system that copies on write may have no room even for a header that is there already. If
 * one copy names a spill by then, the spill must stay: its pool counts as empty.
 */
class HeaderWithoutRoomTest {
  private static final int COMMITS = 9000;

  private final AtomicInteger writesLeft = new AtomicInteger(-1);

  private void before(HookedMedium.Operation operation, String file) throws IOException {
    if (operation == HookedMedium.Operation.WRITE
        && file.equals(TieredLayout.HEADER)
        && writesLeft.get() >= 0
        && writesLeft.getAndDecrement() == 0) {
      throw new MediumException("writing the header", NativeCalls.ENOSPC);
    }
  }

  @Test
  void aSpillThatOneCopyNamesStays(@TempDir Path directory) throws Exception {
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(Storage.TIERED).tieredPoolSize(1 << 20);
    TieredEngine engine =
        TieredOpener.open(
            directory,
            options,
            medium -> new HookedMedium(medium, this::before),
            Spiller.BASE_POOLS,
            work -> Thread.ofPlatform().daemon().unstarted(work));
    engine.awaitIdle();
    writesLeft.set(1); // the first copy of the next header
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
          throw new AssertionError("no spill");
        });
    engine.close();
    try (TieredEngine again = TieredEngine.open(directory, options)) {
      assertTrue(durable[0] > 0);
      for (int i = 1; i <= durable[0]; i++) {
        assertEquals(i, again.memory().getLong(16384 + 64L * i));
      }
    }
  }
}
