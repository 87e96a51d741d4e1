package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
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
import io.pmstore.StoreReadOnlyException;
import io.pmstore.VerificationReport;
import io.pmstore.storage.StorageTest.Account;
import io.pmstore.storage.StorageTest.Ledger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Roots that are listed and removed, on every storage. */
@Timeout(300)
class RemovedRootsTest {
  private static final int ACCOUNTS = 1_000; // more than a commit frees

  @TempDir Path directory;

  /** A root that counts. */
  @Persistent
  public static class Counter {
    private long value;

    public long getValue() {
      return value;
    }

    public void setValue(long value) {
      this.value = value;
    }
  }

  private PmStore open(PmStoreOptions options) {
    try {
      return PmStore.open(directory.resolve("store"), options);
    } catch (PmStoreException e) {
      boolean missing = e.getMessage().contains("libpmem");
      if (missing) {
        System.out.println("SKIPPED: " + options.storage() + ": " + e.getMessage());
      }
      assumeTrue(!missing, e.getMessage());
      throw e;
    }
  }

  private PmStore open(Storage storage) {
    return open(
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(128L << 20)
            .tieredPoolSize(4L << 20)
            .logSegmentSize(4 << 20));
  }

  /** Two roots, which share an account; the ledger has many more. */
  private void make(Storage storage) {
    try (PmStore store = open(storage)) {
      Ledger ledger = store.root(Ledger.class);
      store.transaction(
          () -> {
            for (int i = 0; i < ACCOUNTS; i++) {
              Account account = new Account();
              account.setOwner("an owner whose name is so long that it lies out of line " + i);
              ledger.getAccounts().put("account " + i, account);
            }
          });
      store
          .root("copy", Ledger.class)
          .getAccounts()
          .put("b", ledger.getAccounts().get("account 7"));
      store.root("counter", Counter.class).setValue(5);
    }
  }

  private static long live(PmStore store, Class<?> type) {
    return store.statistics().classes().stream()
        .filter(c -> c.className().equals(type.getName()))
        .mapToLong(c -> c.liveObjects())
        .sum();
  }

  private static final Map<String, String> ALL =
      Map.of(
          "copy", Ledger.class.getName(),
          "counter", Counter.class.getName(),
          "ledger", Ledger.class.getName());

