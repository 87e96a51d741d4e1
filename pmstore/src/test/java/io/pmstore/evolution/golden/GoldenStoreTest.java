package io.pmstore.evolution.golden;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.compiled.Compiled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Stores written by each released format, with one of each value, an object of a class that has
 * changed since and one that has moved: today's program opens them, and finds all that they hold.
 * The resources' README says how they were made.
 */
class GoldenStoreTest {
  private static final int PIECES = 3;
  private static final String WRITE = "pmstore.golden.write";

  private static final String YESTERDAY =
      """
      package io.pmstore.evolution.golden;
      import io.pmstore.Persistent;
      import java.util.*;

      @Persistent
      class OldGallery implements java.util.function.IntConsumer {
        private List<OldPiece> pieces = new ArrayList<>();

        @Override
        public void accept(int count) {
          for (int number = 0; number < count; number++) {
            pieces.add(new OldPiece(number));
          }
        }
      }

      @Persistent
      class OldPiece {
        private int number;
        private String name;

        OldPiece(int number) {
          this.number = number;
          name = "piece " + number;
        }
      }
      """;

  @TempDir Path directory;

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults()
        .storage(storage)
        .llplPoolSize(PmStoreOptions.LLPL_POOL_SIZE_MIN)
        .logSegmentSize(1 << 20);
  }

  /** Today's format. */
  private static String name(Storage storage) {
    return (storage == Storage.FILE ? "format-1-file" : "format-2-llpl") + ".zip";
  }

  @ParameterizedTest
  @CsvSource({
    "format-1-file.zip, FILE",
    "format-1-llpl.zip, LLPL", // its pool is one file
    "format-2-llpl.zip, LLPL"
  })
  void aStoreOfAnEarlierProgramIsReadWrittenAndUpgraded(String name, Storage storage)
      throws Exception {
    unpack(name);
    PmStoreOptions options = options(storage);
    if (storage == Storage.FILE) {
      try (PmStore store = PmStore.open(directory, options.readOnly(true))) {
        check(store, 0);
      }
    }
    try (PmStore store = PmStore.open(directory, options)) {
      check(store, 0);
      gallery(store).getPieces().get(2).setSold(5);
      check(store, 5);
    }
    assertEquals(List.of(), PmStore.verify(directory, options).faults());
    try (PmStore store = PmStore.open(directory, options)) {
      check(store, 5);
      store.upgrade().await();
      check(store, 5);
    }
    assertEquals(List.of(), PmStore.verify(directory, options).faults());
  }

  /** Writes the stores anew, into the directory that the property names. */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "LLPL"})
  @EnabledIfSystemProperty(named = WRITE, matches = ".+")
  void writesTheStoresOfThisFormat(Storage storage) throws Exception {
    try (PmStore store = PmStore.open(directory, options(storage))) {
      Class<?> type = Compiled.of(YESTERDAY).loadClass("io.pmstore.evolution.golden.OldGallery");
      ((IntConsumer) store.root("gallery", type)).accept(PIECES);
    }
    try (PmStore store = PmStore.open(directory, options(storage))) {
      gallery(store).setExhibit(new Exhibit().fill());
      gallery(store).getPieces().get(1).setSold(3); // moves it
      check(store, 0);
    }
    pack(Path.of(System.getProperty(WRITE)).resolve(name(storage)));
  }

  private static Gallery gallery(PmStore store) {
    return store.root("gallery", Gallery.class);
  }

  private static void check(PmStore store, int soldOfLast) {
    assertEquals(
        List.of(
            "piece 0, number 0, price 1, sold 0",
            "piece 1, number 1, price 1, sold 3",
            "piece 2, number 2, price 1, sold " + soldOfLast),
        gallery(store).getPieces().stream().map(Piece::toString).toList());
    assertEquals(new Exhibit().fill().describe(), gallery(store).getExhibit().describe());
  }

  private void unpack(String name) throws IOException {
    try (InputStream in = GoldenStoreTest.class.getResourceAsStream("/golden/" + name);
        ZipInputStream zip = new ZipInputStream(in)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = directory.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip, file);
      }
    }
  }

  private void pack(Path file) throws IOException {
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
        var files = Files.walk(directory)) {
      zip.setLevel(9);
      for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
        ZipEntry entry = new ZipEntry(directory.relativize(each).toString());
        entry.setTime(0);
        zip.putNextEntry(entry);
        Files.copy(each, zip);
      }
    }
  }
}
