package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot on a follower shows a state that belongs to the order of the transactions. */
class FollowerSnapshotTest {
  private static final int NOTES = 40;

  @TempDir Path root;

  private record Seen(long value, int noted) {}

  /**
   * One thread raises a value, another notes what the value is, in an object of its own. A snapshot
   * that shows the value 5 beside three notes shows all transactions that came before the fifth
   * rise; so no later note may say that the value was less than 5 (the read-only anomaly of Fekete,
   * O'Neil and O'Neil 2004).
   *
   * <p>The threads are of the common pool, where Ratis runs a part of its work too: transactions
   * that wait there must not keep the nodes from answering.
   */
  @Test
  @Timeout(120)
  void noLaterTransactionHasReadWhatTheSnapshotShowsAsOverwritten() throws Exception {
    try (Cluster cluster = new Cluster(root, "a", "b", "c").openAll()) {
      cluster.onLeader(
          store -> store.root(Bank.class).getAccounts().add(store.create(Bank.Account.class)));
      PmStore leader = cluster.leaderStore();
      PmStore follower = cluster.store(cluster.follower());
      Bank bank = leader.root(Bank.class);
      Bank.Account value = bank.getAccounts().getFirst();
      AtomicInteger noted = new AtomicInteger();
      CompletableFuture<Void> raising =
          CompletableFuture.runAsync(
              () -> {
                while (noted.get() < NOTES) {
                  leader.transaction(() -> value.setBalance(value.getBalance() + 1));
                }
              });
      CompletableFuture<Void> noting =
          CompletableFuture.runAsync(
              () -> {
                while (noted.get() < NOTES && !raising.isDone()) {
                  leader.transaction(() -> note(leader, bank, value.getBalance()));
                  noted.incrementAndGet();
                }
              });
      List<Seen> snapshots = new ArrayList<>();
      while (!noting.isDone()) {
        snapshots.add(follower.<Seen, RuntimeException>snapshot(() -> look(follower)));
      }
      raising.join();
      noting.join();
      List<Long> notes = bank.getAccounts().stream().skip(1).map(Bank.Account::getBalance).toList();
      System.out.printf(
          "FollowerSnapshotTest: %d changes, %d notes, %d snapshots%n",
          value.getBalance(), notes.size(), snapshots.size());
      for (Seen seen : snapshots) {
        for (int later = seen.noted(); later < notes.size(); later++) {
          int number = later;
          assertTrue(
              notes.get(later) >= seen.value(),
              () ->
                  "%s was read, and then note %d of %d".formatted(seen, number, notes.get(number)));
        }
      }
    }
  }

  private static void note(PmStore store, Bank bank, long seen) {
    Bank.Account note = store.create(Bank.Account.class);
    note.setBalance(seen);
    bank.getAccounts().add(note);
  }

  private static Seen look(PmStore store) {
    List<Bank.Account> accounts = store.root(Bank.class).getAccounts();
    return new Seen(accounts.getFirst().getBalance(), accounts.size() - 1);
  }
}
