package io.pmstore.core.engine.mapped;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStoreException;
import io.pmstore.RepairReport;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFullException;
import io.pmstore.core.engine.mapped.HookedMedium.Operation;
import io.pmstore.core.engine.mapped.header.HeapHeaderLayout;
import io.pmstore.core.engine.mapped.header.StoreLayout;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.memory.NativeCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a repaired store, also after an interrupted repair. */
class StoreRepairTest extends StoreTest {
  private static final long FAR = 300_000;

  private Path closedStore() throws IOException {
    Path store = directory("store");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 42);
      commit(engine, FAR, 43);
    }
    assertTrue(header(store).closed());
    return store;
  }

  /** Loses a file that is not there, one that is cut, and one whose header is damaged. */
  private static void lose(Path store) throws IOException {
    Files.delete(store.resolve("log-1"));
    Files.write(store.resolve("log-2"), new byte[100]);
    writeTo(store.resolve("sums"), 20, (byte) ~readFrom(store.resolve("sums"), 20, 1)[0]);
  }

  private static RepairReport repair(Path store, HookedMedium.Hook hook) {
    try (StoreRepair repair = StoreRepair.open(store, medium -> new HookedMedium(medium, hook))) {
      repair.prepare().verify(StoreRepairTest::failOnFault);
      return repair.finish();
    }
  }

  private static RepairReport repair(Path store) {
    return repair(store, (_, _) -> {});
  }

  private static void failOnFault(long address, String found, String expected) {
    throw new AssertionError("page " + address + ": " + found + ", not " + expected);
  }

  private static void checkWhole(Path store) throws IOException {
    for (Storage storage : List.of(Storage.FILE, Storage.PERSISTENT_MEMORY)) {
      try (MappedEngine engine = MappedEngine.open(store, small(storage))) {
        assertEquals(42, engine.memory().getLong(START));
        assertEquals(43, engine.memory().getLong(FAR));
        engine.verify(StoreRepairTest::failOnFault);
        commit(engine, START + 8, 44);
      }
    }
    try (var names = Files.list(store)) {
      assertEquals(
          List.of(),
          names.map(Path::toString).filter(name -> name.endsWith(".new")).toList(),
          "left over");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sums", "log-0", "log-1", "log-2", "log-3"})
  void anyFileBesideTheHeapCanBeMadeAnew(String name) throws IOException {
    Path store = closedStore();
    for (int i = 0; i < 5; i++) { // the log's start comes to be in each segment
      Files.delete(store.resolve(name));
      StoreDamagedException e =
          assertThrows(
              StoreDamagedException.class, () -> MappedEngine.open(store, small(Storage.FILE)));
      assertTrue(e.getMessage().contains("PmStore.repair(\"" + store + "\")"), e.getMessage());
      RepairReport report = repair(store);
      assertEquals(
          List.of("is missing"),
          report.replaced().stream().map(RepairReport.Replaced::found).toList());
      checkWhole(store);
    }
  }

  @Test
  void openingPointsToTheRepairForDamagedFilesToo() throws IOException {
    Path store = closedStore();
    Path whole = directory("whole");
    copy(store, whole);
    for (String name : List.of("log-3", "sums")) {
      for (byte[] contents : List.of(new byte[0], new byte[100], new byte[20_000])) {
        Files.write(store.resolve(name), contents);
        for (boolean readOnly : new boolean[] {false, true}) {
          StoreDamagedException e =
              assertThrows(
                  StoreDamagedException.class,
                  () -> {
                    if (readOnly) {
                      ReadOnlyEngine.open(store).close();
                    } else {
                      MappedEngine.open(store, small(Storage.FILE)).close();
                    }
                  });
          assertTrue(e.getMessage().contains("PmStore.repair(\"" + store + "\")"), e.getMessage());
        }
        RepairReport report = repair(store);
        assertEquals(1, report.replaced().size());
        assertEquals(
            contents.length,
            Files.size(report.replaced().getFirst().copy().orElseThrow()),
            "what was replaced is kept");
      }
      checkWhole(store);
    }
  }

  @Test
  void whatIsReplacedIsKept() throws IOException {
    Path store = closedStore();
    lose(store);
    Map<String, byte[]> before = new TreeMap<>();
    for (String name : List.of("log-2", "sums")) {
      before.put(name, Files.readAllBytes(store.resolve(name)));
    }
    RepairReport report = repair(store);
    assertEquals(3, report.replaced().size());
    for (RepairReport.Replaced file : report.replaced()) {
      String name = file.file().getFileName().toString();
      assertEquals(before.containsKey(name), file.copy().isPresent());
      if (file.copy().isPresent()) {
        assertEquals(store.resolve(name + ".replaced-1"), file.copy().get());
        assertEquals(-1, Arrays.mismatch(before.get(name), Files.readAllBytes(file.copy().get())));
      }
    }
    checkWhole(store);
    Files.write(store.resolve("log-2"), new byte[0]);
    assertEquals(
        store.resolve("log-2.replaced-2"),
        repair(store).replaced().getFirst().copy().orElseThrow(),
        "never over an earlier one");
  }

  @Test
  void wholeFilesAreLeftAlone() throws IOException {
    Path store = closedStore();
    Map<String, Long> before = fingerprints(store);
    RepairReport report = repair(store);
    assertEquals(List.of(), report.replaced());
    assertTrue(report.toString().contains("no file is lost"), report.toString());
    assertEquals(before, fingerprints(store));
    Files.delete(store.resolve("log-0"));
    repair(store);
    for (String name : List.of("heap", "sums", "log-1", "log-2", "log-3")) {
      assertEquals(before.get(name), fingerprints(store).get(name), name);
    }
  }

  @Test
  void whatIsLeftOfTheSumsIsKept() throws IOException {
    Path store = closedStore();
    byte[] sums = Files.readAllBytes(store.resolve("sums"));
    long pages = header(store).heapSize() / 4096 - 2;
    long written = 0;
    for (int at = 4096; at < sums.length; at += 4) {
      written +=
          sums[at] == 0 && sums[at + 1] == 0 && sums[at + 2] == 0 && sums[at + 3] == 0 ? 0 : 1;
    }
    assertTrue(written > 1, "pages with sums: " + written);
    writeTo(store.resolve("sums"), 0, new byte[8]);
    RepairReport kept = repair(store);
    assertEquals(written, kept.checksumsKept());
    assertEquals(pages - written, kept.checksumsMade());
    Files.write(store.resolve("sums"), Arrays.copyOf(sums, 4096 + 4 * 3));
    RepairReport cut = repair(store);
    assertEquals(1, cut.checksumsKept(), "of page 2, where " + START + " is");
    assertEquals(pages - 1, cut.checksumsMade());
    Files.delete(store.resolve("sums"));
    RepairReport missing = repair(store);
    assertEquals(0, missing.checksumsKept());
    assertEquals(pages, missing.checksumsMade());
    assertTrue(missing.toString().contains("can no longer be"), missing.toString());
  }

  @Test
  void aPageThatIsNotAsWhatIsLeftOfTheSumsSaysIsAFault() throws IOException {
    Path store = closedStore();
    writeTo(store.resolve("sums"), 0, new byte[8]);
    writeTo(store.resolve("heap"), FAR, (byte) 1);
    Map<String, Long> before = fingerprints(store);
    assertThrows(AssertionError.class, () -> repair(store));
    assertEquals(before, fingerprints(store), "nothing was changed");
  }

  @Test
  void thatSumsWereMadeIsSaidForGood() throws IOException {
    Path store = closedStore();
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      assertEquals(null, engine.checksumsMade());
    }
    Files.delete(store.resolve("log-0"));
    repair(store);
    try (ReadOnlyEngine engine = ReadOnlyEngine.open(store)) {
      assertEquals(null, engine.checksumsMade());
    }
    Files.delete(store.resolve("sums"));
    repair(store);
    checkWhole(store);
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      assertNotNull(engine.checksumsMade());
    }
  }

  @Test
  void aHeapThatIsOlderThanItsLogIsRefused() throws IOException {
    Path store = closedStore();
    byte[] old = Files.readAllBytes(store.resolve("heap"));
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 45);
    }
    Files.write(store.resolve("heap"), old);
    Files.delete(store.resolve("sums"));
    Map<String, Long> before = fingerprints(store);
    StoreDamagedException e = assertThrows(StoreDamagedException.class, () -> repair(store));
    assertTrue(e.getMessage().contains("the heap is older than its log"), e.getMessage());
    assertEquals(before, fingerprints(store));
  }

  @Test
  void aFileOfAnotherStoreIsRefused() throws IOException {
    Path store = closedStore();
    Path other = directory("other");
    MappedEngine.open(other, small(Storage.FILE)).close();
    for (String name : List.of("log-2", "sums")) {
      Files.move(store.resolve(name), store.resolve("mine"));
      Files.copy(other.resolve(name), store.resolve(name));
      Map<String, Long> before = fingerprints(store);
      for (boolean repairing : new boolean[] {true, false}) {
        StoreDamagedException e =
            assertThrows(
                StoreDamagedException.class,
                () -> {
                  if (repairing) {
                    repair(store);
                  } else {
                    MappedEngine.open(store, small(Storage.FILE)).close();
                  }
                });
        assertTrue(e.getMessage().contains("put the store's own file back"), e.getMessage());
        assertEquals(before, fingerprints(store));
      }
      Files.move(store.resolve("mine"), store.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.move(store.resolve("log-0"), store.resolve("mine"));
    Files.copy(store.resolve("log-1"), store.resolve("log-0"));
    assertThrows(StoreDamagedException.class, () -> repair(store));
    checkWholeAfter(store, "mine", "log-0");
  }

  private static void checkWholeAfter(Path store, String from, String to) throws IOException {
    Files.move(store.resolve(from), store.resolve(to), StandardCopyOption.REPLACE_EXISTING);
    checkWhole(store);
  }

  @Test
  void aStoreThatWasNotClosedIsRefused() throws IOException {
    Path store = directory("live");
    try (MappedEngine engine = MappedEngine.open(store, small(Storage.FILE))) {
      commit(engine, START, 42);
      commit(engine, FAR, 43);
      Path killed = directory("killed");
      copyAsAfterKill(store, killed);
      Map<String, Long> before = fingerprints(killed);
      PmStoreException e = assertThrows(PmStoreException.class, () -> repair(killed));
      assertEquals(PmStoreException.class, e.getClass());
      assertTrue(e.getMessage().contains("PmStore.open recovers it"), e.getMessage());
      for (String name : List.of("sums", "log-1")) {
        Files.move(killed.resolve(name), killed.resolve("away"));
        StoreDamagedException lost =
            assertThrows(StoreDamagedException.class, () -> repair(killed));
        assertTrue(lost.getMessage().contains("was not closed"), lost.getMessage());
        assertTrue(lost.getMessage().contains(name + " is missing"), lost.getMessage());
        lost =
            assertThrows(
                StoreDamagedException.class, () -> MappedEngine.open(killed, small(Storage.FILE)));
        assertFalse(lost.getMessage().contains("PmStore.repair"), lost.getMessage());
        Files.move(killed.resolve("away"), killed.resolve(name));
      }
      assertEquals(before, fingerprints(killed));
      checkWhole(killed);
    }
  }

  @Test
  void aDamagedCopyOfTheHeaderKeepsNoFileFromBeingMade() throws IOException {
    Path store = closedStore();
    Files.delete(store.resolve("sums"));
    writeTo(store.resolve("heap"), 4096, new byte[8]);
    repair(store);
    MappedEngine.open(store, small(Storage.FILE)).close(); // mends the copy
    checkWhole(store);
  }

  @Test
  void aStoreIsClosedAsSoonAsOneHeaderCopySaysSoAndNoneLater() throws IOException {
    Path store = closedStore();
    Files.delete(store.resolve("sums"));
    long inForce = HeapHeaderLayout.offset(header(store).sequence());
    writeTo(store.resolve("heap"), inForce + 100, (byte) 1); // damages it
    repair(store);
    checkWhole(store);
  }

  @ParameterizedTest
  @EnumSource(Interruption.class)
  void aRepairThatFailsOrIsKilledAnywhereCanBeMadeAgain(Interruption interruption)
      throws IOException {
    Path lost = closedStore();
    lose(lost);
    List<Operation> made = new ArrayList<>();
    Path counted = directory("counted");
    copy(lost, counted);
    repair(counted, (operation, _) -> made.add(operation));
    assertTrue(made.size() >= 20, made.toString());
    for (int failAt = 0; failAt < made.size(); failAt++) {
      Path store = directory("store" + failAt);
      copy(lost, store);
      Map<String, Long> before = fingerprints(store);
      int at = failAt;
      int[] count = new int[1];
      PmStoreException e =
          assertThrows(
              PmStoreException.class,
              () ->
                  repair(
                      store,
                      (operation, file) -> {
                        int now = count[0]++;
                        if (now == at || (now > at && interruption == Interruption.KILL)) {
                          throw new MediumException(
                              "injected: " + operation + " " + file,
                              interruption == Interruption.NO_ROOM
                                  ? NativeCalls.ENOSPC
                                  : NativeCalls.EIO);
                        }
                      }),
              "operation " + failAt);
      assertEquals(interruption == Interruption.NO_ROOM, e instanceof StoreFullException);
      if (interruption != Interruption.KILL
          && !made.subList(0, failAt).contains(Operation.RENAME)) {
        assertEquals(before, fingerprints(store), "before the first name is given");
      }
      repair(store);
      checkWhole(store);
    }
  }

  /** How a repair ends too early. */
  enum Interruption {
    FAILURE,
    NO_ROOM,
    KILL
  }

  @Test
  void aPowerCutBetweenNamesLeavesAStoreThatCanBeRepairedAndNothingIsReplacedWithoutACopy()
      throws IOException {
    Path store = closedStore();
    lose(store);
    Path durable = directory("durable");
    copy(store, durable);
    byte[] oldSums = Files.readAllBytes(store.resolve("sums"));
    Set<String> undurable = new HashSet<>();
    List<String> renamed = new ArrayList<>();
    int[] images = new int[1];
    repair(
        store,
        (operation, file) -> {
          switch (operation) {
            case CREATE, WRITE, WRITE_PAGES, ALLOCATE -> undurable.add(file);
            case SYNC -> undurable.remove(file);
            case RENAME -> {
              assertFalse(undurable.contains(file), "a name for what is not durable: " + file);
              renamed.add(file);
            }
            case SYNC_DIRECTORY -> {
              for (int subset = 0; subset < 1 << renamed.size(); subset++) {
                Path image = directory("image" + images[0]++);
                copy(durable, image);
                for (int i = 0; i < renamed.size(); i++) {
                  if ((subset >> i & 1) != 0) {
                    rename(image, renamed.get(i));
                  }
                }
                assertTrue(keeps(image, oldSums), "the old sums are gone: " + renamed + subset);
                repair(image);
                checkWhole(image);
              }
              copy(store, durable);
              renamed.clear();
            }
            default -> {}
          }
        });
    assertTrue(images[0] >= 4 + 8, images[0] + " images");
    assertEquals(List.of(), renamed, "names that are not durable");
  }

  private static void rename(Path directory, String from) throws IOException {
    Files.move(
        directory.resolve(from),
        directory.resolve(
            from.endsWith(".new") ? from.substring(0, from.length() - 4) : from + ".replaced-1"),
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean keeps(Path directory, byte[] contents) throws IOException {
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (Arrays.equals(Files.readAllBytes(file), contents)) {
          return true;
        }
      }
      return false;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    remove(to);
    Files.createDirectory(to);
    try (var files = Files.list(from)) {
      for (Path file : files.toList()) {
        if (!file.endsWith(StoreLayout.LOCK)) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    }
  }

  private static Map<String, Long> fingerprints(Path store) throws IOException {
    Map<String, Long> result = new TreeMap<>();
    try (var files = Files.list(store)) {
      for (Path file : files.toList()) {
        if (!file.endsWith(StoreLayout.LOCK)) { // names its last holder
          CRC32C crc = new CRC32C();
          crc.update(Files.readAllBytes(file));
          result.put(file.getFileName().toString(), crc.getValue() << 32 | Files.size(file));
        }
      }
    }
    return result;
  }
}
