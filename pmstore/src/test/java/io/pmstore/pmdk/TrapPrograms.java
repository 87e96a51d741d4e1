package io.pmstore.pmdk;

import io.pmstore.PmStore;
import io.pmstore.PmStoreException;
import io.pmstore.RolledBackException;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFullException;
import io.pmstore.TransactionTooLargeException;
import io.pmstore.pmdk.Bank.Account;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Programs that do what PMDK or LLPL would end them for, or corrupt their data. Each checks what it
 * has itself; {@link LlplTrapsTest} says what it shows.
 */
final class TrapPrograms {
  private static final String LARGE_NOTE = "n".repeat(20_000);
  private static final int ROUNDS = 6;
  private static final int READERS = 10;
  private static final int ACCOUNTS_MANY = 300_000;
  private static final int NOTES_MAX = 20_000; // more than any pool here has room for

  private TrapPrograms() {}

  /** Runs the program of a name on a directory. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    switch (arguments[0]) {
      case "exceptions" -> exceptions(directory);
      case "full" -> full(directory);
      case "tooLarge" -> tooLarge(directory);
      case "twoStores" -> twoStores(directory);
      case "ownTransaction" -> ownTransaction(directory);
      case "virtualThreads" -> virtualThreads(directory);
      case "close" -> close(directory);
      case "die" -> die(directory);
      case "trials" -> trials(directory);
      case "noTrial" -> noTrial(directory);
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    System.out.println("done");
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }

  private static void same(long expected, long found, String what) {
    check(expected == found, what + ": " + found + ", not " + expected);
  }

  private static Random random() {
    long seed = Long.getLong("pmstore.seed", ThreadLocalRandom.current().nextLong());
    System.out.println("replay with -Dpmstore.seed=" + seed);
    return new Random(seed);
  }

  /** Runs what has to throw. */
  private static <X extends Throwable> X thrown(Class<X> type, Runnable body) {
    try {
      body.run();
    } catch (Throwable e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw new IllegalStateException("not " + type, e);
    }
    throw new IllegalStateException("no " + type);
  }

  private static void checkReopened(Path directory, long sum) {
    try (PmStore store = Bank.open(directory)) {
      same(sum, store.snapshot(() -> Bank.of(store).sum()), "sum after reopening");
    }
    var report = PmStore.verify(directory);
    check(report.isSound(), report.toString());
  }

  private static int depth(int n) {
    return n < 0 ? 0 : depth(n + 1) + 1;
  }

  /** Throws from bodies, catches inside them and outside, and goes on with the same thread. */
  private static void exceptions(Path directory) {
    try (PmStore store = Bank.open(directory)) {
      Bank bank = Bank.founded(store, 10);
      for (int i = 0; i < 200; i++) {
        thrown(
            ArithmeticException.class,
            () ->
                store.transaction(
                    () -> {
                      bank.transfer(0, 1, 1);
                      throw new ArithmeticException();
                    }));
        thrown(
            StackOverflowError.class,
            () ->
                store.transaction(
                    () -> {
                      bank.transfer(1, 2, 1);
                      bank.transfer(depth(0) & 1, 3, 1);
                    }));
        thrown(
            OutOfMemoryError.class,
            () ->
                store.transaction(
                    () -> {
                      bank.transfer(2, 3, 1);
                      bank.getNotes().put(1L, new String(new char[Integer.MAX_VALUE]));
                    }));
        // Caught inside: a refused value, an inner transaction, an object that was rolled back.
        Account[] lost = new Account[1];
        thrown(
            ArithmeticException.class,
            () ->
                store.transaction(
                    () -> {
                      lost[0] = store.create(Account.class);
                      throw new ArithmeticException();
                    }));
        store.transaction(
            () -> {
              bank.transfer(3, 4, 1);
              thrown(RolledBackException.class, lost[0]::getBalance);
              thrown(IndexOutOfBoundsException.class, () -> bank.getAccounts().get(1000));
              thrown(PmStoreException.class, () -> store.root("bank", Account.class));
              bank.transfer(4, 5, 1);
            });
        same(i + 1, bank.getAccounts().get(5).getBalance() - Account.BEGINNING, "what went on");
        same(10 * Account.BEGINNING, store.snapshot(bank::sum), "sum");
      }
    }
    checkReopened(directory, 10 * Account.BEGINNING);
  }

  /** Writes notes until there is no room for another. */
  private static long fill(Bank bank) {
    for (long i = 0; i < NOTES_MAX; i++) {
      if (!bank.getNotes().containsKey(i)) {
        try {
          bank.getNotes().put(i, LARGE_NOTE + i);
        } catch (StoreFullException e) {
          return i;
        }
      }
    }
    throw new IllegalStateException("the pool is never full");
  }

