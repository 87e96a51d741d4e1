package io.pmstore.core.medium;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyMediumTest {
  private static final int PAGE = 4096;

  @TempDir Path directory;

  private static void assertRefused(Executable... changes) {
    for (Executable change : changes) {
      assertThrows(UnsupportedOperationException.class, change);
    }
  }

  @Test
  void itReadsAndChangesNothing() throws IOException {
    Files.write(directory.resolve("file"), new byte[2 * PAGE]);
    Medium medium = new ReadOnlyMedium(directory);
    assertFalse(medium.storesInPlace());
    assertEquals(List.of("file"), List.copyOf(medium.list()));
    assertRefused(
        () -> medium.create("other"),
        () -> medium.rename("file", "other"),
        () -> medium.delete("file"),
        medium::syncDirectory);
    try (MediumFile file = medium.open("file");
        Arena arena = Arena.ofShared()) {
      HeapMemory heap = new HeapMemory();
      heap.addExtent(file.map(0, 2 * PAGE, HeapMemory.EXTENT_SIZE, arena));
      heap.setWritableBytes(2 * PAGE);
      file.store(heap, PAGE, new byte[] {1, 0, 0, 0, 0, 0, 0, 0}, 0, 8);
      assertEquals(1, heap.getLong(PAGE));
      byte[] read = new byte[8];
      file.read(PAGE, read, 0, 8);
      assertEquals(0, read[0], "the store stays in memory");
      file.sync();
      assertRefused(
          () -> file.write(0, read, 0, 8),
          () -> file.write(0, MemorySegment.ofArray(read)),
          () -> file.writeRelaxed(0, read, 0, 8),
          () -> file.allocate(2 * PAGE, 3 * PAGE, false),
          () -> file.truncate(PAGE),
          () -> file.writeBack(heap, 0, PAGE),
          () -> file.release(heap, 0, PAGE));
    }
    assertEquals(2 * PAGE, Files.size(directory.resolve("file")));
  }

  @Test
  void itOpensFilesInPlaceOfOthers() throws IOException {
    Files.write(directory.resolve("new"), new byte[7]);
    Medium medium = new ReadOnlyMedium(directory, Map.of("old", "new"));
    try (MediumFile file = medium.open("old")) {
      assertEquals(7, file.size());
    }
  }
}
