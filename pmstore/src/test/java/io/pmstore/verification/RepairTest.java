package io.pmstore.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.RepairReport;
import io.pmstore.Storage;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.VerificationReport;
import io.pmstore.verification.VerifyTest.Exchange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that was closed and has lost files gets them back, or stays as it is. */
class RepairTest {
  private static final long MARK = 0x5EED_0FA1_1BAD_F00DL;

  @TempDir Path directory;

  private Path closedStore() {
    Path path = directory.resolve("store");
    try (PmStore store = PmStore.open(path)) {
      VerifyTest.fill(store);
      store.root(Exchange.class).getOrders().get(7L).setQuantity(MARK);
    }
    return path;
  }

  private static void checkContents(Path path) {
    try (PmStore store = PmStore.open(path)) {
      Exchange exchange = store.root(Exchange.class);
      assertEquals(200, exchange.getOrders().size());
      assertEquals(MARK, exchange.getOrders().get(7L).getQuantity());
      assertEquals("symbol of 199", exchange.getOrders().get(199L).getSymbol());
      assertEquals(VerifyTest.valuesOfEveryType(), exchange.getValues());
      exchange.getOrders().get(8L).setQuantity(9);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sums", "log-0", "log-1", "log-2", "log-3", "sums log-0 log-1 log-2 log-3"})
  void aStoreThatHasLostFilesIsAsBefore(String lost) throws IOException {
    Path store = closedStore();
    for (String name : lost.split(" ")) {
      Files.delete(store.resolve(name));
    }
    StoreDamagedException refused =
        assertThrows(StoreDamagedException.class, () -> PmStore.open(store));
    assertTrue(
        refused.getMessage().contains("PmStore.repair(\"" + store + "\")"), refused.getMessage());
    RepairReport report = PmStore.repair(store);
    assertEquals(lost.split(" ").length, report.replaced().size(), report.toString());
    VerificationReport verified = PmStore.verify(store);
    assertTrue(verified.isSound(), verified.toString());
    boolean sums = lost.contains("sums");
    assertEquals(sums, report.checksumsMade() > 0);
    assertEquals(sums, report.toString().contains("plain values"), report.toString());
    assertEquals(sums, verified.checksumsMade().isPresent());
    assertEquals(sums, verified.toString().contains("PmStore.repair"), verified.toString());
    checkContents(store);
    assertEquals(
        verified.checksumsMade(), PmStore.verify(store).checksumsMade(), "after more writes");
    Path backup = directory.resolve("backup");
    try (PmStore opened = PmStore.open(store)) {
      opened.backup(backup);
    }
    assertEquals(verified.checksumsMade(), PmStore.verify(backup).checksumsMade(), "of a backup");
  }

  @Test
  void fromThenOnDamageIsFoundAsBefore() throws IOException {
    Path store = closedStore();
    Files.delete(store.resolve("sums"));
    PmStore.repair(store);
    damageValue(store);
    assertFalse(PmStore.verify(store).isSound());
  }

  /** The limit that the Javadoc and the reports tell of. */
  @Test
  void aPlainValueThatWasDamagedBeforeCannotBeTold() throws IOException {
    Path store = closedStore();
    damageValue(store);
    Files.delete(store.resolve("sums"));
    assertTrue(PmStore.repair(store).toString().contains("can no longer be"));
    VerificationReport report = PmStore.verify(store);
    assertTrue(report.isSound());
    assertTrue(report.checksumsMade().isPresent());
  }

  @Test
  void itIsToldAsFarAsThereAreSums() throws IOException {
    Path store = closedStore();
    damageValue(store);
    write(store.resolve("sums"), 0, new byte[16]);
    refusedAndUnchanged(store, StoreDamagedException.class, "page of the heap file at");
  }

  @Test
  void whatIsUnsoundIsRefused() throws IOException {
    Path store = closedStore();
    Files.delete(store.resolve("sums"));
    long page = findMark(store) & -4096L;
    write(store.resolve("heap"), page, HexFormat.of().parseHex("ff".repeat(4096)));
    refusedAndUnchanged(store, StoreDamagedException.class, "verification found");
  }

  @Test
  void aDamagedAllocationTableIsRefused() throws IOException {
    Path store = closedStore();
    Files.delete(store.resolve("sums"));
    write(store.resolve("heap"), 8192 + 8, HexFormat.of().parseHex("ff".repeat(64)));
    refusedAndUnchanged(store, StoreDamagedException.class, "Restore the directory from a backup");
  }

  @Test
  void aStoreThatIsOpenIsRefused() throws IOException {
    Path path = closedStore();
    try (PmStore store = PmStore.open(path)) {
      assertThrows(StoreLockedException.class, () -> PmStore.repair(path));
      store.root(Exchange.class).getOrders().get(9L).setQuantity(10);
    }
    try (PmStore store = PmStore.open(path, PmStoreOptions.defaults().readOnly(true))) {
      assertThrows(StoreLockedException.class, () -> PmStore.repair(path));
      assertEquals(10, store.root(Exchange.class).getOrders().get(9L).getQuantity());
    }
    checkContents(path);
  }

  @Test
  void whatIsNoStoreIsRefused() throws IOException {
    Path missing = directory.resolve("missing");
    refused(missing, StoreFormatException.class, "no store in " + missing);
    assertFalse(Files.exists(missing));
    Path empty = Files.createDirectory(directory.resolve("empty"));
    refusedAndUnchanged(empty, StoreFormatException.class, "no store in " + empty);
    Path letters = Files.createDirectory(directory.resolve("letters"));
    Files.writeString(letters.resolve("letter.txt"), "Dear Sir");
    refusedAndUnchanged(letters, StoreFormatException.class, "no pmstore store");
    refusedAndUnchanged(
        letters.resolve("letter.txt"), StoreFormatException.class, "is not a directory");
    Path pool = Files.createDirectory(directory.resolve("pool"));
    Files.writeString(pool.resolve("pool.header"), "LLPL");
    refusedAndUnchanged(pool, StoreFormatException.class, "storage LLPL");
    Path store = closedStore();
    Files.move(store.resolve("heap"), directory.resolve("heap"));
    refusedAndUnchanged(store, StoreDamagedException.class, "no file 'heap'");
    assertFalse(Files.exists(letters.resolve("lock")), "no lock file is put beside letters");
  }

  @Test
  void aNewerStoreIsRefused() throws IOException {
    Path store = closedStore();
    for (int copy = 0; copy < 8192; copy += 4096) {
      write(store.resolve("heap"), copy + 8, new byte[] {2});
    }
    Files.delete(store.resolve("sums"));
    refusedAndUnchanged(store, StoreFormatException.class, "format version 2");
  }

  @Test
  void aDamagedHeaderIsRefused() throws IOException {
    Path store = closedStore();
    for (int copy = 0; copy < 8192; copy += 4096) {
      write(store.resolve("heap"), copy + 60, new byte[] {99});
    }
    Files.delete(store.resolve("log-1"));
    refusedAndUnchanged(store, StoreDamagedException.class, "both copies of its header");
  }

  @Test
  void aHeapThatIsCutIsRefused() throws IOException {
    Path store = closedStore();
    byte[] heap = Files.readAllBytes(store.resolve("heap"));
    Files.write(store.resolve("heap"), Arrays.copyOf(heap, heap.length / 2));
    Files.delete(store.resolve("sums"));
    refusedAndUnchanged(store, StoreDamagedException.class, "the store's header says");
  }

  @Test
  void storesOfPersistentMemoryAreRepairedToo() throws IOException {
    Path path = directory.resolve("store");
    PmStoreOptions options = PmStoreOptions.defaults().storage(Storage.PERSISTENT_MEMORY);
    try (PmStore store = PmStore.open(path, options)) {
      VerifyTest.fill(store);
      store.root(Exchange.class).getOrders().get(7L).setQuantity(MARK);
    } catch (PmStoreException e) {
      assumeTrue(!e.getMessage().contains("libpmem"), e.getMessage());
      throw e;
    }
    Files.delete(path.resolve("sums"));
    Files.write(path.resolve("log-2"), new byte[9]);
    PmStore.repair(path);
    checkContents(path);
  }

  private static void refused(
      Path path, Class<? extends PmStoreException> expected, String message) {
    PmStoreException e = assertThrows(PmStoreException.class, () -> PmStore.repair(path));
    assertTrue(expected.isInstance(e), e.toString());
    assertTrue(e.getMessage().contains(message), e.getMessage());
    assertTrue(e.getMessage().contains(path.toString()), e.getMessage());
  }

  private static void refusedAndUnchanged(
      Path path, Class<? extends PmStoreException> expected, String message) throws IOException {
    Map<String, Long> before = fingerprints(path);
    refused(path, expected, message);
    assertEquals(before, fingerprints(path), "byte for byte as before");
  }

  private static Map<String, Long> fingerprints(Path path) throws IOException {
    Map<String, Long> result = new TreeMap<>();
    try (var files = Files.walk(path)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (!file.endsWith("lock")) { // names its last holder
          CRC32C crc = new CRC32C();
          crc.update(Files.readAllBytes(file));
          result.put(path.relativize(file).toString(), crc.getValue() << 32 | Files.size(file));
        }
      }
    }
    return result;
  }

  private static void damageValue(Path store) throws IOException {
    write(store.resolve("heap"), findMark(store), new byte[] {1});
  }

  private static long findMark(Path store) throws IOException {
    ByteBuffer bytes =
        ByteBuffer.wrap(Files.readAllBytes(store.resolve("heap"))).order(ByteOrder.LITTLE_ENDIAN);
    int at = 8192;
    while (bytes.getLong(at) != MARK) {
      at += 8;
    }
    return at;
  }

  private static void write(Path file, long at, byte[] replacement) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    System.arraycopy(replacement, 0, bytes, (int) at, replacement.length);
    Files.write(file, bytes);
  }
}