  /** Fills the pool, inside transactions and outside, and goes on each time. */
  private static void full(Path directory) {
    long notes;
    try (PmStore store = Bank.open(directory)) {
      Bank bank = Bank.founded(store, 10);
      // The body catches it and goes on, for nothing.
      for (int i = 0; i < 3; i++) {
        thrown(
            RolledBackException.class,
            () ->
                store.transaction(
                    () -> {
                      bank.transfer(0, 1, 1);
                      fill(bank);
                      bank.transfer(1, 2, 1);
                    }));
        same(0, bank.getNotes().size(), "notes");
        store.transaction(() -> bank.transfer(2, 3, 1));
      }
      notes = fill(bank);
      for (int i = 0; i < 20; i++) {
        long more = notes;
        thrown(
            RolledBackException.class,
            () ->
                store.transaction(
                    () -> {
                      bank.transfer(3, 4, 1);
                      thrown(
                          StoreFullException.class,
                          () -> bank.getNotes().put(more, LARGE_NOTE + more));
                      bank.transfer(4, 5, 1);
                    }));
        store.transaction(() -> bank.transfer(4, 5, 1));
      }
      for (long i = 0; i < notes; i += 2) {
        bank.getNotes().remove(i);
      }
      store.gc();
      same(notes, fill(bank), "room for as many notes as before");
      same(notes, bank.getNotes().size(), "notes");
      same(20, bank.getAccounts().get(5).getBalance() - Account.BEGINNING, "what went on");
    }
    try (PmStore store = Bank.open(directory)) {
      Bank bank = Bank.of(store);
      same(notes, bank.getNotes().size(), "notes after reopening");
      for (Map.Entry<Long, String> note : bank.getNotes().entrySet()) {
        check(note.getValue().equals(LARGE_NOTE + note.getKey()), "note " + note.getKey());
      }
    }
    checkReopened(directory, 10 * Account.BEGINNING);
  }

  /** Larger and larger transactions, until one is refused. */
  private static void tooLarge(Path directory) {
    try (PmStore store = Bank.open(directory)) {
      Bank bank = Bank.founded(store, ACCOUNTS_MANY);
      int refused = 0;
      for (int size = 16; refused < 5; size *= 4) {
        check(size < ACCOUNTS_MANY, "nothing is too large");
        int accounts = size;
        long first = bank.getAccounts().getFirst().getBalance();
        try {
          // New objects would need no undo.
          store.transaction(
              () -> {
                for (int i = 0; i < accounts; i += 2) {
                  bank.transfer(i, i + 1, 1);
                }
              });
          same(first - 1, bank.getAccounts().getFirst().getBalance(), "what fits is there");
        } catch (TransactionTooLargeException e) {
          refused++;
          same(first, bank.getAccounts().getFirst().getBalance(), "nothing of it is there");
          size = 4; // and on
        }
        long sum = store.snapshot(bank::sum);
        same(ACCOUNTS_MANY * Account.BEGINNING, sum, "sum");
      }
    }
    checkReopened(directory, ACCOUNTS_MANY * Account.BEGINNING);
  }

  /** A body that uses the objects of another store. */
  private static void twoStores(Path directory) {
    try (PmStore first = Bank.open(directory.resolve("first"));
        PmStore second = Bank.open(directory.resolve("second"))) {
      Bank one = Bank.founded(first, 2);
      Bank two = Bank.founded(second, 2);
      Account other = two.getAccounts().get(0);
      List<Runnable> uses =
          List.of(
              other::getBalance,
              () -> other.setBalance(7),
              () -> two.getNotes().put(1L, "x"),
              () -> second.transaction(() -> two.transfer(0, 1, 7)),
              () -> second.create(Account.class));
      for (Runnable use : uses) {
        IllegalStateException e =
            thrown(
                IllegalStateException.class,
                () ->
                    first.transaction(
                        () -> {
                          one.transfer(0, 1, 7);
                          use.run();
                        }));
        check(e.getMessage().contains("two stores"), "message " + e.getMessage());
      }
      // Each by itself, however they take turns; the caller goes on after the refusal.
      first.transaction(
          () -> {
            one.transfer(0, 1, 5);
            thrown(IllegalStateException.class, () -> other.setBalance(7));
            one.transfer(0, 1, 5);
          });
      second.transaction(() -> two.transfer(0, 1, 3));
      same(Account.BEGINNING - 10, one.getAccounts().get(0).getBalance(), "the first store");
      same(Account.BEGINNING - 3, other.getBalance(), "the second store");
    }
    checkReopened(directory.resolve("first"), 2 * Account.BEGINNING);
    checkReopened(directory.resolve("second"), 2 * Account.BEGINNING);
  }

