package io.pmstore.garbage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pmstore.Durability;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import io.pmstore.Storage;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many bytes of Java's heap accessors allocate, once the JVM has compiled them. */
class GarbageTest {
  private static final int OBJECTS = 256;
  private static final int ROUNDS = 64;
  private static final int ACCESSES = 1 << 14;
  private static final int TRANSACTIONS = 1 << 11;

  @TempDir Path directory;
  private PmStore store;
  private final Account[] accounts = new Account[OBJECTS];

  // What is read goes here, so that no read is left out.
  private static volatile long sink;

  /** An object with primitives and a reference. */
  @Persistent
  public static class Account {
    private long balance;
    private int number;
    private boolean open;
    private double rate;
    private Account parent;

    public long getBalance() {
      return balance;
    }

    public void setBalance(long balance) {
      this.balance = balance;
    }

    public int getNumber() {
      return number;
    }

    public void setNumber(int number) {
      this.number = number;
    }

    public boolean isOpen() {
      return open;
    }

    public void setOpen(boolean open) {
      this.open = open;
    }

    public double getRate() {
      return rate;
    }

    public void setRate(double rate) {
      this.rate = rate;
    }

    public Account getParent() {
      return parent;
    }

    public void setParent(Account parent) {
      this.parent = parent;
    }
  }

  @BeforeEach
  void open() {
    // Relaxed: a hundred thousand commits need not wait for the disk.
    store =
        PmStore.open(
            directory,
            PmStoreOptions.defaults()
                .storage(Storage.FILE)
                .durability(Durability.relaxed(Duration.ofSeconds(1))));
    store.transaction(
        () -> {
          for (int i = 0; i < OBJECTS; i++) {
            accounts[i] = store.create(Account.class);
            accounts[i].setParent(accounts[i / 2]);
          }
        });
  }

  @AfterEach
  void close() {
    store.close();
  }

  /**
   * The bytes that one run of a body allocates when all of it is compiled: the fewest of many runs,
   * because earlier ones run in the interpreter.
   */
  private static long allocated(Runnable body) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long bytesMin = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      body.run();
      bytesMin = Math.min(bytesMin, threads.getCurrentThreadAllocatedBytes() - before);
    }
    return bytesMin;
  }

  private void readPrimitives() {
    long sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      Account account = accounts[i & (OBJECTS - 1)];
      sum += account.getBalance() + account.getNumber() + (account.isOpen() ? 1 : 0);
      sum += (long) account.getRate();
    }
    sink = sum;
  }

  private void readReferences() {
    long sum = 0;
    for (int i = 0; i < ACCESSES; i++) {
      sum += accounts[i & (OBJECTS - 1)].getParent() == accounts[0] ? 1 : 0;
    }
    sink = sum;
  }

  @Test
  void theMeasurementSeesGarbage() {
    long[][] kept = new long[1][];
    assertTrue(allocated(() -> kept[0] = new long[100]) >= 800);
  }

  @Test
  void gettersOfPrimitivesAllocateNothing() {
    assertEquals(0, allocated(this::readPrimitives));
  }

  @Test
  void gettersOfPrimitivesAllocateNothingInATransaction() {
    assertPerAccess(0.01, allocated(() -> store.transaction(this::readPrimitives)));
  }

  @Test
  void gettersOfCachedReferencesAllocateNothing() {
    assertEquals(0, allocated(this::readReferences));
  }

  @Test
  void gettersOfCachedReferencesAllocateNothingInATransaction() {
    assertPerAccess(0.01, allocated(() -> store.transaction(this::readReferences)));
  }

  @Test
  void settersOfAFewObjectsAllocateLittle() {
    long bytes =
        allocated(
            () ->
                store.transaction(
                    () -> {
                      for (int i = 0; i < ACCESSES; i++) {
                        accounts[i & (OBJECTS - 1)].setBalance(i);
                      }
                    }));
    assertPerAccess(1, bytes);
  }

  @Test
  void aTransactionOfThreeSettersAllocatesLittle() {
    long bytes =
        allocated(
            () -> {
              for (int i = 0; i < TRANSACTIONS; i++) {
                Account account = accounts[i & (OBJECTS - 1)];
                long n = i;
                store.transaction(
                    () -> {
                      account.setBalance(n);
                      account.setNumber((int) n);
                      account.setOpen(true);
                    });
              }
            });
    assertTrue(
        bytes < 100 * 3 * TRANSACTIONS, () -> bytes / (3.0 * TRANSACTIONS) + " bytes per setter");
  }

  private static void assertPerAccess(double bytesMax, long bytes) {
    double each = (double) bytes / ACCESSES;
    assertTrue(each <= bytesMax, () -> each + " bytes per access");
  }
}
