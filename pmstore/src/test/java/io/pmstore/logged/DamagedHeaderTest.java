package io.pmstore.logged;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening a store for writing mends a damaged copy of its header, and says so once. */
class DamagedHeaderTest {
  private static final String LOGGER = "io.pmstore.core.engine.mapped.header.HeaderFile";
  private static final int COPY_SIZE = 4096;
  private static final int CHECKSUM = 4092;

  @TempDir Path parent;

  private static PmStoreOptions options() {
    return PmStoreOptions.defaults().storage(Storage.FILE);
  }

  private Path closedStore() {
    Path directory = parent.resolve("store");
    PmStore.open(directory, options()).close();
    return directory;
  }

  private static void invert(Path file, long at) throws IOException {
    try (FileChannel bytes =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      bytes.read(one, at);
      one.put(0, (byte) ~one.get(0)).flip();
      bytes.write(one, at);
    }
  }

  private static List<String> warningsOfOpening(Path directory, PmStoreOptions options) {
    try (LoggedWarnings logged = new LoggedWarnings(LOGGER)) {
      PmStore.open(directory, options).close();
      return logged.messages();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, COPY_SIZE})
  void theOpeningThatMendsADamagedCopyTellsOfIt(int copy) throws Exception {
    Path directory = closedStore();
    Path heap = directory.resolve("heap");
    invert(heap, copy + 16); // in the store's id, which no header changes
    assertEquals(
        List.of(),
        warningsOfOpening(directory, PmStoreOptions.defaults().readOnly(true)),
        "a reader mends nothing");
    List<String> warnings = warningsOfOpening(directory, options());
    assertEquals(1, warnings.size(), warnings::toString);
    String warning = warnings.getFirst();
    assertTrue(warning.startsWith(heap + ": "), warning);
    assertTrue(warning.contains("header at " + copy + " was damaged: checksum is "), warning);
    assertTrue(warning.contains("The copy at " + (COPY_SIZE - copy) + " was whole"), warning);
    assertTrue(warning.contains("has written both anew"), warning);
    assertEquals(List.of(), warningsOfOpening(directory, options()), "it is mended");
  }

  @Test
  void aWholeHeaderIsNoReasonToWarn() {
    assertEquals(List.of(), warningsOfOpening(closedStore(), options()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, COPY_SIZE})
  void aCopyThatACrashMayHaveInterruptedIsNotDamaged(int copy) throws Exception {
    Path directory = closedStore();
    invert(directory.resolve("heap"), copy + CHECKSUM);
    assertEquals(List.of(), warningsOfOpening(directory, options()));
  }
}
