package io.pmstore.core.engine.mapped.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.HookedMedium;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the heap and the log on persistent memory will write next is mapped before: no commit waits
 * for it. On a file nothing is: it would be private copies, which take memory.
 */
@Timeout(120)
class PopulateTest extends StoreTest {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final int SEGMENT = 1 << 20;

  /** Returns how many bytes of a mapped file the kernel has mapped pages for. */
  private static long resident(Path file) throws IOException {
    long kilobytes = 0;
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
      if (line.matches("[0-9a-f]+-[0-9a-f]+ .*")) {
        inside = line.endsWith(" " + file);
      } else if (inside && line.startsWith("Rss:")) {
        kilobytes += Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return kilobytes << 10;
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void theNextExtentIsMappedBeforeTheHeapGrowsIntoIt(Storage storage) throws Exception {
    Path store = directory("store");
    Thread test = Thread.currentThread();
    CountDownLatch preparing = new CountDownLatch(1);
    HookedMedium.Hook hook =
        (operation, file) -> {
          if (operation == Operation.MAP
              && file.equals(StoreLayout.HEAP)
              && Thread.currentThread() != test) {
            preparing.countDown();
          }
        };
    try (MappedEngine engine = openHooked(store, small(storage), hook)) {
      engine.grow(2 * EXTENT);
      preparing.await();
      engine.grow(3 * EXTENT); // waits for the background thread
      boolean mapped = resident(store.resolve(StoreLayout.HEAP)) >= EXTENT;
      assertEquals(storage == Storage.PERSISTENT_MEMORY, mapped);
      commit(engine, 2 * EXTENT, 2);
    }
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      assertEquals(2, engine.memory().getLong(2 * EXTENT));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void aNewSegmentIsMapped(Storage storage) throws IOException {
    Path store = directory("store");
    MappedEngine.open(store, small(storage)).close();
    boolean inPlace = storage == Storage.PERSISTENT_MEMORY;
    Medium medium = inPlace ? new PmemMedium(store) : new FileMedium(store);
    try (StoreFiles files = new StoreFiles(medium)) {
      LogSegments.Segment made = files.makeSegment(0, SEGMENT);
      assertEquals(inPlace, resident(store.resolve(made.file().name())) == SEGMENT);
    }
  }
}
