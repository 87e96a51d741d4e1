package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The promises of the API that hold whatever keeps the bytes. */
class StorageTest {
  @TempDir Path directory;

  /** A root with collections of objects and of values. */
  @Persistent(root = "ledger")
  public static class Ledger {
    private Map<String, Account> accounts = new HashMap<>();
    private List<BigDecimal> history = new ArrayList<>();

    public Map<String, Account> getAccounts() {
      return accounts;
    }

    public void setAccounts(Map<String, Account> accounts) {
      this.accounts = accounts;
    }

    public List<BigDecimal> getHistory() {
      return history;
    }

    public void setHistory(List<BigDecimal> history) {
      this.history = history;
    }
  }

  /** An account. */
  @Persistent
  public static class Account {
    private String owner;
    private BigDecimal balance = BigDecimal.ZERO;

    public String getOwner() {
      return owner;
    }

    public void setOwner(String owner) {
      this.owner = owner;
    }

    public BigDecimal getBalance() {
      return balance;
    }

    public void setBalance(BigDecimal balance) {
      this.balance = balance;
    }
  }

  private static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults()
        .storage(storage)
        .llplPoolSize(128L << 20)
        .tieredPoolSize(4L << 20)
        .logSegmentSize(4 << 20);
  }

  private PmStore open(Storage storage) {
    return open(options(storage));
  }

  private PmStore open(PmStoreOptions options) {
    try {
      return PmStore.open(directory, options);
    } catch (PmStoreException e) {
      boolean missing = e.getMessage().contains("libpmem");
      if (missing) {
        System.out.println("SKIPPED: " + options.storage() + ": " + e.getMessage());
      }
      assumeTrue(!missing, e.getMessage());
      throw e;
    }
  }

  private static void transfer(PmStore store, Ledger ledger, String from, String to, long amount) {
    store.transaction(
        () -> {
          Account source = ledger.getAccounts().get(from);
          Account target = ledger.getAccounts().get(to);
          source.setBalance(source.getBalance().subtract(BigDecimal.valueOf(amount)));
          target.setBalance(target.getBalance().add(BigDecimal.valueOf(amount)));
          ledger.getHistory().add(BigDecimal.valueOf(amount));
          if (source.getBalance().signum() < 0) {
            throw new IllegalStateException(from + " has too little");
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void objectsTransactionsAndRollBack(Storage storage) {
    try (PmStore store = open(storage)) {
      Ledger ledger = store.root(Ledger.class);
      store.transaction(
          () -> {
            for (String owner : List.of("ann", "bob")) {
              Account account = new Account(); // a plain object, converted when it is put
              account.setOwner(owner);
              account.setBalance(BigDecimal.TEN);
              ledger.getAccounts().put(owner, account);
            }
          });
      transfer(store, ledger, "ann", "bob", 7);
      assertThrows(IllegalStateException.class, () -> transfer(store, ledger, "ann", "bob", 7));
      assertEquals(BigDecimal.valueOf(3), ledger.getAccounts().get("ann").getBalance());
      assertEquals(1, ledger.getHistory().size());
    }
    try (PmStore store = open(Storage.AUTO)) {
      Ledger ledger = store.root(Ledger.class);
      assertSame(ledger, store.root("ledger", Ledger.class));
      assertSame(ledger.getAccounts().get("bob"), ledger.getAccounts().get("bob"));
      assertEquals(BigDecimal.valueOf(17), ledger.getAccounts().get("bob").getBalance());
      assertEquals("ann", ledger.getAccounts().get("ann").getOwner());
      assertEquals(List.of(BigDecimal.valueOf(7)), ledger.getHistory());
    }
  }

  /**
   * On persistent memory no sync is needed. A store that was made there and copied to a disk would
   * lose in a power cut what it has acknowledged.
   */
  @ParameterizedTest
  @EnumSource(names = {"PERSISTENT_MEMORY", "TIERED"})
  void aCopyOfPersistentMemoryOnADiskSyncs(Storage storage) throws IOException {
    assumeFalse(Files.getFileStore(directory).type().equals("tmpfs"), "no disk");
    try (PmStore store = open(options(storage).tieredPools(directory, Storage.PERSISTENT_MEMORY))) {
      assertTrue(store.metrics().log().syncs().isEmpty());
    }
    try (PmStore store = PmStore.open(directory)) {
      long before = store.metrics().log().syncs().orElseThrow();
      store.root(Ledger.class).getHistory().add(BigDecimal.ONE);
      assertTrue(store.metrics().log().syncs().orElseThrow() > before);
    }
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void aStoreThatIsOpenIsRefused(Storage storage) {
    try (PmStore store = open(storage)) {
      assertThrows(StoreLockedException.class, () -> open(storage));
      store.root(Ledger.class).getHistory().add(BigDecimal.ONE);
    }
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void objectsOfAClosedStoreSaySo(Storage storage) {
    PmStore store = open(storage);
    Ledger ledger = store.root(Ledger.class);
    Account account = store.create(Account.class);
    store.close();
    store.close();
    assertThrows(StoreClosedException.class, account::getOwner);
    assertThrows(StoreClosedException.class, () -> account.setOwner("x"));
    assertThrows(StoreClosedException.class, () -> ledger.getAccounts().size());
    assertThrows(StoreClosedException.class, () -> store.root(Ledger.class));
    assertThrows(StoreClosedException.class, () -> store.create(Account.class));
    assertThrows(StoreClosedException.class, () -> store.transaction(() -> {}));
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void relaxedDurabilityKeepsWhatIsClosed(Storage storage) {
    PmStoreOptions relaxed = options(storage).durability(Durability.relaxed(Duration.ofMillis(5)));
    open(storage).close(); // skips where the storage cannot be had
    try (PmStore store = PmStore.open(directory, relaxed)) {
      for (int i = 0; i < 500; i++) {
        store.root(Ledger.class).getHistory().add(BigDecimal.valueOf(i));
      }
    }
    try (PmStore store = open(storage)) {
      assertEquals(500, store.root(Ledger.class).getHistory().size());
    }
  }

  @Test
  void aStoreIsOpenedWithTheStorageItHas() {
    open(Storage.LLPL).close();
    StoreFormatException refused =
        assertThrows(StoreFormatException.class, () -> open(Storage.FILE));
    assertTrue(refused.getMessage().contains("Storage.LLPL"), refused.getMessage());
  }

  @Test
  void aMappedStoreIsNoLlplStore() throws Exception {
    open(Storage.FILE).close();
    byte[] before = Files.readAllBytes(directory.resolve("heap"));
    assertThrows(StoreFormatException.class, () -> open(Storage.LLPL));
    assertEquals(-1, Arrays.mismatch(before, Files.readAllBytes(directory.resolve("heap"))));
    open(Storage.PERSISTENT_MEMORY).close(); // the same format
    open(Storage.FILE).close();
  }
}