  /**
   * Transactions inside one that the program has with LLPL itself; by reflection, as it is not on
   * every path.
   */
  private static void ownTransaction(Path directory) throws Exception {
    Class<?> heapClass = Class.forName("com.intel.pmem.llpl.Heap");
    Class<?> anyHeap = Class.forName("com.intel.pmem.llpl.AnyHeap");
    Method create =
        Class.forName("com.intel.pmem.llpl.Transaction")
            .getMethod("create", anyHeap, Runnable.class);
    Files.createDirectories(directory);
    Object heap =
        heapClass
            .getMethod("createHeap", String.class, long.class)
            .invoke(null, directory.resolve("own").toString(), 16L << 20);
    try (PmStore store = Bank.open(directory.resolve("store"))) {
      Bank bank = Bank.founded(store, 2);
      for (boolean aborted : new boolean[] {false, true}) {
        Runnable body =
            () -> {
              store.transaction(() -> bank.transfer(0, 1, 7));
              bank.getNotes().put(0L, LARGE_NOTE);
              if (aborted) {
                throw new ArithmeticException();
              }
            };
        try {
          create.invoke(null, heap, body);
          check(!aborted, "the program's own transaction was aborted");
        } catch (java.lang.reflect.InvocationTargetException e) {
          check(aborted, "" + e.getCause());
        }
      }
      same(Account.BEGINNING - 14, bank.getAccounts().get(0).getBalance(), "committed by itself");
    }
    checkReopened(directory.resolve("store"), 2 * Account.BEGINNING);
  }

