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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Opening a store for writing mends a damaged copy of its header, and says so once. */
class DamagedHeaderTest {
  /** The headers of storages that keep two copies. */
  private enum Header {
    MAPPED(Storage.FILE, "heap", 4096, 16, 4092, "core.engine.mapped.header.HeapHeaderFile"),
    TIERED(Storage.TIERED, "tiered", 8192, 24, 12, "tiered.StoreHeaderFile");

    private final Storage storage;
    private final String file;
    private final int copySize;
    private final int storeId; // which no header changes
    private final int checksum; // which each header changes
    private final String logger;

    Header(
        Storage storage, String file, int copySize, int storeId, int checksum, String className) {
      this.storage = storage;
      this.file = file;
      this.copySize = copySize;
      this.storeId = storeId;
      this.checksum = checksum;
      this.logger = "io.pmstore." + className;
    }
  }

  @TempDir Path parent;

  private Path closedStore(Header header, String name) {
    Path directory = parent.resolve(name);
    PmStore.open(directory, PmStoreOptions.defaults().storage(header.storage)).close();
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

  private static List<String> warningsOfOpening(Header header, Path directory, boolean readOnly) {
    PmStoreOptions options = PmStoreOptions.defaults();
    try (LoggedWarnings logged = new LoggedWarnings(header.logger)) {
      PmStore.open(directory, readOnly ? options.readOnly(true) : options.storage(header.storage))
          .close();
      return logged.messages();
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOpeningThatMendsADamagedCopyTellsOfIt(Header header) throws Exception {
    for (int copy : List.of(0, header.copySize)) {
      Path directory = closedStore(header, "damaged at " + copy);
      Path file = directory.resolve(header.file);
      invert(file, copy + header.storeId);
      assertEquals(List.of(), warningsOfOpening(header, directory, true), "a reader mends nothing");
      List<String> warnings = warningsOfOpening(header, directory, false);
      assertEquals(1, warnings.size(), warnings::toString);
      String warning = warnings.getFirst();
      assertTrue(warning.startsWith(file + ": "), warning);
      assertTrue(warning.contains("header at " + copy + " was damaged: "), warning);
      assertTrue(warning.contains("checksum is "), warning);
      assertTrue(warning.contains("at " + (header.copySize - copy) + " was whole"), warning);
      assertTrue(warning.contains("has written both anew"), warning);
      assertEquals(List.of(), warningsOfOpening(header, directory, false), "it is mended");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWholeHeaderIsNoReasonToWarn(Header header) {
    Path directory = closedStore(header, "whole");
    assertEquals(List.of(), warningsOfOpening(header, directory, false));
  }

  @ParameterizedTest
  @EnumSource
  void aCopyThatACrashMayHaveInterruptedIsNotDamaged(Header header) throws Exception {
    for (int copy : List.of(0, header.copySize)) {
      Path directory = closedStore(header, "torn at " + copy);
      invert(directory.resolve(header.file), copy + header.checksum);
      assertEquals(List.of(), warningsOfOpening(header, directory, false));
    }
  }
}
