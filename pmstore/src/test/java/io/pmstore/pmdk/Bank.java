package io.pmstore.pmdk;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Accounts, between which money is moved, and notes, which take space. */
@Persistent(root = "bank")
public class Bank {
  private List<Account> accounts = new ArrayList<>();
  private Map<Long, String> notes = new HashMap<>();

  /** One account; all together keep what they began with. */
  @Persistent
  public static class Account {
    static final long BEGINNING = 1000;

    private long balance;

    public long getBalance() {
      return balance;
    }

    public void setBalance(long balance) {
      this.balance = balance;
    }
  }

  public List<Account> getAccounts() {
    return accounts;
  }

  public void setAccounts(List<Account> accounts) {
    this.accounts = accounts;
  }

  public Map<Long, String> getNotes() {
    return notes;
  }

  public void setNotes(Map<Long, String> notes) {
    this.notes = notes;
  }

  static PmStoreOptions options() {
    return PmStoreOptions.defaults().storage(Storage.LLPL).llplPoolSize(64 << 20);
  }

  static PmStore open(Path directory) {
    return PmStore.open(directory, options());
  }

  static Bank of(PmStore store) {
    return store.root(Bank.class);
  }

  /** Opens accounts in a new store. */
  static Bank founded(PmStore store, int accounts) {
    Bank bank = of(store);
    store.transaction(
        () -> {
          for (int i = 0; i < accounts; i++) {
            Account account = store.create(Account.class);
            account.setBalance(Account.BEGINNING);
            bank.getAccounts().add(account);
          }
        });
    return bank;
  }

  /** Moves money, in the transaction that the caller is in. */
  void transfer(int from, int to, long amount) {
    Account source = getAccounts().get(from);
    Account target = getAccounts().get(to);
    source.setBalance(source.getBalance() - amount);
    target.setBalance(target.getBalance() + amount);
  }

  /** What all accounts have, as the caller's transaction or snapshot shows it. */
  long sum() {
    long sum = 0;
    for (Account account : getAccounts()) {
      sum += account.getBalance();
    }
    return sum;
  }
}
