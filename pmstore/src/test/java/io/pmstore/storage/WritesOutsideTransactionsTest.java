package io.pmstore.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.pmdk.Program;
import io.pmstore.storage.StorageTest.Account;
import io.pmstore.storage.StorageTest.Ledger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
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
      Counter counter = store.transaction(() -> store.create(Counter.class));
      refused(() -> account.setOwner("second"));
      refused(() -> account.setBalance(BigDecimal.TEN));
      refused(() -> ledger.getAccounts().put("b", account));
      refused(() -> ledger.getAccounts().clear());
      refused(() -> ledger.getAccounts().entrySet().iterator().next().setValue(account));
      refused(() -> ledger.getHistory().add(BigDecimal.ONE));
      refused(() -> store.create(Account.class));
      refused(() -> counter.countTo(5));
      assertEquals(0, counter.calls());
      assertEquals("first", account.getOwner());
      assertEquals(BigDecimal.ONE, account.getBalance());
      assertEquals(1, ledger.getAccounts().size());
      assertEquals(0, ledger.getHistory().size());
      store.transaction(() -> account.setOwner("third"));
      assertEquals("third", account.getOwner());
    }
  }

  /** A method that writes its fields itself, in one transaction. */
  @Persistent
  static class Counter {
    private long count;
    private long calls;

    void countTo(long limit) {
      calls++;
      while (count < limit) {
        count++;
      }
    }

    long calls() {
      return calls;
    }
  }

  /** Makes many writes outside transactions at two places. */
  static final class Bursts {
    private Bursts() {}

    public static void main(String[] arguments) {
      PmStoreOptions relaxed =
          PmStoreOptions.defaults().durability(Durability.relaxed(Duration.ofSeconds(10)));
      try (PmStore store = PmStore.open(Path.of(arguments[0]), relaxed)) {
        Account account = store.create(Account.class);
        for (int i = 0; i < 1_000; i++) {
          account.setOwner("owner " + i);
        }
        Counter counter = store.create(Counter.class);
        counter.countTo(1_000);
        for (int i = 0; i < 1_000; i++) {
          counter.countTo(i); // the place
        }
      }
    }
  }

  /** In a program that has set up no logging, whose output has nothing else in it. */
  @Test
  void thePlaceOfABurstIsTheUsersOwnAndTheOnlyNoiseOfAProgram() {
    List<String> output =
        new Program(Bursts.class, directory.resolve("store"))
            .with("-Duser.language=en", "-Duser.country=US")
            .run();
    List<String> warnings = output.stream().filter(line -> line.startsWith("WARNING: ")).toList();
    assertEquals(2, warnings.size(), output::toString);
    assertTrue(
        warnings.get(0).contains("WritesOutsideTransactionsTest$Bursts.main("), output::toString);
    int line = 1 + sourceLines().indexOf("          counter.countTo(i); // the place");
    assertTrue(
        warnings.get(1).contains("Bursts.main(WritesOutsideTransactionsTest.java:" + line + ")"),
        output::toString);
    assertEquals(4, output.size(), () -> "a line with the date, and one for each: " + output);
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
