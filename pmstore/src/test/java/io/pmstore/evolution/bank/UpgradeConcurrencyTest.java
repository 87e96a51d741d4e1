package io.pmstore.evolution.bank;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Migration;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import io.pmstore.Upgrade;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads read and write accounts of an older shape, inside and outside transactions and snapshots,
 * while the whole store is upgraded: nobody can tell.
 */
class UpgradeConcurrencyTest {
  private static final int ACCOUNTS = 1000;
  private static final int TRANSFERS = 1000;
  private static final int BALANCE = 100;
  private static final int READS_MIN = 200;

  @TempDir Path directory;

  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong snapshots = new AtomicLong();

  @ParameterizedTest
  @EnumSource(names = {"FILE", "LLPL"})
  void nobodyNoticesThatTheStoreIsUpgraded(Storage storage) throws Exception {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    PmStoreOptions options =
        PmStoreOptions.defaults()
            .storage(storage)
            .llplPoolSize(128 << 20)
            .durability(Durability.relaxed(Duration.ofMillis(100)));
    Yesterday.fill(directory, options, ACCOUNTS, BALANCE);
    PmStoreOptions today =
        options
            .classes(Account.class, Bank.class)
            .migrations(
                Migration.of(Account.class, "limit", (old, account) -> limit(old.get("number"))),
                Migration.of(Account.class, "card", UpgradeConcurrencyTest::card));
    try (PmStore store = PmStore.open(directory, today)) {
      run(store, new SplittableRandom(seed));
    } catch (Throwable e) {
      throw new AssertionError("replay with -Dpmstore.seed=" + seed, e);
    }
    assertEquals(List.of(), PmStore.verify(directory, options).faults());
    try (PmStore store = PmStore.open(directory, options)) { // the functions are needed no more
      check(store.root("bank", Bank.class));
    }
  }

  /**
   * The collection at opening, which says what of the garbage an upgrade can look at, cannot free
   * any before the snapshot ends.
   */
  @ParameterizedTest
  @EnumSource(names = {"FILE", "LLPL"})
  @Timeout(60)
  void anUpgradeDoesNotWaitForASnapshotThatWaitsForIt(Storage storage) throws Exception {
    PmStoreOptions options =
        PmStoreOptions.defaults().storage(storage).llplPoolSize(128 << 20).gcInBackground(false);
    Yesterday.fill(directory, options, ACCOUNTS, BALANCE);
    PmStoreOptions today =
        options
            .classes(Account.class, Bank.class)
            .migrations(
                Migration.of(Account.class, "limit", (old, account) -> limit(old.get("number"))),
                Migration.of(Account.class, "card", UpgradeConcurrencyTest::card));
    try (PmStore store = PmStore.open(directory, today)) {
      long upgraded =
          store.snapshot(
              () ->
                  CompletableFuture.supplyAsync(
                          () -> {
                            Upgrade upgrade = store.upgrade();
                            try {
                              upgrade.await();
                            } catch (InterruptedException e) {
                              throw new AssertionError(e);
                            }
                            return upgrade.upgraded();
                          })
                      .join());
      assertEquals(ACCOUNTS + 1, upgraded); // and the bank
    }
  }

  private static BigDecimal limit(Object number) {
    return BigDecimal.valueOf((Integer) number, 2);
  }

  /** Makes a card, and leaves a trace of having run. */
  private static Card card(io.pmstore.OldObject old, Account account) {
    int number = old.get("number", Integer.class);
    assertEquals(number, account.getNumber());
    account.setCardsMade(account.getCardsMade() + 1);
    return new Card(number);
  }

  private void run(PmStore store, SplittableRandom random) throws Exception {
    Bank bank = store.root("bank", Bank.class);
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        writers.add(threads.submit(writer(store, bank, random.split())));
      }
      List<Future<?>> readers =
          List.of(
              threads.submit(untilEnd(() -> readOne(store, bank, random.split()))),
              threads.submit(untilEnd(() -> readAll(store, bank))));
      Upgrade upgrade = store.upgrade();
      for (Future<?> writer : writers) {
        writer.get();
      }
      upgrade.await();
      assertEquals(1.0, upgrade.progress());
      ended.set(true);
      for (Future<?> reader : readers) {
        reader.get();
      }
    } finally {
      ended.set(true);
    }
    assertTrue(snapshots.get() > 0 && reads.get() >= READS_MIN);
    check(bank);
  }

  private static void check(Bank bank) {
    long moves = 0;
    for (Account account : bank.getAccounts()) {
      assertEquals(1, account.getCardsMade(), "runs of the function of " + account.getNumber());
      assertEquals(account.getNumber(), account.getCard().getNumber());
      assertEquals(limit(account.getNumber()), account.getLimit());
      moves += account.getMoves();
    }
    assertEquals(2 * TRANSFERS * 2, moves);
    assertEquals((long) ACCOUNTS * BALANCE, total(bank));
  }

  private static long total(Bank bank) {
    return bank.getAccounts().stream().mapToLong(Account::getBalance).sum();
  }

  private Callable<Void> untilEnd(Runnable body) {
    return () -> {
      do {
        body.run();
      } while (!ended.get() || reads.get() < READS_MIN);
      return null;
    };
  }

  private static Callable<Void> writer(PmStore store, Bank bank, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < TRANSFERS; i++) {
        Account from = bank.getAccounts().get(random.nextInt(ACCOUNTS));
        Account to = bank.getAccounts().get(random.nextInt(ACCOUNTS));
        int amount = random.nextInt(1, 10);
        store.transaction(
            () -> {
              move(from, -amount);
              move(to, amount);
            });
      }
      return null;
    };
  }

  /** The state is the number of moves, so it can be seen whether a read is of one state. */
  private static void move(Account account, int amount) {
    account.setBalance(account.getBalance() + amount);
    account.setMoves(account.getMoves() + 1);
    account.setHolder(account.getNumber() + " after " + account.getMoves());
    account.getHistory().add(amount);
  }

  private void readOne(PmStore store, Bank bank, SplittableRandom random) {
    Account account = bank.getAccounts().get(random.nextInt(ACCOUNTS));
    assertTrue(account.getHolder().startsWith(account.getNumber() + " after "));
    assertSame(account.getHistory(), account.getHistory());
    assertSame(account.getCard(), account.getCard());
    assertEquals(limit(account.getNumber()), account.getLimit());
    store.transaction(() -> checkState(account));
    assertEquals(1, account.getCardsMade());
    reads.incrementAndGet();
  }

  private static void checkState(Account account) {
    int moves = account.getMoves();
    assertEquals(account.getNumber() + " after " + moves, account.getHolder());
    assertEquals(moves, account.getHistory().size());
    assertEquals(
        BALANCE + account.getHistory().stream().mapToInt(n -> n).sum(), account.getBalance());
  }

  private void readAll(PmStore store, Bank bank) {
    store.snapshot(
        () -> {
          assertEquals((long) ACCOUNTS * BALANCE, total(bank));
          for (Account account : bank.getAccounts()) {
            checkState(account);
            assertEquals(limit(account.getNumber()), account.getLimit());
          }
        });
    snapshots.incrementAndGet();
  }
}
