package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bad parts of a growing pool, of one that was closed and one that was killed: each is refused
 * before PMDK maps it, and named. What a kill leaves of a part is put in order.
 */
class LlplPartsDamageTest extends EngineFixture {
  private static final long EXTENT = HeapMemory.EXTENT_SIZE;
  private static final int PARTS = 4;
  private static final long PART = 32 << 20;
  private static final int EXTENTS = 6;

  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected Engine open(Path directory) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(256 << 20));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }

  /** Two stores like each other: one that was closed, and one as a kill leaves it. */
  private List<Path> stores() throws IOException {
    Path closed = directory("closed");
    Engine engine = grown(closed);
    engine.close();
    Path alive = directory("alive");
    engine = grown(alive);
    Path killed = directory("killed");
    copyAsAfterKill(alive, killed);
    engine.close();
    assertEquals(PART + PartMark.SIZE, Files.size(part(killed, 1)));
    assertTrue(Files.exists(part(killed, PARTS - 1)));
    assertFalse(Files.exists(part(killed, PARTS)));
    return List.of(closed, killed);
  }

  private Engine grown(Path directory) {
    Engine engine = opened(directory);
    for (int i = 1; i <= EXTENTS; i++) {
      engine.grow(i * EXTENT); // one by one, so that there are several parts
      commit(engine, i * EXTENT - 8, i);
    }
    return engine;
  }

  private void assertOpens(Path directory) {
    Engine engine = opened(directory);
    for (int i = 1; i <= EXTENTS; i++) {
      assertEquals(i, engine.memory().getLong(i * EXTENT - 8));
    }
    engine.close();
  }

  private static Path part(Path directory, int number) {
    return PoolParts.file(directory.resolve("pool"), number);
  }

  private void assertRefused(Path directory, Path named, String what) throws IOException {
    List<Path> before = files(directory);
    for (int i = 0; i < 2; i++) {
      PmStoreException e = assertThrows(PmStoreException.class, () -> opened(directory), what);
      assertTrue(
          e instanceof StoreDamagedException || e instanceof StoreFormatException,
          () -> what + " gives " + e);
      assertTrue(e.getMessage().contains(named.toString()), () -> what + " gives " + e);
    }
    assertEquals(before, files(directory), "nothing was deleted");
  }

  @Test
  void aMissingPartIsNamed() throws IOException {
    for (Path directory : stores()) {
      Path aside = directory.resolve("pool/aside");
      for (int i = 0; i < PARTS; i++) {
        Path part = part(directory, i);
        Files.move(part, aside);
        assertRefused(directory, part, "no part " + i + " of " + directory);
        Files.move(aside, part);
      }
      assertOpens(directory);
    }
  }

  @Test
  void aPartOfAnotherSizeIsNamed() throws IOException {
    for (Path directory : stores()) {
      for (int i = 0; i < PARTS; i++) {
        Path part = part(directory, i);
        Path good = Files.copy(part, directory.resolve("good"));
        long size = Files.size(good);
        for (long wrong :
            new long[] {0, 1, 64, 4096, 4096 + 64, size / 2, size - 4096, size + 1, size + 4096}) {
          try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
            channel.truncate(wrong);
            if (wrong > size) {
              channel.write(ByteBuffer.allocate(1), wrong - 1);
            }
          }
          assertRefused(directory, part, "part " + i + " with " + wrong + " bytes");
          Files.copy(good, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.delete(good);
      }
      assertOpens(directory);
    }
  }

  @Test
  void swappedPartsAreNamed() throws IOException {
    for (Path directory : stores()) {
      Path aside = directory.resolve("aside");
      for (int i = 0; i < PARTS - 1; i++) {
        for (int swap = 0; swap < 2; swap++) { // and back
          Files.move(part(directory, i), aside);
          Files.move(part(directory, i + 1), part(directory, i));
          Files.move(aside, part(directory, i + 1));
          if (swap == 0) {
            assertRefused(directory, part(directory, i), "parts swapped from " + i);
          }
        }
      }
      assertOpens(directory);
    }
  }

  @Test
  void aPartOfAnotherStoreIsNamed() throws IOException {
    List<Path> stores = stores();
    Path closed = stores.getFirst();
    Path killed = stores.getLast();
    for (int i = 0; i < PARTS; i++) {
      Path own = part(killed, i);
      Path good = Files.move(own, killed.resolve("good"));
      Files.copy(part(closed, i), own);
      assertRefused(killed, own, "part " + i + " of another store");
      Files.move(good, own, StandardCopyOption.REPLACE_EXISTING);
    }
    assertOpens(killed);
  }

  @Test
  void whatPmdkWouldTakeForAPartIsNamed() throws IOException {
    for (Path directory : stores()) {
      Path foreign = directory.resolve("pool/copy.pmem");
      Files.copy(part(directory, 1), foreign);
      assertRefused(directory, Path.of("copy.pmem"), "a file with such a name");
      Files.delete(foreign);
      foreign = part(directory, PARTS);
      Files.copy(part(directory, 1), foreign);
      assertRefused(directory, foreign, "a part too many");
      Files.delete(foreign);
      Files.writeString(directory.resolve("pool/notes.txt"), "harmless");
      assertOpens(directory);
    }
  }

  /** Each step of growing, and the process killed behind it. */
  @Test
  void whatAKillLeavesOfAPartIsPutInOrder() throws IOException {
    for (Path directory : stores()) {
      Path last = part(directory, PARTS - 1);
      long length = Files.size(last) - PartMark.SIZE;
      for (long cut = 0; cut < PartMark.SIZE; cut += 21) {
        try (FileChannel channel = FileChannel.open(last, StandardOpenOption.WRITE)) {
          channel.truncate(length + cut);
        }
        assertOpens(directory);
        assertEquals(length + PartMark.SIZE, Files.size(last), "marked");
      }
      Path left = part(directory, PARTS);
      Path unfinished = directory.resolve("pool/part.new");
      Files.write(left, new byte[1 << 20]);
      Files.write(unfinished, new byte[4711]);
      Files.writeString(directory.resolve("pool.set"), "of some opening");
      assertOpens(directory);
      assertFalse(Files.exists(left));
      assertFalse(Files.exists(unfinished));
      Engine engine = opened(directory);
      engine.grow((EXTENTS + 2) * EXTENT);
      assertTrue(Files.size(left) > PART);
      engine.close();
      assertOpens(directory);
    }
  }
}