  @ParameterizedTest
  @EnumSource(Storage.class)
  void aRemovedRootIsGoneWithAllThatItAloneReached(Storage storage) {
    make(storage);
    try (PmStore store = open(Storage.AUTO)) {
      assertEquals(ALL, store.roots());
      assertEquals(List.of("copy", "counter", "ledger"), List.copyOf(store.roots().keySet()));
      assertTrue(store.removeRoot("ledger"));
      assertFalse(store.removeRoot("ledger"));
      assertFalse(store.removeRoot("never"));
      assertFalse(store.removeRoot(""));
      store.gc();
      assertEquals(1, live(store, Account.class));
      assertEquals(1, live(store, Ledger.class));
    }
    try (PmStore store = open(Storage.AUTO)) {
      assertEquals(List.of("copy", "counter"), List.copyOf(store.roots().keySet()));
      assertTrue(store.root("copy", Ledger.class).getAccounts().get("b").getOwner().endsWith(" 7"));
      store.root("ledger", Counter.class).setValue(8); // the same name again
    }
    try (PmStore store = open(Storage.AUTO)) {
      assertEquals(8, store.root("ledger", Counter.class).getValue());
      assertEquals(5, store.root("counter", Counter.class).getValue());
      assertEquals(Counter.class.getName(), store.roots().get("ledger"));
    }
    VerificationReport report = PmStore.verify(directory.resolve("store"));
    assertTrue(report.isSound(), report::toString);
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void aRemovalIsUndoneWithItsTransaction(Storage storage) {
    make(storage);
    try (PmStore store = open(Storage.AUTO)) {
      Ledger ledger = store.root(Ledger.class);
      assertThrows(
          ArithmeticException.class,
          () ->
              store.transaction(
                  () -> {
                    assertTrue(store.removeRoot("ledger"));
                    assertFalse(store.removeRoot("ledger"));
                    assertEquals(List.of("copy", "counter"), List.copyOf(store.roots().keySet()));
                    assertNotSame(ledger, store.root(Ledger.class));
                    throw new ArithmeticException();
                  }));
      assertEquals(ALL, store.roots());
      assertSame(ledger, store.root(Ledger.class));
      assertEquals(ACCOUNTS, ledger.getAccounts().size());
    }
    assertTrue(PmStore.verify(directory.resolve("store")).isSound());
  }

  @ParameterizedTest
  @EnumSource(Storage.class)
  void aSnapshotStillHasTheRoot(Storage storage) throws Exception {
    make(storage);
    try (PmStore store = open(Storage.AUTO);
        ExecutorService other = Executors.newSingleThreadExecutor()) {
      store.snapshot(
          () -> {
            assertThrows(IllegalStateException.class, () -> store.removeRoot("ledger"));
            assertTrue(other.submit(() -> store.removeRoot("ledger")).get());
            other.submit(() -> store.root("ledger", Counter.class)).get();
            assertEquals(ALL, store.roots());
            Ledger ledger = store.root("ledger", Ledger.class);
            assertEquals(ACCOUNTS, ledger.getAccounts().values().stream().distinct().count());
            ledger.getAccounts().forEach((name, account) -> account.getOwner());
          });
      assertEquals(Counter.class.getName(), store.roots().get("ledger"));
      store.gc();
    }
    assertTrue(PmStore.verify(directory.resolve("store")).isSound());
  }

  @Test
  void theObjectOfARemovedRootIsUsableWhileItIsHeld() {
    make(Storage.AUTO);
    try (PmStore store = open(Storage.AUTO)) {
      Ledger ledger = store.root(Ledger.class);
      store.removeRoot("ledger");
      store.gc();
      ledger.getAccounts().get("account 3").setOwner("ann");
      assertEquals("ann", ledger.getAccounts().get("account 3").getOwner());
      assertNotSame(ledger, store.root(Ledger.class));
      store.root("copy", Ledger.class).setAccounts(ledger.getAccounts()); // is kept from now on
    }
    try (PmStore store = open(Storage.AUTO)) {
      assertEquals(
          "ann", store.root("copy", Ledger.class).getAccounts().get("account 3").getOwner());
      assertTrue(store.root(Ledger.class).getAccounts().isEmpty());
    }
    assertTrue(PmStore.verify(directory.resolve("store")).isSound());
  }

  @Test
  void aBackupHasTheRootsOfItsMoment() {
    make(Storage.AUTO);
    try (PmStore store = open(Storage.AUTO)) {
      store.backup(directory.resolve("before"));
      store.removeRoot("ledger");
      store.backup(directory.resolve("after"));
    }
    try (PmStore before = PmStore.open(directory.resolve("before"));
        PmStore after = PmStore.open(directory.resolve("after"))) {
      assertEquals(ALL, before.roots());
      assertEquals(List.of("copy", "counter"), List.copyOf(after.roots().keySet()));
    }
  }

  /** Some threads add to a root, which they make if it is missing; others take it away. */
  @ParameterizedTest
  @EnumSource(Storage.class)
  void threadsThatMakeAndRemoveOneRootLoseNothing(Storage storage) throws Exception {
    int rounds = 150;
    try (PmStore store = open(storage)) {
      store.root("beside", Counter.class);
      List<Callable<Long>> threads = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        threads.add(
            () -> {
              for (int i = 0; i < rounds; i++) {
                store.transaction(
                    () -> {
                      Counter counter = store.root("shared", Counter.class);
                      counter.setValue(counter.getValue() + 1);
                    });
              }
              return 0L;
            });
        threads.add(
            () -> {
              long taken = 0;
              for (int i = 0; i < rounds; i++) {
                taken +=
                    store.transaction(
                        () -> {
                          if (!store.roots().containsKey("shared")) {
                            return 0L;
                          }
                          long value = store.root("shared", Counter.class).getValue();
                          assertTrue(store.removeRoot("shared"));
                          return value;
                        });
                store.root("shared", Counter.class); // outside a transaction too
              }
              return taken;
            });
      }
      long counted = 0;
      try (ExecutorService pool = Executors.newFixedThreadPool(threads.size())) {
        for (Future<Long> thread : pool.invokeAll(threads)) {
          counted += thread.get();
        }
      }
      counted += store.root("shared", Counter.class).getValue();
      assertEquals(2L * rounds, counted);
      assertEquals(List.of("beside", "shared"), List.copyOf(store.roots().keySet()));
    }
    assertTrue(PmStore.verify(directory.resolve("store")).isSound());
  }

  @Test
  void aRemovalIsRefusedWhereNothingCanBeWritten() {
    make(Storage.AUTO);
    try (PmStore store = open(PmStoreOptions.defaults().readOnly(true))) {
      assertThrows(StoreReadOnlyException.class, () -> store.removeRoot("ledger"));
      assertThrows(StoreReadOnlyException.class, () -> store.removeRoot("never"));
      assertEquals(ALL, store.roots());
    }
    PmStore store = open(PmStoreOptions.defaults().writesOutsideTransactions(false));
    try (store) {
      assertThrows(IllegalStateException.class, () -> store.removeRoot("ledger"));
      assertTrue(store.<Boolean, RuntimeException>transaction(() -> store.removeRoot("ledger")));
    }
    assertThrows(StoreClosedException.class, () -> store.removeRoot("counter"));
    assertThrows(StoreClosedException.class, store::roots);
  }
}
