package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.storage.StorageTest.Account;
import io.pmstore.storage.StorageTest.Ledger;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that is opened for reading only: everything can be read, and nothing changed. */
class ReadOnlyTest {
  private static final PmStoreOptions READ_ONLY = PmStoreOptions.defaults().readOnly(true);

  @TempDir Path directory;
  private Path storePath;

  /** A class that the store has never seen. */
  @Persistent(root = "newcomer")
  public static class Newcomer {
    private Map<TimeUnit, Long> times = new HashMap<>();

    public Map<TimeUnit, Long> getTimes() {
      return times;
    }

    public void setTimes(Map<TimeUnit, Long> times) {
      this.times = times;
    }
  }

  private record Never(int number, TimeUnit unit) {}

  private record NotKept(Thread thread) {}

  @BeforeEach
  void makeStore() {
    storePath = directory.resolve("store");
    try (PmStore store = PmStore.open(storePath)) {
      Ledger ledger = store.root(Ledger.class);
      store.transaction(
          () -> {
            for (int i = 0; i < 100; i++) {
              Account account = store.create(Account.class);
              account.setOwner("owner " + i);
              account.setBalance(BigDecimal.valueOf(i));
              ledger.getAccounts().put("account " + i, account);
              ledger.getHistory().add(BigDecimal.valueOf(i));
            }
          });
    }
  }

  private static void check(PmStore store) {
    Ledger ledger = store.root(Ledger.class);
    assertSame(ledger, store.root("ledger", Ledger.class));
    assertEquals(100, ledger.getAccounts().size());
    assertEquals(100, ledger.getHistory().size());
    for (int i = 0; i < 100; i++) {
      Account account = ledger.getAccounts().get("account " + i);
      assertEquals("owner " + i, account.getOwner());
      assertEquals(BigDecimal.valueOf(i), account.getBalance());
      assertEquals(BigDecimal.valueOf(i), ledger.getHistory().get(i));
      assertSame(account, ledger.getAccounts().get("account " + i));
    }
    assertNull(ledger.getAccounts().get("nobody"));
    assertFalse(ledger.getHistory().contains(BigDecimal.TEN.negate()));
  }

