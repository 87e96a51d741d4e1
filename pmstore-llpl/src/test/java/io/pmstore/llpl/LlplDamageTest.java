package io.pmstore.llpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.PersistentHeap;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineFixture;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Bad files: each is refused before PMDK can trip over it, and the store opens again when it is
 * mended.
 */
class LlplDamageTest extends EngineFixture {
  static final long POOL_SIZE = PmStoreOptions.LLPL_POOL_SIZE_MIN;
  private static final byte[] ROOT_MAGIC = {'p', 'm', 's', 'r', 'o', 'o', 't', 0x1A};

  @BeforeAll
  static void available() {
    Llpl.assumeAvailable();
  }

  @Override
  protected Engine open(Path directory) {
    return LlplEngine.open(directory, PmStoreOptions.defaults().llplPoolSize(POOL_SIZE));
  }

  @Override
  protected Path parent() {
    return Llpl.memory();
  }

  /** The file that the pool starts in. */
  Path start(Path directory) {
    return directory.resolve("pool/000000.pmem");
  }

  /** Makes a foreign pool look like this store's to the last check but those of its contents. */
  void disguise(Path directory) throws IOException {
    PoolHeader header = PoolHeader.read(directory.resolve("pool.header"));
    new PartMark(header.uuid(), 0, POOL_SIZE).write(start(directory));
  }

  private Path closedStore() {
    Path directory = directory("store");
    Engine engine = opened(directory);
    commit(engine, START, 42);
    engine.close();
    return directory;
  }

  /** A store as a kill leaves it: its pool has no seal. */
  private Path killedStore() throws IOException {
    Path directory = directory("store");
    Engine engine = opened(directory);
    commit(engine, START, 42);
    Path killed = directory("killed");
    copyAsAfterKill(directory, killed);
    engine.close();
    return killed;
  }

  private void assertRefused(Path directory, String what) {
    PmStoreException e = assertThrows(PmStoreException.class, () -> opened(directory), what);
    assertTrue(
        e instanceof StoreDamagedException || e instanceof StoreFormatException,
        () -> what + " gives " + e);
  }

  private void assertOpens(Path directory) {
    Engine engine = opened(directory);
    assertEquals(42, engine.memory().getLong(START));
    engine.close();
  }

