package io.pmstore.jmh.tpcb;

import io.pmstore.PmStore;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntConsumer;

/** A bank in pmstore: ordinary objects. */
final class PmTpcbStore implements TpcbStore {
  private static final int BATCH = 1000;

  private final PmStore store;
  private final TpcbSize size;
  private final Map<Integer, Branch> branches;
  private final Map<Integer, Teller> tellers;
  private final Map<Integer, Account> accounts;

  /** Takes over the store: closing this closes it. */
  PmTpcbStore(PmStore store, TpcbSize size) {
    this.store = store;
    this.size = size;
    try {
      Bank bank = store.root(Bank.class);
      branches = bank.getBranches();
      tellers = bank.getTellers();
      accounts = bank.getAccounts();
    } catch (RuntimeException | Error e) {
      store.close();
      throw e;
    }
  }

  @Override
  public void load() {
    inBatches(size.branches(), this::addBranch);
    inBatches(size.tellers(), this::addTeller);
    inBatches(size.accounts(), this::addAccount);
  }

  private void inBatches(int count, IntConsumer add) {
    for (int from = 0; from < count; from += BATCH) {
      int first = from;
      store.transaction(
          () -> {
            for (int number = first; number < Math.min(count, first + BATCH); number++) {
              add.accept(number);
            }
          });
    }
  }

  private void addBranch(int number) {
    Branch branch = store.create(Branch.class);
    branch.setFiller(BRANCH_FILLER);
    branches.put(number, branch);
  }

  private void addTeller(int number) {
    Teller teller = store.create(Teller.class);
    teller.setBranch(size.branchOfTeller(number));
    teller.setFiller(FILLER);
    tellers.put(number, teller);
  }

  private void addAccount(int number) {
    Account account = store.create(Account.class);
    account.setBranch(size.branchOfAccount(number));
    account.setFiller(FILLER);
    accounts.put(number, account);
  }

  @Override
  public long transfer(Transfer transfer, long timeMillis) {
    return store.transaction(
        () -> {
          Account account = accounts.get(transfer.account());
          if (account == null) {
            throw TpcbStore.absent(transfer.account());
          }
          long balance = account.getBalance() + transfer.delta();
          account.setBalance(balance);
          Teller teller = Objects.requireNonNull(tellers.get(transfer.teller()));
          teller.setBalance(teller.getBalance() + transfer.delta());
          Branch branch = Objects.requireNonNull(branches.get(transfer.branch()));
          branch.setBalance(branch.getBalance() + transfer.delta());
          HistoryEntry entry = store.create(HistoryEntry.class);
          entry.setAccount(transfer.account());
          entry.setTeller(transfer.teller());
          entry.setBranch(transfer.branch());
          entry.setDelta(transfer.delta());
          entry.setTimeMillis(timeMillis);
          entry.setFiller(HISTORY_FILLER);
          branch.getHistory().add(entry);
          return balance;
        });
  }

  @Override
  public Totals totals() {
    return store.snapshot(
        () -> {
          long inBranches = 0;
          long deltas = 0;
          long history = 0;
          for (Branch branch : branches.values()) {
            inBranches += branch.getBalance();
            for (HistoryEntry entry : branch.getHistory()) {
              deltas += entry.getDelta();
              history++;
            }
          }
          return new Totals(
              accounts.values().stream().mapToLong(Account::getBalance).sum(),
              tellers.values().stream().mapToLong(Teller::getBalance).sum(),
              inBranches,
              deltas,
              history);
        });
  }

  @Override
  public void close() {
    store.close();
  }
}