  /** Thousands of virtual threads, whose bodies wait for all kinds of things in the middle. */
  private static void virtualThreads(Path directory) throws Exception {
    int threads = 3000;
    int accounts = 200;
    Random random = random();
    Files.createDirectories(directory);
    Path file = Files.writeString(directory.resolve("file"), "read by bodies");
    AtomicInteger undone = new AtomicInteger();
    AtomicReference<String> wrong = new AtomicReference<>();
    try (PmStore store = Bank.open(directory.resolve("store"))) {
      Bank bank = Bank.founded(store, accounts);
      ReentrantLock lock = new ReentrantLock();
      Semaphore few = new Semaphore(3);
      List<Future<?>> futures = new ArrayList<>();
      try (ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int t = 0; t < threads; t++) {
          int from = random.nextInt(accounts);
          int to = random.nextInt(accounts);
          int kind = random.nextInt(6);
          boolean undo = random.nextInt(4) == 0;
          int number = t;
          futures.add(
              virtual.submit(
                  () -> {
                    try {
                      store.transaction(
                          () -> {
                            Account source = bank.getAccounts().get(from);
                            source.setBalance(source.getBalance() - 1);
                            pause(kind, lock, few, file);
                            Account target = bank.getAccounts().get(to);
                            target.setBalance(target.getBalance() + 1);
                            if (undo) {
                              throw new ArithmeticException();
                            }
                            bank.getNotes().put((long) number, "by " + number);
                          });
                    } catch (ArithmeticException e) {
                      undone.incrementAndGet();
                    }
                    if (number % 50 == 0) {
                      long sum = store.snapshot(bank::sum);
                      if (sum != accounts * Account.BEGINNING) {
                        wrong.set("a snapshot with the sum " + sum);
                      }
                    }
                  }));
        }
        for (Future<?> future : futures) {
          future.get();
        }
      }
      check(wrong.get() == null, wrong.get());
      same(threads - undone.get(), bank.getNotes().size(), "notes");
    }
    checkReopened(directory.resolve("store"), accounts * Account.BEGINNING);
  }

  private static void pause(int kind, ReentrantLock lock, Semaphore few, Path file) {
    try {
      switch (kind) {
        case 0 -> Thread.sleep(1);
        case 1 -> Thread.yield();
        case 2 -> {
          lock.lock();
          try {
            Thread.sleep(0, 50_000);
          } finally {
            lock.unlock();
          }
        }
        case 3 -> {
          few.acquire();
          few.release();
        }
        case 4 -> check(Files.readString(file).startsWith("read"), "the file");
        default -> {
          // not at all
        }
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Closes stores while they are used in every way, goes on using what they gave out, reopens. */
  private static void close(Path directory) throws Exception {
    Random random = random();
    AtomicReference<Throwable> wrong = new AtomicReference<>();
    AtomicLong refused = new AtomicLong();
    int accounts = 50;
    try (PmStore store = Bank.open(directory)) {
      Bank bank = Bank.founded(store, accounts);
      store.transaction(
          () -> {
            for (long i = 0; i < 500; i++) {
              bank.getNotes().put(i, "note " + i);
            }
          });
    }
    List<Runnable> old = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      PmStore store = Bank.open(directory);
      Bank bank = Bank.of(store);
      Account account = bank.getAccounts().get(random.nextInt(3, accounts)); // of no transfer
      Iterator<Map.Entry<Long, String>> begun = bank.getNotes().entrySet().iterator();
      begun.next();
      List<Runnable> uses =
          new ArrayList<>(
              List.of(
                  account::getBalance,
                  () -> account.setBalance(account.getBalance()),
                  () ->
                      bank.getNotes().forEach((key, note) -> check(note.endsWith(" " + key), note)),
                  bank::sum,
                  () -> store.snapshot(bank::sum),
                  () -> same(accounts * Account.BEGINNING, store.snapshot(bank::sum), "sum"),
                  () -> store.transaction(() -> bank.transfer(1, 2, 1)),
                  () -> bank.getNotes().put(501L, "note 501"),
                  () -> bank.getNotes().remove(501L),
                  store::gc,
                  () -> store.root(Bank.class)));
      // When it is closed some of these have just found the memory that they are about to read.
      uses.addAll(Collections.nCopies(READERS, account::getBalance));
      CountDownLatch running = new CountDownLatch(uses.size());
      List<Thread> users = new ArrayList<>();
      for (int u = 0; u < uses.size(); u++) {
        Runnable use = uses.get(u);
        users.add(
            (u % 2 == 0 || u >= uses.size() - READERS ? Thread.ofPlatform() : Thread.ofVirtual())
                .start(
                    () -> {
                      use.run();
                      running.countDown();
                      try {
                        while (true) {
                          use.run();
                        }
                      } catch (StoreClosedException e) {
                        refused.incrementAndGet();
                      } catch (Throwable e) {
                        wrong.set(e);
                      }
                    }));
      }
      running.await();
      TimeUnit.MICROSECONDS.sleep(random.nextInt(20_000));
      store.close();
      for (Thread user : users) {
        user.join();
      }
      if (wrong.get() != null) {
        throw new IllegalStateException("in round " + round, wrong.get());
      }
      uses.forEach(use -> thrown(StoreClosedException.class, use));
      thrown(StoreClosedException.class, begun::next);
      // While other stores are open, too.
      old.forEach(use -> thrown(StoreClosedException.class, use));
      old.addAll(uses);
    }
    same(ROUNDS * (11 + READERS), refused.get(), "refused uses");
    checkReopened(directory, accounts * Account.BEGINNING);
  }

  /** Opens a store that has died, closes it, opens it and verifies it. */
  private static void trials(Path directory) throws InterruptedException {
    check(
        startsProcess(() -> Bank.open(directory).close()),
        "no trial of a pool that was not closed");
    check(!startsProcess(() -> Bank.open(directory).close()), "a trial of a pool that was closed");
    check(startsProcess(() -> PmStore.verify(directory)), "no trial of a pool that is verified");
    check(
        !startsProcess(() -> Bank.open(directory).close()), "a trial of a pool that was verified");
  }

  private static boolean startsProcess(Runnable body) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(body);
    boolean seen = false;
    while (!thread.join(Duration.ofMillis(1))) {
      seen |= ProcessHandle.current().children().findAny().isPresent();
    }
    return seen;
  }

  /** Opens a store that has died where the JVM cannot be started once more. */
  private static void noTrial(Path directory) {
    Bank.open(directory.resolveSibling("another")).close(); // the JDK reads files in its home too
    System.getLogger(TrapPrograms.class.getName())
        .log(System.Logger.Level.INFO, "logging is configured by one of them");
    System.setProperty("java.home", directory.resolve("none").toString());
    checkReopened(directory, 10 * Account.BEGINNING);
  }

  /** Commits and dies in the middle of more. */
  private static void die(Path directory) {
    PmStore store = Bank.open(directory);
    Bank bank = Bank.founded(store, 10);
    store.transaction(
        () -> {
          for (long i = 0; i < 2000; i++) {
            bank.getNotes().put(i, "note " + i);
          }
        });
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              for (int i = 0; ; i++) {
                int from = i % 10;
                store.transaction(() -> bank.transfer(from, 9 - from, 1));
              }
            });
    while (bank.getAccounts().get(0).getBalance() == Account.BEGINNING) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(9);
  }
}
