package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.NotPersistableException;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.storage.StorageTest.Account;
import io.pmstore.storage.StorageTest.Ledger;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a program still holds of a store that it has closed says so when it is used, and goes on
 * to do so when the store is open again.
 */
class UseAfterCloseTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource(names = {"FILE", "PERSISTENT_MEMORY"})
  void everythingSaysSo(Storage storage) {
    PmStoreOptions options = PmStoreOptions.defaults().storage(storage).logSegmentSize(1 << 20);
    PmStore store = PmStore.open(directory, options);
    Ledger ledger = store.root(Ledger.class);
    store.transaction(
        () -> {
          for (int i = 0; i < 300; i++) {
            ledger.getAccounts().put("account " + i, store.create(Account.class));
            ledger.getHistory().add(BigDecimal.valueOf(i));
          }
        });
    Account account = ledger.getAccounts().get("account 7");
    Map<String, Account> accounts = ledger.getAccounts();
    Set<String> keys = accounts.keySet();
    Collection<Account> values = accounts.values();
    Iterator<Map.Entry<String, Account>> entries = accounts.entrySet().iterator();
    Map.Entry<String, Account> entry = entries.next();
    List<BigDecimal> history = ledger.getHistory();
    List<BigDecimal> part = history.subList(10, 20);
    Iterator<BigDecimal> begun = history.iterator();
    begun.next();
    ListIterator<BigDecimal> backwards = history.listIterator(300);
    List<Callable<?>> asks =
        List.of(
            accounts::size,
            accounts::isEmpty,
            () -> accounts.containsKey("nobody"),
            accounts::hashCode,
            () -> accounts.equals(Map.of()),
            keys::size,
            () -> keys.contains("account 7"),
            values::size,
            () -> values.stream().count(),
            history::size,
            history::isEmpty,
            () -> history.contains(BigDecimal.ONE),
            history::toArray,
            part::toArray);
    List<Runnable> uses =
        List.of(
            () -> store.root(Ledger.class),
            () -> store.root("another", Ledger.class),
            () -> store.create(Account.class),
            () -> store.transaction(() -> {}),
            () -> store.transaction(() -> 1),
            () -> store.snapshot(() -> 1),
            ledger::getAccounts,
            ledger::getHistory,
            () -> ledger.setHistory(List.of()),
            account::getOwner,
            account::getBalance,
            () -> account.setOwner("x"),
            () -> account.setOwner(null),
            () -> accounts.get("account 7"),
            () -> accounts.get("nobody"),
            () -> accounts.put("x", account),
            () -> accounts.remove("account 7"),
            accounts::clear,
            () -> accounts.forEach((key, value) -> {}),
            () -> keys.remove("account 7"),
            () -> keys.iterator().next(),
            () -> entries.forEachRemaining(e -> {}),
            () -> entry.setValue(account),
            () -> history.get(0),
            history::getLast,
            () -> history.add(BigDecimal.ONE),
            () -> history.set(0, BigDecimal.ONE),
            () -> history.removeLast(),
            () -> history.sort(null),
            () -> history.iterator().next(),
            () -> begun.forEachRemaining(e -> {}),
            () -> {
              while (backwards.hasPrevious()) {
                backwards.previous();
              }
            },
            () -> part.get(0),
            part::clear);
    store.close();
    check(asks, uses);
    try (PmStore again = PmStore.open(directory, options)) {
      check(asks, uses);
      Ledger found = again.root(Ledger.class);
      assertThrows(
          NotPersistableException.class, () -> found.getAccounts().put("account 7", account));
      assertEquals(300, found.getAccounts().size());
      assertEquals(300, found.getHistory().size());
    }
    check(asks, uses);
  }

  private static void check(List<Callable<?>> asks, List<Runnable> uses) {
    for (int i = 0; i < asks.size(); i++) {
      assertThrows(StoreClosedException.class, asks.get(i)::call, "question " + i);
    }
    for (int i = 0; i < uses.size(); i++) {
      assertThrows(StoreClosedException.class, uses.get(i)::run, "use " + i);
    }
  }
}
