package io.pmstore.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A store whose every state is consistent in ways that can be checked: accounts between which money
 * goes, the journal of the transfers, and a map that has the last of them by number.
 */
final class Bank {
  static final int ACCOUNTS = 20;
  private static final long BALANCE = 1_000;
  private static final int LATEST = 50;

  /** The root. */
  @Persistent(root = "bank")
  public static class Books {
    private Map<String, Account> accounts = new HashMap<>();
    private List<Long> journal = new ArrayList<>();
    private Map<Long, Transfer> latest = new HashMap<>();
    private long transfers;

    public Map<String, Account> getAccounts() {
      return accounts;
    }

    public void setAccounts(Map<String, Account> accounts) {
      this.accounts = accounts;
    }

    public List<Long> getJournal() {
      return journal;
    }

    public void setJournal(List<Long> journal) {
      this.journal = journal;
    }

    public Map<Long, Transfer> getLatest() {
      return latest;
    }

    public void setLatest(Map<Long, Transfer> latest) {
      this.latest = latest;
    }

    public long getTransfers() {
      return transfers;
    }

    public void setTransfers(long transfers) {
      this.transfers = transfers;
    }
  }

  /** An account. Its text says what its balance is, in a string of its own. */
  @Persistent
  public static class Account {
    private long balance;
    private String text;

    public long getBalance() {
      return balance;
    }

    public void setBalance(long balance) {
      this.balance = balance;
    }

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }
  }

  /** A transfer. */
  @Persistent
  public static class Transfer {
    private long number;
    private long amount;

    public long getNumber() {
      return number;
    }

    public void setNumber(long number) {
      this.number = number;
    }

    public long getAmount() {
      return amount;
    }

    public void setAmount(long amount) {
      this.amount = amount;
    }
  }

  private Bank() {}

  static PmStoreOptions options(Storage storage) {
    return PmStoreOptions.defaults()
        .storage(storage)
        .llplPoolSize(256L << 20)
        .logSegmentSize(4 << 20);
  }

  /** Opens a store, or skips the test, loudly, where the storage cannot be had. */
  static PmStore open(Path directory, PmStoreOptions options) {
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

  static String name(int account) {
    return "account " + account;
  }

  private static String text(long balance) {
    return "a text that is too long for its object: the balance is " + balance;
  }

  static Books prepare(PmStore store) {
    Books books = store.root(Books.class);
    store.transaction(
        () -> {
          for (int i = 0; i < ACCOUNTS; i++) {
            Account account = store.create(Account.class);
            account.setBalance(BALANCE);
            account.setText(text(BALANCE));
            books.getAccounts().put(name(i), account);
          }
        });
    return books;
  }

  static void transfer(PmStore store, Books books, Random random) {
    String from = name(random.nextInt(ACCOUNTS));
    String to = name(random.nextInt(ACCOUNTS));
    long amount = random.nextInt(100);
    store.transaction(
        () -> {
          add(books.getAccounts().get(from), -amount);
          add(books.getAccounts().get(to), amount);
          long number = books.getTransfers();
          books.setTransfers(number + 1);
          books.getJournal().add(amount);
          Transfer transfer = store.create(Transfer.class);
          transfer.setNumber(number);
          transfer.setAmount(amount);
          books.getLatest().put(number, transfer);
          books.getLatest().remove(number - LATEST);
        });
  }

  private static void add(Account account, long amount) {
    account.setBalance(account.getBalance() + amount);
    account.setText(text(account.getBalance()));
  }

  /** Checks a state that does not change meanwhile; returns how many transfers it has. */
  static long check(Books books) {
    long sum = 0;
    for (Account account : books.getAccounts().values()) {
      sum += account.getBalance();
      assertEquals(text(account.getBalance()), account.getText());
    }
    assertEquals(ACCOUNTS * BALANCE, sum, "what all accounts hold");
    long transfers = books.getTransfers();
    List<Long> journal = books.getJournal();
    assertEquals(transfers, journal.size());
    long read = 0;
    long fromEnd = transfers;
    List<Long> copied = new ArrayList<>();
    for (long amount : journal) {
      copied.add(amount);
      read++;
    }
    assertEquals(transfers, read, "iterated");
    Map<Long, Transfer> latest = books.getLatest();
    assertEquals(Math.min(transfers, LATEST), latest.size());
    long seen = 0;
    for (Map.Entry<Long, Transfer> entry : latest.entrySet()) {
      seen++;
      long number = entry.getKey();
      assertEquals(number, entry.getValue().getNumber());
      assertEquals(copied.get((int) number), entry.getValue().getAmount());
      fromEnd = Math.min(fromEnd, number);
    }
    assertEquals(latest.size(), seen, "entries");
    assertEquals(transfers - latest.size(), fromEnd, "the oldest of the latest");
    return transfers;
  }
}
