package io.pmstore.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.Storage;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.StoreLockedException;
import io.pmstore.snapshot.Bank.Books;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A backup is the store at one moment, of mapped files, and whole. */
class BackupTest {
  private static final int BACKUPS = 3;

  @TempDir Path parent;

  private Path source() {
    return parent.resolve("source");
  }

  @ParameterizedTest
  @EnumSource
  void backupsOfABusyStoreAreOneStateEach(Storage storage) throws Exception {
    long last = 0;
    try (PmStore store = Bank.open(source(), Bank.options(storage))) {
      Books books = Bank.prepare(store);
      try (Tellers tellers = new Tellers(store, books, 2)) {
        for (int i = 0; i < BACKUPS; i++) {
          tellers.await(books, 20);
          long before = store.transaction(books::getTransfers);
          store.backup(parent.resolve("backup " + i));
          long after = store.transaction(books::getTransfers);
          long transfers = check(parent.resolve("backup " + i));
          assertTrue(
              before <= transfers && transfers <= after,
              before + " transfers before, " + transfers + " in the backup, " + after + " after");
        }
        tellers.await(books, 20);
      }
      last = Bank.check(books);
    }
    assertEquals(List.of(), PmStore.verify(source()).faults(), "the store itself");
    try (PmStore store = PmStore.open(source())) {
      assertEquals(last, Bank.check(store.root(Books.class)));
    }
  }

  /** Verifies a backup, opens it with each storage that can, and writes to it. */
  private static long check(Path backup) {
    assertEquals(List.of(), PmStore.verify(backup).faults());
    long transfers;
    try (PmStore copy = PmStore.open(backup, Bank.options(Storage.FILE))) {
      transfers = Bank.check(copy.root(Books.class));
      Bank.transfer(copy, copy.root(Books.class), new Random(1));
    }
    try (PmStore copy = Bank.open(backup, Bank.options(Storage.PERSISTENT_MEMORY))) {
      Bank.transfer(copy, copy.root(Books.class), new Random(1));
    }
    try (PmStore copy = PmStore.open(backup)) {
      assertEquals(transfers + 2, Bank.check(copy.root(Books.class)));
    }
    assertEquals(List.of(), PmStore.verify(backup).faults());
    return transfers;
  }

