package io.pmstore.core.crash;

import io.pmstore.core.heap.Heap;
import java.util.SplittableRandom;

/**
 * A bank in a heap: accounts, and for each teller the list of the transfers that it made. A
 * transfer notes which version of each account it has read, so that its place in the order of
 * transfers can be told afterwards.
 *
 * <p>Accounts 2n and 2n + 1 are a pair, and belong to one customer: one of them may be overdrawn as
 * long as the pair is not. So a transfer reads three accounts and writes two.
 *
 * <pre>
 *   bank      header, count of transfers (a counter), accounts (8 bytes each), tellers (8 each)
 *   account   header, balance, version
 *   teller    header, transfers made, last transfer
 *   transfer  header, previous one, number, from, to, amount, note (a blob),
 *             version and balance of: from, its partner, to
 * </pre>
 */
final class Bank {
  static final int ACCOUNTS = 6;
  static final long BALANCE = 100;

  static final int TRANSFERS_OFFSET = 8;
  static final int ACCOUNTS_OFFSET = 16;
  static final int BALANCE_OFFSET = 8;
  static final int VERSION_OFFSET = 16;
  static final int MADE_OFFSET = 8;
  static final int LAST_OFFSET = 16;
  static final int PREVIOUS_OFFSET = 8;
  static final int NUMBER_OFFSET = 16;
  static final int FROM_OFFSET = 24;
  static final int TO_OFFSET = 32;
  static final int AMOUNT_OFFSET = 40;
  static final int NOTE_OFFSET = 48;
  static final int READ_OFFSET = 56; // three versions and balances
  static final int TRANSFER_SIZE = READ_OFFSET + 3 * 16;

  private static final String ROOT = "bank";
  private static final int SHAPE = 1;

  private final Heap heap;
  private final long bank;
  private String impossible = "";

  private Bank(Heap heap, long bank) {
    this.heap = heap;
    this.bank = bank;
  }

  static int tellersOffset() {
    return ACCOUNTS_OFFSET + 8 * ACCOUNTS;
  }

  /** The address of the bank, or 0 if there is none. */
  static long find(Heap heap) {
    return heap.directory().root(ROOT);
  }

  /** Finds the bank, or makes one. */
  static Bank open(Heap heap, int tellers) {
    long bank =
        heap.transaction(
            () -> {
              long found = heap.directory().root(ROOT);
              if (found != 0) {
                return found;
              }
              long made = heap.allocate(SHAPE, tellersOffset() + 8 * tellers);
              for (int i = 0; i < ACCOUNTS; i++) {
                long account = heap.allocate(SHAPE, 24);
                heap.putLong(account, BALANCE_OFFSET, BALANCE);
                heap.putLong(made, ACCOUNTS_OFFSET + 8 * i, account);
              }
              for (int i = 0; i < tellers; i++) {
                heap.putLong(made, tellersOffset() + 8 * i, heap.allocate(SHAPE, 24));
              }
              heap.directory().setRoot(ROOT, made);
              return made;
            });
    return new Bank(heap, bank);
  }

  /**
   * Transfers a random amount between random accounts, or 0 if there is not enough.
   *
   * @return the number of the transfer among those of its teller; it is durable
   */
  long transfer(int teller, SplittableRandom random) {
    int from = random.nextInt(ACCOUNTS);
    int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
    long wanted = random.nextInt(1, 80);
    return heap.transaction(
        () -> {
          long tellerObject = heap.getLong(bank, tellersOffset() + 8 * teller);
          long number = heap.getLong(tellerObject, MADE_OFFSET) + 1;
          long transfer = heap.allocate(SHAPE, TRANSFER_SIZE);
          long fromBalance = read(from, transfer, READ_OFFSET);
          long partnerBalance = read(from ^ 1, transfer, READ_OFFSET + 16);
          long toBalance = read(to, transfer, READ_OFFSET + 32);
          long amount = fromBalance + partnerBalance >= wanted ? wanted : 0;
          write(from, fromBalance - amount);
          SeededScheduler.pause();
          write(to, toBalance + amount);
          heap.putLong(transfer, PREVIOUS_OFFSET, heap.getLong(tellerObject, LAST_OFFSET));
          heap.putLong(transfer, NUMBER_OFFSET, number);
          heap.putLong(transfer, FROM_OFFSET, from);
          heap.putLong(transfer, TO_OFFSET, to);
          heap.putLong(transfer, AMOUNT_OFFSET, amount);
          heap.putLong(transfer, NOTE_OFFSET, heap.blobs().create(note(teller, number)));
          heap.putLong(tellerObject, MADE_OFFSET, number);
          heap.putLong(tellerObject, LAST_OFFSET, transfer);
          heap.addToCounter(bank, TRANSFERS_OFFSET, 1);
          return number;
        });
  }

  private long account(int number) {
    return heap.getLong(bank, ACCOUNTS_OFFSET + 8 * number);
  }

  private long read(int number, long transfer, int offset) {
    long account = account(number);
    SeededScheduler.pause();
    heap.putLong(transfer, offset, heap.getLong(account, VERSION_OFFSET));
    long balance = heap.getLong(account, BALANCE_OFFSET);
    heap.putLong(transfer, offset + 8, balance);
    return balance;
  }

  private void write(int number, long balance) {
    long account = account(number);
    heap.putLong(account, BALANCE_OFFSET, balance);
    heap.putLong(account, VERSION_OFFSET, heap.getLong(account, VERSION_OFFSET) + 1);
  }

  /**
   * Reads all accounts in one transaction, which returns when what it has seen is durable.
   *
   * @return the accounts' versions
   * @throws AssertionError if they are of no one moment
   */
  long[] audit() {
    long[] audited =
        heap.transaction(
            () -> {
              long[] versions = new long[ACCOUNTS];
              long sum = 0;
              for (int i = 0; i < ACCOUNTS; i++) {
                SeededScheduler.pause();
                versions[i] = heap.getLong(account(i), VERSION_OFFSET);
                sum += heap.getLong(account(i), BALANCE_OFFSET);
              }
              if (sum != ACCOUNTS * BALANCE) {
                // Not thrown here: the transaction would be run again if what it saw is gone.
                impossible = "an audit sees a sum of " + sum;
              }
              return versions;
            });
    if (!impossible.isEmpty()) {
      throw new AssertionError(impossible);
    }
    return audited;
  }

  /** What is written to a transfer: mostly a little, sometimes more than fits a chunk. */
  static byte[] note(int teller, long number) {
    SplittableRandom random = new SplittableRandom(31 * number + teller);
    byte[] note = new byte[random.nextInt(8) == 0 ? random.nextInt(40_000) : random.nextInt(40)];
    random.nextBytes(note);
    return note;
  }
}
