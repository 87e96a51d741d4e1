package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.storage.StorageTest.Account;
import io.pmstore.storage.StorageTest.Ledger;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A store may refuse writes outside transactions, and says where there are many of them. */
class WritesOutsideTransactionsTest {
  @TempDir Path directory;

  private static void refused(Executable write) {
    String message = assertThrows(IllegalStateException.class, write).getMessage();
    assertTrue(message.contains("store.transaction"), message);
  }

  @Test
  void whereTheyAreForbiddenEachIsRefusedAndChangesNothing() {
    PmStoreOptions options = PmStoreOptions.defaults().writesOutsideTransactions(false);
    try (PmStore store = PmStore.open(directory.resolve("store"), options)) {
      Ledger ledger = store.root(Ledger.class); // makes the root
      Account account =
          store.transaction(
              () -> {
                Account made = store.create(Account.class);
                made.setOwner("first");
                made.setBalance(BigDecimal.ONE);
                ledger.getAccounts().put("a", made);
                return made;
              });
      refused(() -> account.setOwner("second"));
      refused(() -> account.setBalance(BigDecimal.TEN));
      refused(() -> ledger.getAccounts().put("b", account));
      refused(() -> ledger.getAccounts().clear());
      refused(() -> ledger.getAccounts().entrySet().iterator().next().setValue(account));
      refused(() -> ledger.getHistory().add(BigDecimal.ONE));
      refused(() -> store.create(Account.class));
      assertEquals("first", account.getOwner());
      assertEquals(BigDecimal.ONE, account.getBalance());
      assertEquals(1, ledger.getAccounts().size());
      assertEquals(0, ledger.getHistory().size());
      store.transaction(() -> account.setOwner("third"));
      assertEquals("third", account.getOwner());
    }
  }

  /** A method that writes its field itself. */
  @Persistent
  static class Counter {
    private long count;

    void countTo(long limit) {
      while (count < limit) {
        count++; // the place
      }
    }
  }

  /** The log of the tests goes to standard error, of which the stream is looked up each time. */
  @Test
  void thePlaceOfABurstIsTheUsersOwn() {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    PmStoreOptions relaxed =
        PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofSeconds(10)));
    try (PmStore store = PmStore.open(directory.resolve("store"), relaxed)) {
      Account account = store.create(Account.class);
      for (int i = 0; i < 1_000; i++) {
        account.setOwner("owner " + i);
      }
      store.create(Counter.class).countTo(1_000);
    } finally {
      System.setErr(before);
    }
    String place = "WritesOutsideTransactionsTest.thePlaceOfABurstIsTheUsersOwn(";
    String logged = log.toString(StandardCharsets.UTF_8);
    assertEquals(1, logged.lines().filter(line -> line.contains(place)).count(), logged);
    int line = 1 + sourceLines().indexOf("        count++; // the place");
    String inMethod = "countTo(WritesOutsideTransactionsTest.java:" + line + ")";
    assertEquals(1, logged.lines().filter(one -> one.contains(inMethod)).count(), logged);
  }

  private static List<String> sourceLines() {
    try {
      return Files.readAllLines(
          Path.of("src/test/java/io/pmstore/storage/WritesOutsideTransactionsTest.java"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