  @ParameterizedTest
  @EnumSource
  void severalBackupsAtOnceAreOneStateEach(Storage storage) throws Exception {
    int count = 3;
    Path shared = parent.resolve("shared");
    List<Future<?>> running = new ArrayList<>();
    AtomicInteger made = new AtomicInteger();
    try (PmStore store = Bank.open(source(), Bank.options(storage));
        ExecutorService pool = Executors.newFixedThreadPool(2 * count)) {
      Books books = Bank.prepare(store);
      CyclicBarrier start = new CyclicBarrier(2 * count);
      try (Tellers tellers = new Tellers(store, books, 1)) {
        for (int i = 0; i < count; i++) {
          Path target = parent.resolve("backup " + i);
          running.add(
              pool.submit(
                  () -> {
                    start.await();
                    store.backup(target);
                    return null;
                  }));
          running.add(
              pool.submit(
                  () -> {
                    start.await();
                    try {
                      store.backup(shared);
                      made.incrementAndGet();
                    } catch (StoreLockedException | StoreFormatException refused) {
                      assertTrue(refused.getMessage().contains(shared.toString()));
                    }
                    return null;
                  }));
        }
        for (Future<?> each : running) {
          each.get();
        }
        tellers.await(books, 1);
      }
      Bank.check(books);
    }
    assertEquals(1, made.get(), "backups in one directory");
    check(shared);
    for (int i = 0; i < count; i++) {
      check(parent.resolve("backup " + i));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedThreadMakesAWholeBackup(Storage storage) {
    Path target = parent.resolve("backup");
    try (PmStore store = Bank.open(source(), Bank.options(storage))) {
      Books books = Bank.prepare(store);
      Bank.transfer(store, books, new Random(1));
      Thread.currentThread().interrupt();
      try {
        store.backup(target);
      } finally {
        assertTrue(Thread.interrupted(), "the interrupt is still to be noticed");
      }
      Bank.transfer(store, books, new Random(1));
      assertEquals(2, Bank.check(books));
    }
    assertEquals(1, check(target));
  }

  /** The records of the original are not to be mistaken for those of the backup. */
  @Test
  void aLogOfTheOriginalIsRefusedInItsBackup() throws IOException {
    Path target = parent.resolve("backup");
    try (PmStore store = PmStore.open(source(), Bank.options(Storage.FILE))) {
      Bank.prepare(store);
      store.backup(target);
      Bank.transfer(store, store.root(Books.class), new Random(1));
    }
    Path log = target.resolve("log-0");
    Files.copy(source().resolve("log-0"), log, StandardCopyOption.REPLACE_EXISTING);
    StoreDamagedException refused =
        assertThrows(StoreDamagedException.class, () -> PmStore.open(target));
    assertTrue(refused.getMessage().contains("log-0"), refused.getMessage());
  }

  @Test
  void aBackupOfABackupHasTheSame() throws IOException {
    Path first = parent.resolve("first");
    Path second = parent.resolve("second");
    try (PmStore store = PmStore.open(source(), Bank.options(Storage.FILE))) {
      Bank.transfer(store, Bank.prepare(store), new Random(1));
      store.backup(first);
    }
    try (PmStore store = PmStore.open(first)) {
      store.backup(second);
    }
    try (PmStore store = PmStore.open(second)) {
      assertEquals(1, Bank.check(store.root(Books.class)));
    }
    assertEquals(Files.size(source().resolve("log-0")), Files.size(second.resolve("log-0")), "log");
  }

  @Test
  void aDirectoryThatCannotHaveABackupIsRefused() throws IOException {
    Path files = Files.createDirectories(parent.resolve("files"));
    Files.writeString(files.resolve("shopping"), "bread, milk\n");
    Path link = Files.createSymbolicLink(parent.resolve("link"), source());
    try (PmStore store = PmStore.open(source(), Bank.options(Storage.FILE))) {
      Books books = Bank.prepare(store);
      for (Path inside :
          List.of(
              source(),
              source().resolve("backup"),
              source().resolve("a").resolve("b"),
              link.resolve("backup"),
              parent.resolve("elsewhere").resolve("..").resolve("source").resolve("b"))) {
        IllegalArgumentException refused =
            assertThrows(IllegalArgumentException.class, () -> store.backup(inside));
        assertTrue(refused.getMessage().contains(inside.toString()), refused.getMessage());
      }
      assertThrows(StoreFormatException.class, () -> store.backup(files));
      assertThrows(StoreFormatException.class, () -> store.backup(files.resolve("shopping")));
      PmStoreException refused =
          assertThrows(
              PmStoreException.class,
              () -> store.backup(files.resolve("shopping").resolve("backup")));
      assertTrue(refused.getMessage().contains("shopping"), refused.getMessage());
      Path other = parent.resolve("other");
      store.backup(other);
      assertThrows(StoreFormatException.class, () -> store.backup(other));
      Bank.transfer(store, books, new Random(1));
    }
    try (PmStore store = PmStore.open(source())) {
      assertEquals(1, Bank.check(store.root(Books.class)));
    }
  }

  @Test
  void aBackupInsideATransactionOrOfAClosedStoreIsRefused() throws IOException {
    Path target = parent.resolve("backup");
    PmStore store = PmStore.open(source(), Bank.options(Storage.FILE));
    assertThrows(IllegalStateException.class, () -> store.transaction(() -> store.backup(target)));
    assertThrows(IllegalStateException.class, () -> store.snapshot(() -> store.backup(target)));
    store.close();
    assertThrows(StoreClosedException.class, () -> store.backup(target));
    assertTrue(Files.notExists(target));
  }

  /** A backup never holds what the store could lose: what it holds is made durable first. */
  @Test
  void aBackupOfARelaxedStoreIsDurable() {
    Path target = parent.resolve("backup");
    try (PmStore store =
        PmStore.open(
            source(),
            Bank.options(Storage.FILE).durability(Durability.relaxed(Duration.ofHours(1))))) {
      Bank.transfer(store, Bank.prepare(store), new Random(1));
      store.backup(target);
    }
    try (PmStore store = PmStore.open(target)) {
      assertEquals(1, Bank.check(store.root(Books.class)));
    }
  }
}
