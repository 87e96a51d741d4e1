package io.pmstore.core.crash;

import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.space.ObjectLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The checked state of a {@link Bank} found in a heap: every list is whole, every balance follows
 * from the transfers, some serial order of all transfers explains what each of them read, and the
 * heap has neither garbage nor objects in free space.
 *
 * @param made the number of transfers of each teller; empty if there is no bank
 * @param versions of the accounts
 */
record BankState(List<Long> made, List<Long> versions) {
  /** A version and balance that a transfer has read. */
  private record Read(int account, long version, long balance) {}

  private record Transfer(int teller, long number, long amount, Read from, Read partner, Read to) {}

  /** A place in the history of an account. */
  private record AccountVersion(int account, long version) {}

  /**
   * Reads the bank of a heap that nobody changes.
   *
   * @throws AssertionError if it is not as any order of transfers leaves it
   */
  static BankState read(Heap heap, int tellers) {
    Set<Long> reachable = new HashSet<>();
    addRoots(heap, reachable);
    long bank = Bank.find(heap);
    if (bank == 0) {
      HeapTiling.check(heap.memory(), reachable);
      return new BankState(List.of(), List.of());
    }
    reachable.add(bank);
    List<Long> made = new ArrayList<>();
    List<Transfer> transfers = new ArrayList<>();
    for (int teller = 0; teller < tellers; teller++) {
      long object = heap.getLong(bank, Bank.tellersOffset() + 8 * teller);
      reachable.add(object);
      made.add(heap.getLong(object, Bank.MADE_OFFSET));
      addTransfers(heap, teller, object, transfers, reachable);
    }
    List<Long> versions = new ArrayList<>();
    Map<AccountVersion, Transfer> writers = writers(transfers);
    long sum = 0;
    for (int i = 0; i < Bank.ACCOUNTS; i++) {
      long account = heap.getLong(bank, Bank.ACCOUNTS_OFFSET + 8 * i);
      reachable.add(account);
      long version = heap.getLong(account, Bank.VERSION_OFFSET);
      long balance = heap.getLong(account, Bank.BALANCE_OFFSET);
      check(balance == balanceAfter(writers, i, version), "balance of account " + i);
      check(!writers.containsKey(new AccountVersion(i, version + 1)), "version of account " + i);
      versions.add(version);
      sum += balance;
    }
    check(sum == Bank.ACCOUNTS * Bank.BALANCE, "sum of the balances");
    check(
        heap.counter(bank, Bank.TRANSFERS_OFFSET) == transfers.size(), "counter of the transfers");
    checkOrder(transfers, writers);
    HeapTiling.check(heap.memory(), reachable);
    return new BankState(made, versions);
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new AssertionError("wrong: " + what);
    }
  }

  /** Adds the entries of the roots, and their names. */
  static void addRoots(Heap heap, Set<Long> reachable) {
    long entry = heap.getLong(CoreLayout.SUPERBLOCK, CoreLayout.SUPERBLOCK_ROOTS_OFFSET);
    while (entry != 0) {
      reachable.add(entry);
      reachable.add(heap.getLong(entry, CoreLayout.ROOT_NAME_OFFSET));
      entry = heap.getLong(entry, CoreLayout.NEXT_OFFSET);
    }
  }

  private static void addTransfers(
      Heap heap, int teller, long object, List<Transfer> transfers, Set<Long> reachable) {
    long number = heap.getLong(object, Bank.MADE_OFFSET);
    long at = heap.getLong(object, Bank.LAST_OFFSET);
    for (; number > 0; number--) {
      String what = "transfer %d of teller %d".formatted(number, teller);
      check(
          heap.size(at) == Bank.TRANSFER_SIZE && heap.getLong(at, Bank.NUMBER_OFFSET) == number,
          what);
      long note = heap.getLong(at, Bank.NOTE_OFFSET);
      check(Arrays.equals(heap.blobs().read(note), Bank.note(teller, number)), "note of " + what);
      check(ObjectLayout.kind(heap.getLong(note, 0)) == CoreLayout.FLAGS_BLOB, "kind of note");
      reachable.add(at);
      reachable.add(note);
      int from = (int) heap.getLong(at, Bank.FROM_OFFSET);
      int to = (int) heap.getLong(at, Bank.TO_OFFSET);
      transfers.add(
          new Transfer(
              teller,
              number,
              heap.getLong(at, Bank.AMOUNT_OFFSET),
              read(heap, at, 0, from),
              read(heap, at, 1, from ^ 1),
              read(heap, at, 2, to)));
      at = heap.getLong(at, Bank.PREVIOUS_OFFSET);
    }
    check(at == 0, "end of the list of teller " + teller);
  }

  private static Read read(Heap heap, long transfer, int index, int account) {
    int offset = Bank.READ_OFFSET + 16 * index;
    return new Read(account, heap.getLong(transfer, offset), heap.getLong(transfer, offset + 8));
  }

  /** Who wrote which version of an account; each exactly one, from 1 on without gaps. */
  private static Map<AccountVersion, Transfer> writers(List<Transfer> transfers) {
    Map<AccountVersion, Transfer> writers = new HashMap<>();
    for (Transfer transfer : transfers) {
      for (Read written : List.of(transfer.from, transfer.to)) {
        AccountVersion version = new AccountVersion(written.account, written.version + 1);
        check(writers.put(version, transfer) == null, "two transfers wrote " + version);
      }
    }
    for (Transfer transfer : transfers) {
      for (Read read : List.of(transfer.from, transfer.partner, transfer.to)) {
        check(
            read.balance == balanceAfter(writers, read.account, read.version),
            "what %s has read".formatted(transfer));
      }
      check(
          transfer.amount == 0
              || transfer.from.balance + transfer.partner.balance >= transfer.amount,
          "a pair is overdrawn");
    }
    return writers;
  }

  private static long balanceAfter(
      Map<AccountVersion, Transfer> writers, int account, long version) {
    if (version == 0) {
      return Bank.BALANCE;
    }
    Transfer writer = writers.get(new AccountVersion(account, version));
    check(writer != null, "version %d of account %d was never written".formatted(version, account));
    return writer.from.account == account
        ? writer.from.balance - writer.amount
        : writer.to.balance + writer.amount;
  }

  /**
   * Whether all transfers have an order: each after those that wrote what it read, and before those
   * that wrote the next version; a teller's own in their order.
   */
  private static void checkOrder(List<Transfer> transfers, Map<AccountVersion, Transfer> writers) {
    Map<Transfer, Set<Transfer>> after = new HashMap<>();
    Map<Transfer, Integer> before = new HashMap<>();
    Map<List<Long>, Transfer> byNumber = new HashMap<>();
    for (Transfer transfer : transfers) {
      byNumber.put(List.of((long) transfer.teller, transfer.number), transfer);
    }
    for (Transfer transfer : transfers) {
      for (Read read : List.of(transfer.from, transfer.partner, transfer.to)) {
        edge(writers.get(new AccountVersion(read.account, read.version)), transfer, after, before);
        edge(
            transfer,
            writers.get(new AccountVersion(read.account, read.version + 1)),
            after,
            before);
      }
      edge(
          byNumber.get(List.of((long) transfer.teller, transfer.number - 1)),
          transfer,
          after,
          before);
    }
    Deque<Transfer> free = new ArrayDeque<>();
    for (Transfer transfer : transfers) {
      if (before.getOrDefault(transfer, 0) == 0) {
        free.add(transfer);
      }
    }
    int ordered = 0;
    while (!free.isEmpty()) {
      ordered++;
      for (Transfer next : after.getOrDefault(free.pop(), Set.of())) {
        if (before.merge(next, -1, Integer::sum) == 0) {
          free.add(next);
        }
      }
    }
    check(ordered == transfers.size(), "no order of the transfers explains what they read");
  }

  private static void edge(
      Transfer first,
      Transfer second,
      Map<Transfer, Set<Transfer>> after,
      Map<Transfer, Integer> before) {
    if (first != null
        && second != null
        && first != second
        && after.computeIfAbsent(first, t -> new HashSet<>()).add(second)) {
      before.merge(second, 1, Integer::sum);
    }
  }
}
