package io.pmstore.evolution.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that have moved stay where they are, also when none of an older shape is left. */
class MovedAccountsTest {
  private static final PmStoreOptions OPTIONS = PmStoreOptions.defaults().storage(Storage.FILE);

  @TempDir Path directory;

  @Test
  void movedObjectsAreFoundAfterTheWholeStoreWasUpgraded() throws Exception {
    Yesterday.fill(directory, OPTIONS, 3, 100);
    PmStoreOptions today =
        OPTIONS
            .classes(Account.class, Bank.class)
            .migrations(
                Migration.of(Account.class, "limit", (old, account) -> BigDecimal.TEN),
                Migration.of(Account.class, "card", (old, account) -> new Card(1)));
    try (PmStore store = PmStore.open(directory, today)) {
      store.root("bank", Bank.class);
      store.upgrade().await();
    }
    try (PmStore store = PmStore.open(directory, OPTIONS)) {
      store.snapshot(() -> check(store)); // in which handles cannot be settled
      check(store);
      store.transaction(() -> check(store));
      Account first = store.root("bank", Bank.class).getAccounts().getFirst();
      first.setBalance(7);
      assertSame(first, store.root("bank", Bank.class).getAccounts().getFirst());
      assertEquals(7, first.getBalance());
    }
    assertEquals(List.of(), PmStore.verify(directory, OPTIONS).faults());
  }

  private static void check(PmStore store) {
    List<Account> accounts = store.root("bank", Bank.class).getAccounts();
    assertEquals(3, accounts.size());
    for (Account account : accounts) {
      assertEquals(100, account.getBalance());
      assertEquals(account.getNumber() + " after 0", account.getHolder());
      assertEquals(BigDecimal.TEN, account.getLimit());
      assertEquals(1, account.getCard().getNumber());
    }
  }
}
