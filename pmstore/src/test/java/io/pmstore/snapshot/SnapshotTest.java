package io.pmstore.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import io.pmstore.Storage;
import io.pmstore.snapshot.Bank.Account;
import io.pmstore.snapshot.Bank.Books;
import io.pmstore.snapshot.Bank.Transfer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the body of a snapshot sees of objects, collections and strings. */
class SnapshotTest {
  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void everySnapshotIsOneStateWhateverIsWritten(Storage storage) throws Exception {
    try (PmStore store = Bank.open(directory, Bank.options(storage))) {
      Books books = Bank.prepare(store);
      long end = System.nanoTime() + Duration.ofMillis(1_200).toNanos();
      long snapshots = 0;
      try (Tellers tellers = new Tellers(store, books, 2)) {
        while (System.nanoTime() - end < 0 || snapshots == 0) {
          int[] runs = new int[1];
          store.snapshot(
              () -> {
                runs[0]++;
                long transfers = Bank.check(books);
                tellersGoOn(store, books, transfers);
                assertEquals(transfers, Bank.check(books), "the same again");
                assertEquals(transfers, (long) store.transaction(() -> Bank.check(books)));
              });
          assertEquals(1, runs[0]);
          snapshots++;
        }
        tellers.await(books, 1);
      }
      Bank.check(books);
      System.out.println(storage + ": " + snapshots + " snapshots");
    }
  }

  /** Waits, sometimes, until another thread sees that a writer has committed. */
  private static void tellersGoOn(PmStore store, Books books, long transfers) {
    if (transfers % 4 == 0) {
      try (ExecutorService other = Executors.newSingleThreadExecutor()) {
        other.submit(
            () -> {
              while (store.transaction(books::getTransfers) == transfers) {
                Thread.onSpinWait();
              }
            });
      }
    }
  }

  private static void elsewhere(Runnable action) {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      other.submit(action).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void iterationGoesOnWhenAllElementsAreTakenAway(Storage storage) {
    try (PmStore store = Bank.open(directory, Bank.options(storage))) {
      Books books = Bank.prepare(store);
      Random random = new Random(1);
      for (int i = 0; i < 300; i++) {
        Bank.transfer(store, books, random);
      }
      store.snapshot(
          () -> {
            Account some = books.getAccounts().get(Bank.name(3));
            String text = some.getText();
            Iterator<Long> journal = books.getJournal().iterator();
            Iterator<Account> accounts = books.getAccounts().values().iterator();
            journal.next();
            accounts.next();
            elsewhere(
                () ->
                    store.transaction(
                        () -> {
                          some.setText("changed");
                          books.getAccounts().clear();
                          books.getJournal().clear();
                          books.getLatest().clear();
                          books.setTransfers(0);
                          books.setLatest(null);
                        }));
            assertEquals(300 - 1, count(journal));
            assertEquals(Bank.ACCOUNTS - 1, count(accounts));
            assertEquals(300, Bank.check(books));
            assertEquals(text, some.getText());
            assertSame(some, books.getAccounts().get(Bank.name(3)), "one object is one object");
            assertEquals(300, books.getJournal().subList(0, 300).size());
            assertEquals(300, books.getJournal().stream().count());
          });
      assertTrue(books.getAccounts().isEmpty() && books.getJournal().isEmpty());
      assertEquals(null, books.getLatest());
    }
  }

  private static long count(Iterator<?> iterator) {
    long count = 0;
    while (iterator.hasNext()) {
      iterator.next();
      count++;
    }
    return count;
  }

  @Test
  void everyWriteIsRefused() {
    try (PmStore store = Bank.open(directory, Bank.options(Storage.AUTO))) {
      Books books = Bank.prepare(store);
      Bank.transfer(store, books, new Random(1));
      Account account = books.getAccounts().get(Bank.name(1));
      Account plain = new Account();
      List<Executable> writes =
          List.of(
              () -> account.setBalance(5),
              () -> account.setText("text"),
              () -> account.setText(null),
              () -> books.setJournal(new ArrayList<>()),
              () -> books.getAccounts().put("new", plain),
              () -> books.getAccounts().remove(Bank.name(1)),
              () -> books.getAccounts().remove("not there"),
              () -> books.getAccounts().clear(),
              () -> books.getAccounts().computeIfAbsent("new", _ -> plain),
              () -> books.getAccounts().values().iterator().remove(),
              () -> removeFirst(books.getAccounts().keySet().iterator()),
              () -> books.getJournal().add(5L),
              () -> books.getJournal().set(0, 5L),
              () -> books.getJournal().clear(),
              () -> books.getJournal().sort(null),
              () -> removeFirst(books.getJournal().iterator()),
              () -> store.create(Transfer.class),
              () -> store.root("another", Transfer.class),
              () -> store.transaction(() -> account.setBalance(5)),
              () -> store.transaction(() -> books.getJournal().add(5L)));
      store.snapshot(
          () -> {
            for (int i = 0; i < writes.size(); i++) {
              int number = i;
              IllegalStateException refused =
                  assertThrows(IllegalStateException.class, writes.get(i), () -> "write " + number);
              if (i != 9) { // an iterator that has not begun says so
                assertTrue(refused.getMessage().contains("snapshot"), refused.getMessage());
              }
            }
            Bank.check(books);
          });
      assertEquals(1, Bank.check(books));
      books.getAccounts().put("new", plain); // nothing of it was taken for persistent
      assertSame(books.getAccounts().get("new"), books.getAccounts().get("new"));
      assertThrows(
          IllegalStateException.class,
          () -> store.transaction(() -> store.snapshot(() -> Bank.check(books))));
    }
  }

  private static void removeFirst(Iterator<?> iterator) {
    iterator.next();
    iterator.remove();
  }

  @Test
  void whatWasReadInASnapshotIsReadAgainAfterwards() {
    try (PmStore store = Bank.open(directory, Bank.options(Storage.AUTO))) {
      Books books = Bank.prepare(store);
      Bank.transfer(store, books, new Random(1));
      List<Iterator<Long>> iterators = new ArrayList<>();
      store.snapshot(
          () -> {
            Iterator<Long> journal = books.getJournal().iterator();
            assertTrue(journal.hasNext());
            iterators.add(journal);
          });
      elsewhere(() -> books.getJournal().set(0, -1L));
      assertEquals(-1L, iterators.getFirst().next());
    }
  }
}
