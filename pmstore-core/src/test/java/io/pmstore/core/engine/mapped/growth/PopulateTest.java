package io.pmstore.core.engine.mapped.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Storage;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.log.LogSegments;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.PmemMedium;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the heap and the log will write next is in memory before: no commit has to wait for it. */
@Timeout(120)
class PopulateTest extends StoreTest {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final int SEGMENT = 1 << 20;

  /** Returns how many bytes of a mapped file the kernel has mapped pages for. */
  private static long resident(Path file) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("/proc/self/smaps"));
    long kilobytes = 0;
    boolean inside = false;
    for (String line : lines) {
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
  void theNextExtentIsInMemoryBeforeTheHeapGrowsIntoIt(Storage storage) throws Exception {
    Path store = directory("store");
    Path heap = store.resolve(StoreLayout.HEAP);
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      engine.grow(2 * EXTENT);
      while (resident(heap) < EXTENT) {
        Thread.sleep(1); // the background thread is at it
      }
      commit(engine, EXTENT, 1);
      engine.grow(3 * EXTENT);
      commit(engine, 2 * EXTENT, 2);
      assertEquals(1, engine.memory().getLong(EXTENT));
      assertEquals(2, engine.memory().getLong(2 * EXTENT));
    }
    try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
      assertEquals(1, engine.memory().getLong(EXTENT));
      assertEquals(2, engine.memory().getLong(2 * EXTENT));
    }
  }

  @Test
  void aNewSegmentOnPersistentMemoryIsInMemory() throws IOException {
    Path store = directory("store");
    MappedEngine.open(store, small(Storage.PERSISTENT_MEMORY)).close();
    try (StoreFiles files = new StoreFiles(new PmemMedium(store))) {
      LogSegments.Segment made = files.makeSegment(0, SEGMENT);
      assertEquals(SEGMENT, resident(store.resolve(made.file().name())));
    }
  }

  /** It is written by system calls: a private copy of its bytes would help nobody. */
  @Test
  void aNewSegmentOnAFileIsNotCopied() throws IOException {
    Path store = directory("store");
    MappedEngine.open(store, small(Storage.FILE)).close();
    try (StoreFiles files = new StoreFiles(new FileMedium(store))) {
      LogSegments.Segment made = files.makeSegment(0, SEGMENT);
      assertTrue(resident(store.resolve(made.file().name())) < SEGMENT);
    }
  }
}
