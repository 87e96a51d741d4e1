package io.pmstore.jmh.tpcb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A bank of plain objects. The maps do not change once it is loaded; a transaction locks its
 * account, its teller and its branch, in this order, and holds all three to its end.
 */
final class MemoryTpcbStore implements TpcbStore {
  private final TpcbSize size;
  private final Map<Integer, Balance> accounts = new HashMap<>();
  private final Map<Integer, Balance> tellers = new HashMap<>();
  private final Map<Integer, PlainBranch> branches = new HashMap<>();

  /** Something with a balance; its lock guards it. */
  private static final class Balance {
    private final int branch;
    private final String filler = FILLER;
    private long balance;

    Balance(int branch) {
      this.branch = branch;
    }

    @Override
    public String toString() {
      return branch + ": " + balance + filler;
    }
  }

  /** A branch with the history of its tellers; its lock guards both. */
  private static final class PlainBranch {
    private final List<PlainEntry> history = new ArrayList<>();
    private long balance;
  }

  private record PlainEntry(Transfer transfer, long timeMillis, String filler) {}

  MemoryTpcbStore(TpcbSize size) {
    this.size = size;
  }

  @Override
  public void load() {
    for (int number = 0; number < size.branches(); number++) {
      branches.put(number, new PlainBranch());
    }
    for (int number = 0; number < size.tellers(); number++) {
      tellers.put(number, new Balance(size.branchOfTeller(number)));
    }
    for (int number = 0; number < size.accounts(); number++) {
      accounts.put(number, new Balance(size.branchOfAccount(number)));
    }
  }

  @Override
  public long transfer(Transfer transfer, long timeMillis) {
    Balance account = accounts.get(transfer.account());
    if (account == null) {
      throw TpcbStore.absent(transfer.account());
    }
    Balance teller = Objects.requireNonNull(tellers.get(transfer.teller()));
    PlainBranch branch = Objects.requireNonNull(branches.get(transfer.branch()));
    synchronized (account) {
      account.balance += transfer.delta();
      synchronized (teller) {
        teller.balance += transfer.delta();
        synchronized (branch) {
          branch.balance += transfer.delta();
          branch.history.add(new PlainEntry(transfer, timeMillis, HISTORY_FILLER));
          return account.balance;
        }
      }
    }
  }

  /** Called while no thread works. */
  @Override
  public Totals totals() {
    long inBranches = 0;
    long deltas = 0;
    long history = 0;
    for (PlainBranch branch : branches.values()) {
      inBranches += branch.balance;
      deltas += branch.history.stream().mapToLong(entry -> entry.transfer.delta()).sum();
      history += branch.history.size();
    }
    return new Totals(
        accounts.values().stream().mapToLong(account -> account.balance).sum(),
        tellers.values().stream().mapToLong(teller -> teller.balance).sum(),
        inBranches,
        deltas,
        history);
  }

  @Override
  public void close() {
    // Nothing is kept.
  }
}