  private static void flip(Path file, long offset, int bit) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, offset);
      one.put(0, (byte) (one.get(0) ^ 1 << bit)).rewind();
      channel.write(one, offset);
    }
  }

  @Test
  void aFlippedBitAnywhereInTheHeaderIsFound() throws IOException {
    for (Path directory : new Path[] {closedStore(), killedCopyOf()}) {
      Path header = directory.resolve("pool.header");
      for (int offset = 0; offset < Files.size(header); offset++) {
        for (int bit = 0; bit < 8; bit += 7) {
          flip(header, offset, bit);
          assertRefused(directory, "bit " + bit + " of byte " + offset);
          flip(header, offset, bit);
        }
      }
      assertOpens(directory);
    }
  }

  private Path killedCopyOf() throws IOException {
    Path directory = directory("other");
    Engine engine = opened(directory);
    commit(engine, START, 42);
    Path killed = directory("killed");
    copyAsAfterKill(directory, killed);
    engine.close();
    return killed;
  }

  @Test
  void aFlippedBitInWhatPmdkTrustsIsFoundInAClosedPool() throws IOException {
    Random random = new Random(seed());
    Path directory = closedStore();
    Path pool = start(directory);
    // Ones that PMDK was seen to die of or to hang on, and any.
    long[] known = {
      0, 8, 24, 4096, 5120, 0x1800, 0x2000, 0x2008, 0x3000, 0x3400, 0x300000, 0x302400
    };
    for (int i = 0; i < 120; i++) {
      long offset = i < known.length ? known[i] : random.nextLong(4 << 20);
      int bit = random.nextInt(8);
      flip(pool, offset, bit);
      assertRefused(directory, "bit " + bit + " of byte " + offset);
      flip(pool, offset, bit);
    }
    assertOpens(directory);
  }

  /**
   * A kill between PMDK's write of a log of words and its emptying: the log says how much of itself
   * was written, not how much it has room for, and PMDK carries it out at the next opening.
   */
  @Test
  void aLogOfWordsThatWasWrittenInPartIsCarriedOut() throws IOException {
    Path killed = killedStore();
    for (int capacity : new int[] {64, 128, 192}) {
      assertCarriedOut(killed, 0, capacity);
    }
    for (int capacity = 64; capacity <= 640; capacity += 192) {
      assertCarriedOut(killed, 256, capacity);
    }
  }

  private void assertCarriedOut(Path killed, int log, int capacity) throws IOException {
    Path directory = directory("log" + log + "of" + capacity);
    copyAsAfterKill(killed, directory);
    writeLogOfWords(start(directory), log, capacity);
    assertOpens(directory);
    assertEquals(capacity, word(start(directory), WORD_OF_A_LANE), "what the log says");
  }

  @Test
  void aLogOfWordsWithMoreThanItsRoomIsRefused() throws IOException {
    Path directory = killedStore();
    for (int capacity : new int[] {-64, 63, 256}) {
      writeLogOfWords(start(directory), 0, capacity);
      StoreDamagedException e = assertThrows(StoreDamagedException.class, () -> opened(directory));
      assertTrue(e.getMessage().contains("capacity of " + capacity), e.getMessage());
    }
  }

  /** In lane 3, the last word of a log that has room for it and is not in use. */
  private static final int WORD_OF_A_LANE = 0x2000 + 3 * 3072 + 256 + 64 + 632;

  /** Writes a log with one entry into lane 5 as {@code ulog_store} of PMDK does. */
  private static void writeLogOfWords(Path pool, int log, int capacity) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.allocate(64 + Math.max(64, capacity)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putLong(16, capacity).putLong(64, WORD_OF_A_LANE).putLong(72, capacity);
    int low = 0;
    int high = 0;
    for (int i = 0; i < 64 + 16; i += 4) {
      low += bytes.getInt(i);
      high += low;
    }
    bytes.putLong(0, (long) high << 32 | low & 0xFFFF_FFFFL);
    try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
      channel.write(bytes, 0x2000 + 5 * 3072 + log);
    }
  }

  private static long word(Path file, long offset) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      ByteBuffer one = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      channel.read(one, offset);
      return one.getLong(0);
    }
  }

  @Test
  void aFlippedBitInTheRootBlockIsFoundInAKilledPool() throws IOException {
    Path directory = killedStore();
    Path pool = start(directory);
    byte[] bytes = Files.readAllBytes(pool);
    long root = find(bytes, ROOT_MAGIC);
    // The size that LLPL keeps before the block, all fields, the handle: each opening is a trial.
    for (long offset = root - 8; offset < root + 72; offset += 4) {
      long at = offset + offset / 4 % 4;
      flip(pool, at, (int) offset / 4 & 7);
      assertRefused(directory, "byte " + (at - root) + " of the root block");
      flip(pool, at, (int) offset / 4 & 7);
    }
    // What LLPL keeps before the first extent's block.
    long handle = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong((int) root + 64);
    for (int i = 0; i < 8; i += 3) {
      flip(pool, handle + i, i);
      assertRefused(directory, "byte " + i + " of the first extent's size");
      flip(pool, handle + i, i);
    }
    assertOpens(directory);
  }

  private static long find(byte[] bytes, byte[] wanted) {
    for (int i = 0; i < bytes.length - wanted.length; i += 8) {
      if (java.util.Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
        return i;
      }
    }
    throw new AssertionError("no root block");
  }

  @Test
  void aPoolOfAnotherSizeIsRefused() throws IOException {
    for (Path directory : new Path[] {closedStore(), killedCopyOf()}) {
      Path pool = start(directory);
      Path good = Files.copy(pool, directory.resolve("good"));
      for (long size :
          new long[] {
            0, 1, 4095, 4096, 8192, 1 << 20, POOL_SIZE / 2, POOL_SIZE - 4096, POOL_SIZE - 1
          }) {
        try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.WRITE)) {
          channel.truncate(size);
        }
        assertRefused(directory, size + " bytes");
        Files.copy(good, pool, StandardCopyOption.REPLACE_EXISTING);
      }
      try (FileChannel channel = FileChannel.open(pool, StandardOpenOption.APPEND)) {
        channel.write(ByteBuffer.allocate(1));
      }
      assertRefused(directory, "one byte more");
      Files.copy(good, pool, StandardCopyOption.REPLACE_EXISTING);
      assertOpens(directory);
    }
  }

  @Test
  void aNewerFormatIsNamed() throws IOException {
    Path directory = closedStore();
    Path header = directory.resolve("pool.header");
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(header)).order(ByteOrder.LITTLE_ENDIAN);
    bytes.putInt(8, 7);
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), 0, 60);
    bytes.putInt(60, (int) crc.getValue());
    Files.write(header, bytes.array());
    StoreFormatException e = assertThrows(StoreFormatException.class, () -> opened(directory));
    assertTrue(e.getMessage().contains("version 7"), e.getMessage());
    assertTrue(e.getMessage().contains("versions 1 and 2"), e.getMessage());
  }

  @Test
  void aPoolOfSomebodyElseIsRefused() throws IOException {
    Path own = directory("own");
    Path heap = own.resolve("heap");
    new LlplPool(Heap.createHeap(heap.toString(), POOL_SIZE)).close();
    Path directory = killedStore();
    Path pool = start(directory);
    Files.move(heap, pool, StandardCopyOption.REPLACE_EXISTING);
    disguise(directory);
    StoreDamagedException damaged =
        assertThrows(StoreDamagedException.class, () -> opened(directory));
    assertTrue(damaged.getMessage().matches("(?s).*(root block|incompat).*"), damaged.getMessage());

    // Another kind of pool; the one still open here does not matter.
    PersistentHeap.createHeap(heap.toString(), POOL_SIZE);
    Files.copy(heap, pool, StandardCopyOption.REPLACE_EXISTING);
    disguise(directory);
    StoreFormatException format = assertThrows(StoreFormatException.class, () -> opened(directory));
    assertTrue(format.getMessage().contains("llpl_persistent_heap"), format.getMessage());
  }

  @Test
  void thePoolOfAnotherStoreIsRefused() throws IOException {
    Path directory = killedStore();
    Path other = directory("second");
    opened(other).close();
    Files.copy(start(other), start(directory), StandardCopyOption.REPLACE_EXISTING);
    StoreDamagedException e = assertThrows(StoreDamagedException.class, () -> opened(directory));
    assertTrue(e.getMessage().contains("store"), e.getMessage());
    opened(other).close();
  }

  @Test
  void aMissingFileIsNotANewStore() throws IOException {
    Path directory = closedStore();
    Path pool = directory.resolve("pool");
    Path header = directory.resolve("pool.header");
    Path aside = directory.resolve("aside");
    Files.move(pool, aside);
    assertTrue(new LlplProvider().recognizes(directory));
    assertThrows(StoreDamagedException.class, () -> opened(directory));
    assertThrows(StoreDamagedException.class, () -> opened(directory));
    Files.move(aside, pool);
    Files.move(header, aside);
    assertTrue(new LlplProvider().recognizes(directory));
    assertThrows(StoreFormatException.class, () -> opened(directory));
    Files.move(aside, header);
    assertOpens(directory);
  }

  @Test
  void anInterruptedCreationIsMadeAnew() throws IOException {
    Path whole = closedStore();
    for (boolean withHeader : new boolean[] {false, true}) {
      Path directory = directory("interrupted" + withHeader);
      Path made =
          directory.resolve(whole.relativize(start(whole)).toString().replace("pool", "pool.new"));
      Files.createDirectories(made.getParent());
      Files.copy(start(whole), made);
      if (withHeader) {
        Files.copy(whole.resolve("pool.header"), directory.resolve("pool.header"));
      } else {
        try (FileChannel channel = FileChannel.open(made, StandardOpenOption.WRITE)) {
          channel.truncate(12_345);
        }
      }
      assertTrue(!new LlplProvider().recognizes(directory));
      Engine engine = opened(directory);
      assertEquals(0, engine.memory().getLong(START));
      assertTrue(Files.notExists(directory.resolve("pool.new")));
      engine.close();
    }
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused() throws IOException {
    Path file = Files.createFile(directory("parent").resolve("store"));
    StoreFormatException e = assertThrows(StoreFormatException.class, () -> opened(file));
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
  }

  @Test
  void aDirectoryWithOtherThingsIsLeftAsItIs() throws IOException {
    Path directory = directory("documents");
    Path file = Files.writeString(directory.resolve("heap"), "of a mapped store, say");
    StoreFormatException e = assertThrows(StoreFormatException.class, () -> opened(directory));
    assertTrue(e.getMessage().contains("[heap]"), e.getMessage());
    Files.move(file, directory.resolve("pool"));
    assertThrows(StoreFormatException.class, () -> opened(directory));
    try (Stream<Path> entries = Files.list(directory)) {
      assertEquals(List.of(directory.resolve("pool")), entries.toList(), "no lock file either");
    }
  }

  @Test
  void aStoreIsMadeWithItsDirectories() {
    Path directory = directory("parent").resolve("a/b");
    commit(opened(directory), START, 1);
  }
}
