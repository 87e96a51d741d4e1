package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.core.engine.ChildJvm;
import io.pmstore.core.engine.WriteSet;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A commit takes its memory before it changes anything. */
class CommitMemoryTest {
  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults().tieredPools(Storage.FILE).tieredPoolSize(64 << 20);
  private static final int MANY = 350_000; // their images take 45 MB
  private static final long START = 16384;

  /** A JVM with 56 MB. The argument: the directory of a store. */
  static final class Small {
    private Small() {}

    public static void main(String[] args) {
      try (TieredEngine engine = TieredEngine.open(Path.of(args[0]), OPTIONS)) {
        engine.grow(2 * HeapMemory.EXTENT_SIZE);
        engine.sync(engine.commit(writes(1000, 1)));
        assertThrows(OutOfMemoryError.class, () -> engine.commit(writes(MANY, 2)));
        assertEquals(1, engine.memory().getLong(START));
        engine.sync(engine.commit(writes(1000, 3)));
      }
    }
  }

  private static WriteSet writes(int blocks, long value) {
    WriteSet writes = new WriteSet();
    for (int i = 0; i < blocks; i++) {
      writes.putLong(START + (long) i * ImageLayout.BLOCK, value);
    }
    return writes;
  }

  @Test
  void aCommitThatFindsNoMemoryChangesNothing() throws IOException {
    Path directory = Files.createTempDirectory(OpenEngines.memory(), "pmstore-test-");
    try {
      new ChildJvm(Small.class, directory).withOptions("-XX:+UseSerialGC", "-Xmx56m").run();
      try (TieredEngine engine = TieredEngine.open(directory, OPTIONS)) {
        assertEquals(3, engine.memory().getLong(START));
        assertEquals(3, engine.memory().getLong(START + 999 * ImageLayout.BLOCK));
        assertEquals(0, engine.memory().getLong(START + 1000 * ImageLayout.BLOCK));
      }
    } finally {
      for (String name : new FileMedium(directory).list()) {
        Files.delete(directory.resolve(name));
      }
      Files.delete(directory);
    }
  }

  @Test
  void moreImagesThanAnArrayHasRoomForAreRefused() {
    WriteSet writes = new WriteSet();
    int bytes = 1 << 30;
    writes.lend((used, unused) -> used.range(START, new byte[0], 0, bytes), bytes);
    Batch batch = new Batch(UUID.randomUUID());
    batch.collect(writes, 1L << 32);
    assertEquals(bytes / ImageLayout.BLOCK, batch.count());
    TransactionTooLargeException e =
        assertThrows(TransactionTooLargeException.class, batch::reserve);
    assertTrue(e.getMessage().contains("Split it"), e.getMessage());
  }
}