  /** The bytes and times of all files, and of the directory. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (var files = Files.walk(storePath)) {
      for (Path file : files.toList()) {
        contents.put(
            file.toString(),
            Files.getLastModifiedTime(file)
                + (Files.isDirectory(file) ? "" : " " + Arrays.hashCode(Files.readAllBytes(file))));
      }
    }
    return contents;
  }

  @Test
  void everythingCanBeReadInTransactionsAndSnapshotsToo() throws IOException {
    Map<String, String> before = contents();
    try (PmStore store = PmStore.open(storePath, READ_ONLY)) {
      check(store);
      store.transaction(() -> check(store));
      store.snapshot(() -> check(store));
      Ledger ledger = store.root(Ledger.class);
      int count = 0;
      for (Map.Entry<String, Account> entry : ledger.getAccounts().entrySet()) {
        assertTrue(entry.getValue().getOwner().startsWith("owner"));
        count++;
      }
      assertEquals(100, count);
    }
    assertEquals(before, contents());
  }

  @Test
  void whateverWouldChangeTheStoreIsRefused() throws IOException {
    Map<String, String> before = contents();
    try (PmStore store = PmStore.open(storePath, READ_ONLY)) {
      Ledger ledger = store.root(Ledger.class);
      Account account = ledger.getAccounts().get("account 1");
      Iterator<Map.Entry<String, Account>> entries = ledger.getAccounts().entrySet().iterator();
      Map.Entry<String, Account> entry = entries.next();
      Iterator<BigDecimal> history = ledger.getHistory().iterator();
      history.next();
      Account plain = new Account();
      plain.setOwner("plain");
      List<Runnable> writes =
          List.of(
              () -> account.setOwner("x"),
              () -> account.setOwner(null),
              () -> account.setBalance(BigDecimal.ONE),
              () -> ledger.setAccounts(Map.of("plain", plain)),
              () -> ledger.getAccounts().put("account 1", account),
              () -> ledger.getAccounts().put("plain", plain),
              () -> ledger.getAccounts().remove("account 1"),
              () -> ledger.getAccounts().merge("account 1", account, (a, b) -> null),
              () -> ledger.getAccounts().clear(),
              () -> entry.setValue(account),
              entries::remove,
              history::remove,
              () -> ledger.getHistory().add(BigDecimal.ONE),
              () -> ledger.getHistory().removeFirst(),
              () -> ledger.getHistory().set(0, BigDecimal.ONE),
              () -> ledger.getHistory().clear(),
              () -> store.create(Account.class),
              () -> store.create(Newcomer.class),
              () -> store.root(Newcomer.class),
              () -> store.root("second", Ledger.class),
              () -> store.transaction(() -> account.setOwner("x")));
      for (int i = 0; i < writes.size(); i++) {
        StoreReadOnlyException e =
            assertThrows(StoreReadOnlyException.class, writes.get(i)::run, "write " + i);
        assertTrue(e.getMessage().contains("readOnly"), e.getMessage());
        assertTrue(e.getMessage().contains(storePath.toString()), e.getMessage());
        check(store);
      }
      // A transaction that goes on after a refusal has still written nothing.
      store.transaction(
          () -> {
            assertThrows(StoreReadOnlyException.class, () -> account.setOwner("x"));
            assertEquals("owner 1", account.getOwner());
          });
      StoreReadOnlyException e =
          assertThrows(StoreReadOnlyException.class, () -> store.root(Newcomer.class));
      assertTrue(e.getMessage().contains("\"newcomer\""), e.getMessage());
    }
    assertEquals(before, contents());
    try (PmStore store = PmStore.open(storePath)) {
      check(store);
      store.root(Newcomer.class).getTimes().put(TimeUnit.DAYS, 1L);
    }
    try (PmStore store = PmStore.open(storePath, READ_ONLY)) {
      Newcomer newcomer = store.root(Newcomer.class);
      assertEquals(Map.of(TimeUnit.DAYS, 1L), newcomer.getTimes());
      assertNull(newcomer.getTimes().get(TimeUnit.HOURS));
    }
  }

  @Test
  void whatTheStoreHasNoClassOfIsNotFound() {
    try (PmStore store = PmStore.open(storePath, READ_ONLY)) {
      findNothing(store.root(Ledger.class));
    }
  }

  @Test
  void aLookUpAddsNothingToAStoreThatCanBeWritten() {
    try (PmStore store = PmStore.open(storePath)) {
      Ledger ledger = store.root(Ledger.class);
      long before = store.metrics().transactions().commits();
      findNothing(ledger);
      assertEquals(before, store.metrics().transactions().commits());
    }
  }

  private static void findNothing(Ledger ledger) {
    List<Object> keys =
        List.of(new Never(1, TimeUnit.DAYS), new NotKept(Thread.currentThread()), TimeUnit.DAYS);
    for (Object key : keys) {
      assertNull(ledger.getAccounts().get(key));
      assertFalse(ledger.getHistory().contains(key));
    }
  }

  @Test
  void aStoreWithoutCollectionsIsReadToo() {
    Path small = directory.resolve("small");
    try (PmStore store = PmStore.open(small)) {
      store.root("one", Account.class).setOwner("me");
    }
    try (PmStore store = PmStore.open(small, READ_ONLY)) {
      assertEquals("me", store.root("one", Account.class).getOwner());
      assertThrows(StoreReadOnlyException.class, () -> store.root(Ledger.class));
    }
  }

  @Test
  void severalReadTogetherAndNobodyWritesMeanwhile() {
    try (PmStore first = PmStore.open(storePath, READ_ONLY);
        PmStore second = PmStore.open(storePath, READ_ONLY)) {
      check(first);
      check(second);
      assertNotSame(first.root(Ledger.class), second.root(Ledger.class));
      assertThrows(StoreLockedException.class, () -> PmStore.open(storePath));
    }
    try (PmStore writer = PmStore.open(storePath)) {
      check(writer);
      assertThrows(StoreLockedException.class, () -> PmStore.open(storePath, READ_ONLY));
    }
  }

  @Test
  void aClosedOneSaysSo() {
    PmStore store = PmStore.open(storePath, READ_ONLY);
    Account account = store.root(Ledger.class).getAccounts().get("account 1");
    store.close();
    store.close();
    assertThrows(StoreClosedException.class, account::getOwner);
    assertThrows(StoreClosedException.class, () -> account.setOwner("x"));
    assertThrows(StoreClosedException.class, () -> store.root(Ledger.class));
  }

  @Test
  void whereThereIsNoStoreNoneIsMade() {
    Path nowhere = directory.resolve("nowhere");
    assertThrows(StoreFormatException.class, () -> PmStore.open(nowhere, READ_ONLY));
    assertFalse(Files.exists(nowhere));
  }

  @Test
  void itCanBeVerifiedWithoutBeingWrittenAlsoWhileItIsRead() throws IOException {
    Map<String, String> before = contents();
    try (PmStore store = PmStore.open(storePath, READ_ONLY)) {
      check(store);
      assertTrue(PmStore.verify(storePath, READ_ONLY).faults().isEmpty());
    }
    assertEquals(before, contents());
  }

  @Test
  void aPoolOfLlplIsRefused() {
    Path pool = directory.resolve("pool");
    PmStoreOptions llpl = PmStoreOptions.defaults().storage(Storage.LLPL).llplPoolSize(128L << 20);
    try (PmStore store = PmStore.open(pool, llpl)) {
      store.root(Ledger.class);
    } catch (PmStoreException e) {
      assumeTrue(!e.getMessage().contains("libpmem"), e.getMessage());
      throw e;
    }
    for (PmStoreOptions options : List.of(READ_ONLY, llpl.readOnly(true))) {
      PmStoreException e = assertThrows(PmStoreException.class, () -> PmStore.open(pool, options));
      assertTrue(e.getMessage().contains("LLPL"), e.getMessage());
      assertTrue(e.getMessage().contains(pool.toString()), e.getMessage());
    }
  }

  @Test
  void aBackupOfAStoreThatIsOnlyReadIsAStoreLikeIt() throws IOException {
    Path small = directory.resolve("small");
    try (PmStore store = PmStore.open(small, PmStoreOptions.defaults().logSegmentSize(2L << 20))) {
      store.root(Ledger.class).getHistory().add(BigDecimal.TEN);
    }
    Path backup = directory.resolve("backup");
    try (PmStore reader = PmStore.open(small, READ_ONLY)) {
      reader.backup(backup);
    }
    assertEquals(Files.size(small.resolve("log-0")), Files.size(backup.resolve("log-0")));
    assertTrue(PmStore.verify(backup).isSound());
    try (PmStore reader = PmStore.open(backup, READ_ONLY)) {
      assertEquals(List.of(BigDecimal.TEN), reader.root(Ledger.class).getHistory());
    }
    try (PmStore writer = PmStore.open(backup)) {
      writer.root(Ledger.class).getHistory().add(BigDecimal.ONE);
    }
  }
}
