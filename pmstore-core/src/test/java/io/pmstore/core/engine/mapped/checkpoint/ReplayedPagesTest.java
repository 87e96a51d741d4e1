package io.pmstore.core.engine.mapped.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.engine.mapped.MappedEngine;
import io.pmstore.core.engine.mapped.StoreTest;
import io.pmstore.core.engine.mapped.files.StoreFiles;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.PmemMedium;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Replaying the log of a large transaction takes little memory, however often it is repeated. */
class ReplayedPagesTest extends StoreTest {
  private static final int LARGE = 12 << 20;
  private static final int BYTES_MAX = 1 << 20;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void whatIsReplayedIsInTheFileAndNotAllOfItInMemory(Storage storage) throws IOException {
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).logSegmentSize(2 << 20);
    Path store = directory("store");
    Path killed = store.resolveSibling("killed");
    byte[] contents = new byte[LARGE];
    Random random = new Random(seed());
    random.nextBytes(contents);
    // Nothing changes while the files are copied.
    try (MappedEngine engine = MappedEngine.open(store, options, NO_BACKGROUND)) {
      engine.grow(START + LARGE);
      WriteSet writes = new WriteSet();
      writes.put(START, contents, 0, LARGE);
      engine.commit(writes);
      for (int i = 0; i < 1000; i++) { // some pages once more, in commits of their own
        int at = random.nextInt(LARGE >>> 3) << 3;
        contents[at] = (byte) i;
        writes.clear();
        writes.put(START + at, contents, at, 8);
        engine.commit(writes);
      }
      copyAsAfterKill(store, killed);
    }
    boolean bounded = storage == Storage.FILE;
    for (int crash = 0; crash < 2; crash++) { // in the recovery: nothing is put down as done
      Medium medium = bounded ? new FileMedium(killed) : new PmemMedium(killed);
      StoreFiles files = new StoreFiles(medium);
      try {
        ReplayedPages pages = new ReplayedPages(files, BYTES_MAX);
        pages.replay();
        long kept = pages.phase().dirty().bytes();
        assertTrue(kept < BYTES_MAX, "bytes of pages: " + kept);
        byte[] found = new byte[LARGE];
        files.memory().read(START, found, 0, LARGE);
        assertArrayEquals(contents, found);
        byte[] inFile = readFrom(killed.resolve(StoreLayout.HEAP), START, LARGE);
        long missing = 0;
        for (int i = 0; i < LARGE; i++) {
          missing += inFile[i] == contents[i] ? 0 : 1;
        }
        assertTrue(missing <= kept, "bytes that the file lacks: " + missing);
      } finally {
        files.close();
      }
    }
    try (Engine engine = MappedEngine.open(killed, options)) {
      assertArrayEquals(contents, read(engine, START, LARGE));
      engine.verify((address, found, expected) -> assertEquals(expected, found, "at " + address));
      commit(engine, START, 7); // compares the page's checksum
      assertEquals(7, engine.memory().getLong(START));
    }
  }
}
