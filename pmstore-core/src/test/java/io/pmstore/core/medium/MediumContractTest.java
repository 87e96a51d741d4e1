package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.core.memory.HeapMemory;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every medium does, on a device that works. What a power cut leaves is for crash tests. */
public abstract class MediumContractTest {
  private static final int PAGE = 4096;
  private static final long SPACE = HeapMemory.EXTENT_SIZE;

  @TempDir Path directory;
  private Medium medium = new FileMedium(Path.of(""));
  private Arena arena = Arena.global();

  /** Creates a medium that can change an empty directory. */
  protected abstract Medium medium(Path directory);

  @BeforeEach
  final void open() {
    medium = medium(directory);
    arena = Arena.ofShared();
  }

  @AfterEach
  final void close() {
    arena.close();
  }

  private MediumFile file(long size) throws IOException {
    MediumFile file = medium.create("file");
    file.allocate(0, size, false);
    return file;
  }

  private static byte[] read(MediumFile file, long offset, int length) throws IOException {
    byte[] bytes = new byte[length];
    file.read(offset, bytes, 0, length);
    return bytes;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  private static byte[] word(long value) {
    byte[] bytes = new byte[Long.BYTES];
    MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
    return bytes;
  }

  /** Maps the start of a file as the memory of a heap of one extent. */
  private HeapMemory heap(MediumFile file, long size) throws IOException {
    HeapMemory heap = new HeapMemory();
    heap.addExtent(file.map(0, size, SPACE, arena));
    heap.setWritableBytes(size);
    return heap;
  }

  @Test
  void aNewFileIsEmptyAndHasItsName() throws IOException {
    assertEquals(new TreeSet<>(), medium.list());
    assertEquals(directory, medium.directory());
    try (MediumFile file = medium.create("b");
        MediumFile other = medium.create("a")) {
      assertEquals("b", file.name());
      assertEquals("a", other.name());
      assertEquals(0, file.size());
    }
    assertEquals(List.of("a", "b"), List.copyOf(medium.list()));
  }

  @Test
  void aFileIsCreatedOnceAndOpenedWhileItExists() throws IOException {
    assertThrows(IOException.class, () -> medium.open("file"));
    file(10).close();
    assertThrows(IOException.class, () -> medium.create("file"));
    try (MediumFile file = medium.open("file")) {
      assertEquals("file", file.name());
      assertEquals(10, file.size());
    }
    medium.delete("file");
    assertThrows(IOException.class, () -> medium.open("file"));
    medium.syncDirectory();
    assertEquals(new TreeSet<>(), medium.list());
  }

  @Test
  void aRenamedFileTakesThePlaceOfAnother() throws IOException {
    try (MediumFile file = file(3)) {
      file.write(0, bytes(1, 2, 3), 0, 3);
    }
    medium.create("other").close();
    medium.rename("file", "other");
    medium.syncDirectory();
    assertEquals(List.of("other"), List.copyOf(medium.list()));
    try (MediumFile file = medium.open("other")) {
      assertArrayEquals(bytes(1, 2, 3), read(file, 0, 3));
    }
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    try (MediumFile file = file(10_000)) {
      byte[] source = bytes(1, 2, 3, 4);
      file.write(9_997, source, 1, 3);
      file.sync();
      byte[] target = new byte[6];
      file.read(9_996, target, 1, 4);
      assertArrayEquals(bytes(0, 0, 2, 3, 4, 0), target);
      file.write(0, arena.allocate(5).copyFrom(MemorySegment.ofArray(bytes(5, 6, 7, 8, 9))));
      assertArrayEquals(bytes(5, 6, 7, 8, 9, 0), read(file, 0, 6));
      file.write(100, source, 4, 0);
      file.read(10_000, target, 0, 0);
    }
  }

  /** One part in mapped bytes, one behind them, one in both. */
  @Test
  void partsAreWrittenWhereTheyBelong() throws IOException {
    try (MediumFile file = file(12_288)) {
      file.map(0, 8_192, 8_192, arena);
      byte[] source = bytes(1, 2, 3, 4, 5, 6, 7, 8);
      file.write(8_190, source, 0, 4);
      file.write(64, source, 4, 1);
      file.write(12_280, source, 5, 3);
      file.sync();
      assertArrayEquals(bytes(0, 1, 2, 3, 4, 0), read(file, 8_189, 6));
      assertArrayEquals(bytes(0, 5, 0), read(file, 63, 3));
      assertArrayEquals(bytes(0, 6, 7, 8, 0, 0), read(file, 12_279, 6));
      assertArrayEquals(bytes(0, 0), read(file, 0, 2));
    }
  }

  @Test
  void readsEndWhereTheFileDoes() throws IOException {
    try (MediumFile file = file(100)) {
      assertThrows(EOFException.class, () -> read(file, 97, 4));
      assertThrows(EOFException.class, () -> read(file, 200, 1));
    }
  }

  @Test
  void whatIsWrittenIsThereBeforeASyncForWhoeverOpensTheFile() throws IOException {
    try (MediumFile file = file(PAGE);
        MediumFile other = medium.open("file")) {
      file.write(10, bytes(1, 2), 0, 2);
      file.writeRelaxed(12, bytes(3, 4), 0, 2);
      assertArrayEquals(bytes(0, 1, 2, 3, 4, 0), read(other, 9, 6));
    }
    try (MediumFile again = medium.open("file")) {
      assertArrayEquals(bytes(0, 1, 2, 3, 4, 0), read(again, 9, 6));
    }
  }

  @Test
  void relaxedWritesMixWithOthers() throws IOException {
    try (MediumFile file = file(5_000)) {
      byte[] source = bytes(1, 2, 3, 4);
      file.writeRelaxed(4_996, source, 0, 4);
      file.write(4_998, source, 0, 1); // both ways meet in one page
      assertArrayEquals(bytes(0, 1, 2, 1, 4), read(file, 4_995, 5));
      file.allocate(5_000, 20_000, true);
      file.writeRelaxed(19_996, source, 0, 4); // behind what the first relaxed write knew
      assertArrayEquals(bytes(0, 0, 1, 2, 3, 4), read(file, 19_994, 6));
      file.sync();
      assertArrayEquals(bytes(1, 2, 1, 4), read(file, 4_996, 4));
    }
  }

  @Test
  void allocationAddsZerosAndDiscardsWhatWasBehind() throws IOException {
    try (MediumFile file = file(10_000)) {
      for (boolean written : new boolean[] {false, true}) {
        file.write(4_990, bytes(1, 2, 3, 4), 0, 4);
        file.write(5_000, bytes(5), 0, 1);
        file.allocate(4_992, 10_000, written);
        assertEquals(10_000, file.size());
        assertArrayEquals(bytes(1, 2, 0, 0), read(file, 4_990, 4));
        assertArrayEquals(new byte[5_008], read(file, 4_992, 5_008));
      }
    }
  }

  @Test
  void truncatedBytesAreZerosWhenTheFileGrowsAgain() throws IOException {
    try (MediumFile file = file(3 * PAGE)) {
      HeapMemory heap = heap(file, 3 * PAGE);
      file.write(PAGE - 1, bytes(1, 2), 0, 2);
      file.write(2 * PAGE, bytes(3), 0, 1);
      file.truncate(PAGE);
      assertEquals(PAGE, file.size());
      assertThrows(EOFException.class, () -> read(file, PAGE, 1));
      file.allocate(PAGE, 3 * PAGE, true);
      assertArrayEquals(bytes(1, 0), read(file, PAGE - 1, 2));
      assertEquals(0, heap.getByte(PAGE));
      assertEquals(0, heap.getByte(2 * PAGE));
    }
  }

  @Test
  void aMappingShowsTheFileAndOutlivesIt() throws IOException {
    MemorySegment mapped;
    try (MediumFile file = file(3 * PAGE)) {
      file.write(PAGE, bytes(1, 2), 0, 2);
      mapped = file.map(PAGE, 2 * PAGE, arena);
      assertEquals(2 * PAGE, mapped.byteSize());
      assertEquals(2, mapped.get(ValueLayout.JAVA_BYTE, 1));
      file.write(2 * PAGE, bytes(3), 0, 1);
      assertEquals(3, mapped.get(ValueLayout.JAVA_BYTE, PAGE));
    }
    assertEquals(2, mapped.get(ValueLayout.JAVA_BYTE, 1));
  }

  @Test
  void onlyBytesOfTheFileAreMapped() throws IOException {
    try (MediumFile file = file(2 * PAGE)) {
      assertThrows(IOException.class, () -> file.map(PAGE, 2 * PAGE, arena));
      MemorySegment space = file.map(0, PAGE, 4 * PAGE, arena);
      assertThrows(IOException.class, () -> file.mapMore(space, 0, PAGE, 3 * PAGE));
      assertEquals(0, space.get(ValueLayout.JAVA_BYTE, PAGE));
    }
  }

  @Test
  void reservedSpaceReadsAsZerosUntilMoreIsMapped() throws IOException {
    try (MediumFile file = file(2 * PAGE)) {
      MemorySegment space = file.map(0, PAGE, 8 * PAGE, arena);
      assertEquals(8 * PAGE, space.byteSize());
      for (int at = 0; at < 8 * PAGE; at += PAGE) {
        assertEquals(0, space.get(ValueLayout.JAVA_BYTE, at));
      }
      file.allocate(2 * PAGE, 4 * PAGE, false);
      file.write(0, bytes(1), 0, 1);
      file.write(3 * PAGE, bytes(4), 0, 1);
      file.mapMore(space, 0, PAGE, 4 * PAGE);
      assertEquals(1, space.get(ValueLayout.JAVA_BYTE, 0));
      assertEquals(4, space.get(ValueLayout.JAVA_BYTE, 3 * PAGE));
      assertEquals(0, space.get(ValueLayout.JAVA_BYTE, 5 * PAGE));
      file.write(PAGE, bytes(2), 0, 1);
      assertEquals(2, space.get(ValueLayout.JAVA_BYTE, PAGE));
    }
  }

  @Test
  void preparedBytesReadAsTheFileAndAreStoredToAsOthers() throws IOException {
    try (MediumFile file = file(4 * PAGE)) {
      file.write(2 * PAGE, bytes(1), 0, 1);
      HeapMemory heap = heap(file, 4 * PAGE);
      file.populate(heap.slice(PAGE, 2 * PAGE));
      assertEquals(1, heap.getLong(2 * PAGE));
      assertEquals(0, heap.getLong(PAGE));
      file.store(heap, PAGE, word(-2), 0, 8);
      assertEquals(-2, heap.getLong(PAGE));
      file.sync();
      assertArrayEquals(bytes(1), read(file, 2 * PAGE, 1));
      assertArrayEquals(word(0), read(file, 3 * PAGE, 8));
    }
  }

  @Test
  void storedWordsAreInMemoryAndReachTheFileAsTheMediumSays() throws IOException {
    try (MediumFile file = file(4 * PAGE)) {
      HeapMemory heap = heap(file, 4 * PAGE);
      file.store(heap, PAGE + 8, word(-2), 0, 8);
      assertEquals(-2, heap.getLong(PAGE + 8));
      assertEquals(0, heap.getLong(PAGE));
      if (medium.storesInPlace()) {
        int unit = medium.writeBackUnit();
        file.writeBack(heap, PAGE + 8 & -unit, unit);
        file.sync();
        assertArrayEquals(word(-2), read(file, PAGE + 8, 8));
      } else {
        file.sync();
        assertArrayEquals(word(0), read(file, PAGE + 8, 8), "only a write takes it to the file");
      }
    }
  }

  @Test
  void aStoreInPlaceIsInTheFileOfWhoeverOpensIt() throws IOException {
    assumeTrue(medium.storesInPlace());
    try (MediumFile file = file(PAGE)) {
      file.store(heap(file, PAGE), 8, word(7), 0, 8);
      try (MediumFile other = medium.open("file")) {
        assertArrayEquals(word(7), read(other, 8, 8));
      }
    }
  }

  @Test
  void aWriteIsSeenInMappedMemory() throws IOException {
    try (MediumFile file = file(2 * PAGE)) {
      HeapMemory heap = heap(file, 2 * PAGE);
      file.write(PAGE, word(5), 0, 8);
      assertEquals(5, heap.getLong(PAGE));
      file.write(PAGE, arena.allocate(8).copyFrom(MemorySegment.ofArray(word(6))));
      assertEquals(6, heap.getLong(PAGE));
      file.sync();
      assertArrayEquals(word(6), read(file, PAGE, 8));
    }
  }

  @Test
  void aReleasedPageShowsTheFile() throws IOException {
    assumeFalse(medium.storesInPlace());
    try (MediumFile file = file(2 * PAGE)) {
      HeapMemory heap = heap(file, 2 * PAGE);
      int unit = medium.writeBackUnit();
      file.store(heap, PAGE, word(5), 0, 8);
      byte[] page = new byte[unit];
      System.arraycopy(word(5), 0, page, 0, 8);
      file.write(PAGE, page, 0, unit);
      file.release(heap, PAGE, unit);
      assertEquals(5, heap.getLong(PAGE));
      // The copy is gone: the next write to the file shows.
      file.write(PAGE, word(6), 0, 8);
      assertEquals(6, heap.getLong(PAGE));
    }
  }

  @Test
  void theWriteBackUnitIsAPowerOfTwo() {
    int unit = medium.writeBackUnit();
    assertTrue(unit >= 8 && Integer.bitCount(unit) == 1, () -> unit + " bytes");
  }

  @Test
  void anInterruptedThreadDoesItsWork() throws IOException {
    Thread.currentThread().interrupt();
    try (MediumFile file = file(2 * PAGE)) {
      HeapMemory heap = heap(file, 2 * PAGE);
      file.write(0, bytes(1), 0, 1);
      file.writeRelaxed(1, bytes(2), 0, 1);
      file.store(heap, PAGE, word(3), 0, 8);
      file.sync();
      file.allocate(2 * PAGE, 3 * PAGE, true);
      file.truncate(2 * PAGE);
      assertArrayEquals(bytes(1, 2), read(file, 0, 2));
      medium.rename("file", "renamed");
      medium.syncDirectory();
      medium.delete("renamed");
      assertTrue(Thread.currentThread().isInterrupted());
    } finally {
      Thread.interrupted();
    }
  }
}
