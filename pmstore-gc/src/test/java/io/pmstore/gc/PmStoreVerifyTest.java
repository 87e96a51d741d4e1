package io.pmstore.gc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.VerificationProgress;
import io.pmstore.VerificationReport;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.engine.mapped.MappedEngine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Verification of stores on disk, through the API. */
class PmStoreVerifyTest {
  private static final PmStoreOptions OPTIONS = PmStoreOptions.defaults().logSegmentSize(1 << 20);

  @TempDir Path directory;

  private TestHeap open(Path store) {
    return new TestHeap(MappedEngine.open(store, OPTIONS));
  }

  /** Makes a root with one object behind it; returns the address of the root object. */
  private static long fill(TestHeap store) {
    Shape shape = store.define("com.acme.Pair", 2, 24);
    long root = store.newObject(shape);
    store.heap.putLong(root, 8, store.newObject(shape));
    store.heap.directory().setRoot("pair", root);
    return root;
  }

  @Test
  void aClosedStoreIsVerifiedAndCanBeOpenedAfterwards() {
    Path path = directory.resolve("store");
    TestHeap store = open(path);
    long root = fill(store);
    VerificationReport expected = store.verify();
    store.heap.close();

    VerificationReport report = PmStore.verify(path);
    assertEquals(expected, report);
    assertTrue(report.isSound());
    assertEquals(2, TestHeap.use(report, "com.acme.Pair").objects());
    assertEquals(16 << 20, report.heapBytes());
    TestHeap again = open(path);
    assertEquals(root, again.heap.directory().root("pair"));
    again.heap.close();
  }

  @Test
  void itTellsHowFarItIs() {
    Path path = directory.resolve("store");
    TestHeap store = open(path);
    fill(store);
    Shape chain = store.define("com.acme.Link", 1, 16);
    long last = 0;
    int links = 10_000;
    for (int i = 0; i < links; i++) {
      long link = store.newObject(chain);
      store.heap.putLong(link, 8, last);
      last = link;
    }
    store.heap.directory().setRoot("chain", last);
    store.heap.close();

    List<long[]> told = new ArrayList<>();
    VerificationReport report =
        PmStore.verify(
            path, OPTIONS, (objects, bytes, total) -> told.add(new long[] {objects, bytes, total}));
    assertTrue(told.size() >= 3, "objects twice, and pages: " + told.size());
    long[] before = {0, 0, told.getFirst()[2]};
    for (long[] each : told) {
      assertTrue(each[0] >= before[0] && each[1] >= before[1], "backwards");
      assertEquals(before[2], each[2], "the total is known from the start");
      before = each;
    }
    assertEquals(report.objects(), before[0]);
    assertEquals(before[2], before[1], "nothing is left");

    RuntimeException enough = new RuntimeException("enough");
    VerificationProgress ends =
        (objects, bytes, total) -> {
          throw enough;
        };
    assertSame(
        enough, assertThrows(RuntimeException.class, () -> PmStore.verify(path, OPTIONS, ends)));
    assertEquals(report, PmStore.verify(path), "it is closed, and as it was");
  }

  @Test
  void aStoreThatWasNotClosedIsRecoveredFirst() throws IOException {
    Path path = directory.resolve("store");
    TestHeap store = open(path);
    fill(store);
    VerificationReport expected = store.verify();
    Path killed = Files.createDirectory(directory.resolve("killed"));
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        Files.copy(file, killed.resolve(file.getFileName()));
      }
    }
    assertEquals(expected, PmStore.verify(killed, OPTIONS));
    store.heap.close();
  }

  @Test
  void damageOfObjectsOnDiskIsReportedAndLeftAlone() throws IOException {
    Path path = directory.resolve("store");
    TestHeap store = open(path);
    long root = fill(store);
    store.heap.close();
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, root + 8);
    try (FileChannel heap = FileChannel.open(path.resolve("heap"), StandardOpenOption.WRITE)) {
      heap.write(word, root + 16);
    }
    for (int i = 0; i < 2; i++) {
      VerificationReport report = PmStore.verify(path);
      assertFalse(report.isSound());
      assertEquals("page of the heap file at " + (root & -4096), report.faults().getLast().path());
      assertEquals(
          List.of(
              new VerificationReport.Fault(
                  "root \"pair\" -> Pair@" + root + ".r1",
                  "heap address %d, which is 8 bytes into an allocated slot of 24 bytes at %d"
                      .formatted(root + 8, root),
                  "the address of an object or collection")),
          report.faults().subList(0, report.faults().size() - 1));
    }
  }

  @Test
  void aDamagedCopyOfTheHeaderIsAFaultUntilAnOpeningForWritingHasMendedIt() throws IOException {
    Path path = directory.resolve("store");
    TestHeap store = open(path);
    fill(store);
    store.heap.close();
    VerificationReport sound = PmStore.verify(path, OPTIONS.readOnly(true));
    assertTrue(sound.isSound());
    for (long copy : new long[] {0, 4096}) {
      try (FileChannel heap = FileChannel.open(path.resolve("heap"), StandardOpenOption.WRITE)) {
        heap.write(ByteBuffer.allocate(8), copy);
      }
      for (int i = 0; i < 2; i++) {
        assertHeaderFault(copy, "the next opening", PmStore.verify(path, OPTIONS.readOnly(true)));
      }
      assertHeaderFault(copy, "this opening", PmStore.verify(path, OPTIONS));
      assertEquals(sound, PmStore.verify(path, OPTIONS));
    }
  }

  private static void assertHeaderFault(long copy, String mended, VerificationReport report) {
    assertEquals(1, report.faultCount());
    VerificationReport.Fault fault = report.faults().getFirst();
    assertEquals("page of the heap file at " + copy, fault.path());
    assertTrue(fault.found().contains("starts with 0000000000000000"), fault.found());
    assertTrue(fault.expected().contains("as at " + (4096 - copy) + ","), fault.expected());
    assertTrue(fault.expected().contains(mended), fault.expected());
  }

  @Test
  void aStoreThatIsOpenIsRefused() {
    TestHeap store = open(directory);
    assertThrows(StoreLockedException.class, () -> PmStore.verify(directory));
    store.heap.close();
    assertTrue(PmStore.verify(directory).isSound());
  }

  @Test
  void whereThereIsNoStoreNoneIsMade() throws IOException {
    Path absent = directory.resolve("absent");
    assertThrows(StoreFormatException.class, () -> PmStore.verify(absent));
    assertFalse(Files.exists(absent));
    assertThrows(StoreFormatException.class, () -> PmStore.verify(directory));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(), files.toList());
    }
    Path file = Files.createFile(directory.resolve("file"));
    assertThrows(StoreFormatException.class, () -> PmStore.verify(file));
    assertThrows(StoreFormatException.class, () -> PmStore.verify(directory));
  }

  @Test
  void whatCannotBeOpenedIsRefusedAsAtOpening() throws IOException {
    TestHeap store = open(directory);
    fill(store);
    store.heap.close();
    Files.delete(directory.resolve("log-1"));
    assertThrows(StoreDamagedException.class, () -> PmStore.verify(directory));
  }
}
