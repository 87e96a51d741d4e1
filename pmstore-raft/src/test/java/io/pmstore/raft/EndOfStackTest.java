package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.PmStore;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The stack of a thread ends in a transaction, wherever that is. The transaction is rolled back for
 * good, and the node continues.
 */
// What waits for a lost entry waits on when it is interrupted.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EndOfStackTest {
  private static final long STACK = 512 << 10;
  private static final int STEP = 8; // of the depth, in frames
  private static final int SUCCESSES = 50; // after which there is stack enough
  private static final long END_NANOS_MAX = TimeUnit.SECONDS.toNanos(40);

  @TempDir Path root;
  private Cluster cluster;
  private PmStore store;
  private Bank.Account account;
  private int depth;
  private @Nullable Throwable thrown;

  @BeforeEach
  void open() throws Exception {
    cluster = new Cluster(root, "a").openAll();
    cluster.onLeader(all -> all.root(Bank.class).getAccounts().add(all.create(Bank.Account.class)));
    find();
    for (int i = 0; i < 100; i++) {
      write(0);
    }
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  private void find() throws InterruptedException {
    store = cluster.leaderStore();
    account = store.root(Bank.class).getAccounts().getFirst();
  }

  private void write(long balance) {
    store.transaction(() -> account.setBalance(balance));
  }

  @Test
  void whatIsRolledBackNeverHappens() throws Exception {
    int ends = 0;
    int successes = 0;
    long last = 0;
    long begin = System.nanoTime();
    for (int spare = 10;
        successes < SUCCESSES && System.nanoTime() - begin < END_NANOS_MAX;
        spare += STEP) {
      long balance = last + 1;
      thrown = null;
      int above = spare;
      Thread deep = new Thread(null, () -> writeAbove(above, balance), "deep", STACK);
      deep.start();
      deep.join();
      if (thrown == null) {
        last = balance;
        successes++;
        continue;
      }
      ends++;
      assertInstanceOf(StackOverflowError.class, thrown);
      store.transaction(() -> store.root(Bank.class).getNotes().put("later", "" + balance));
      assertEquals(last, account.getBalance(), () -> "rolled back by " + thrown);
    }
    System.out.printf("EndOfStackTest: %d ends, %d successes%n", ends, successes);
    assertTrue(ends > 0, "the stack did not end");
  }

  /** Tries a transaction where there is stack for a number of frames. */
  private void writeAbove(int spare, long balance) {
    int before;
    do { // until it is compiled
      before = depth;
      depth = 0;
      try {
        descend(Integer.MAX_VALUE, balance);
      } catch (StackOverflowError e) {
        // it has found the depth
      }
    } while (depth != before);
    try {
      descend(depth - spare, balance);
    } catch (Throwable t) {
      thrown = t;
    }
  }

  private void descend(int levels, long balance) {
    depth++;
    if (levels > 0) {
      descend(levels - 1, balance);
    } else {
      write(balance);
    }
  }
}
