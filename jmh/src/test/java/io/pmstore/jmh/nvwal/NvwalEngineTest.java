package io.pmstore.jmh.nvwal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the baseline does that the contract of engines does not name. */
class NvwalEngineTest extends EngineFixture {
  private static final int COMMITS = 300;
  private static final int WORDS = 2_000;

  @Override
  protected Engine open(Path directory) {
    return NvwalOpener.open(
        directory,
        NvwalSettings.of(directory, Map.of("log.size", Long.toString(NvwalSettings.SIZE_MIN))));
  }

  private static void fill(Engine engine) {
    for (int i = 0; i < COMMITS; i++) {
      WriteSet writes = new WriteSet();
      writes.put(START, new byte[WORDS * Long.BYTES], 0, WORDS * Long.BYTES);
      writes.putLong(START + (1 + i) * (long) (WORDS * Long.BYTES), i + 1);
      engine.commit(writes);
    }
  }

  private static void assertFilled(Engine engine) {
    for (int i = 0; i < COMMITS; i++) {
      assertEquals(i + 1, engine.memory().getLong(START + (1 + i) * (long) (WORDS * Long.BYTES)));
    }
  }

  @Test
  void aFullLogIsWrittenToAFileWhileCommitsWait() throws IOException {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    fill(engine);
    engine.grow(3 * HeapMemory.EXTENT_SIZE);
    assertEquals(4, engine.commitWaits()); // 300 commits of 16 KiB, in a log of 1 MiB
    Path killed = directory("killed");
    copyAsAfterKill(directory, killed);
    engine.close();
    for (Path left : new Path[] {directory, killed}) {
      assertTrue(Files.exists(left.resolve("nvwal-4")));
      Engine again = opened(left);
      assertEquals(COMMITS, again.position());
      assertEquals(3 * HeapMemory.EXTENT_SIZE, again.memory().size());
      assertFilled(again);
      again.close();
    }
  }

  @Test
  void aFileThatIsMissingOrCutShortIsReported() throws IOException {
    Path directory = directory("store");
    Engine engine = openedWithTwoExtents(directory);
    fill(engine);
    engine.close();
    Path file = directory.resolve("nvwal-2");
    byte[] contents = Files.readAllBytes(file);
    Files.delete(file);
    assertReported(directory);
    contents[contents.length / 2] ^= 1;
    Files.write(file, contents);
    assertReported(directory);
    contents[contents.length / 2] ^= 1;
    Files.write(file, contents);
    assertFilled(opened(directory));
  }

  private void assertReported(Path directory) {
    StoreDamagedException e = assertThrows(StoreDamagedException.class, () -> opened(directory));
    assertTrue(e.getMessage().contains("nvwal-2"), e.getMessage());
  }

  @Test
  void aStoreFindsItByNameAndByItsFiles() {
    Path directory = directory("store");
    PmStoreOptions named =
        PmStoreOptions.defaults()
            .engine(NvwalProvider.NAME, Map.of("log.size", Long.toString(1 << 20)));
    try (PmStore store = PmStore.open(directory, named)) {
      assertEquals(0, store.statistics().commitWaits());
    }
    PmStore.open(directory).close();
    PmStoreOptions unknown =
        PmStoreOptions.defaults().engine(NvwalProvider.NAME, Map.of("log.sise", "1"));
    PmStoreException e =
        assertThrows(PmStoreException.class, () -> PmStore.open(directory, unknown));
    assertTrue(e.getMessage().contains("log.sise"), e.getMessage());
  }
}
