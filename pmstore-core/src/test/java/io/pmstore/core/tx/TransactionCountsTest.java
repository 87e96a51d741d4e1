package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which transactions are timed, whatever part of them commits. */
class TransactionCountsTest {
  private static final int TRANSACTIONS = 1_000_000;

  private final Heap heap = new Heap(new MemoryEngine(), Durability.SYNC, h -> new NoObjects());
  private final TransactionCounts counts = new TransactionCounts();
  private TransactionCounts.Cell cell;

  @BeforeEach
  void makeCell() {
    long _ = heap.transaction(() -> heap.allocate(3, 16));
    cell = counts.cell(Objects.requireNonNull(ThreadSlot.mine().usedLast()));
  }

  /** Ends a transaction of a time in nanoseconds. */
  private void end(long began, boolean commits, long nanos) {
    if (commits) {
      cell.committed(1, 8);
    } else {
      cell.endedWithoutCommit();
    }
    if (began != 0) {
      cell.timed(System.nanoTime() - nanos, commits);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 99, 100})
  void oneIn1024OfAllIsTimed(int percentOfCommits) {
    SplittableRandom random = new SplittableRandom(percentOfCommits);
    int timed = 0;
    int commits = 0;
    for (int i = 0; i < TRANSACTIONS; i++) {
      boolean isCommit = random.nextInt(100) < percentOfCommits;
      long began = cell.begin();
      timed += began == 0 ? 0 : 1;
      commits += isCommit ? 1 : 0;
      end(began, isCommit, 0);
    }
    int expected = TRANSACTIONS / TransactionCounts.TIMED_ONE_IN;
    // More, because one that waits for a processor is a long one.
    assertTrue(timed > 0.9 * expected && timed < 1.5 * expected, timed + " were timed");
    assertEquals(commits, counts.sums()[TransactionCounts.COMMITS]);
    assertTrue(counts.latency().count() <= commits, counts.latency()::toString);
  }

  @Test
  void theFirstOneOfAThreadIsTimed() {
    assertNotEquals(0, cell.begin());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachIsTimedWhileTheyAreLong(boolean commits) {
    for (int i = 0; i < 10_000; i++) {
      end(cell.begin(), commits, 0); // until one is far from the next
    }
    long began = 0;
    while (began == 0) {
      began = cell.begin();
      end(began, commits, TransactionCounts.LONG_NANOS);
    }
    for (int i = 0; i < 1_000; i++) {
      assertNotEquals(0, began = cell.begin(), "after " + i);
      end(began, commits, TransactionCounts.LONG_NANOS);
    }
  }

  @Test
  void oneThatIsRolledBackLeavesTheNextOneToBeTimed() {
    assertNotEquals(0, cell.begin());
    cell.endedWithoutCommit(); // it threw, so nobody has noted its time
    assertNotEquals(0, cell.begin());
  }

  @Test
  void whatIsTimedStandsForAllCommitsBeforeIt() {
    int commits = 0;
    for (int i = 0; i < 10_000; i++) {
      boolean isCommit = i % 3 != 0;
      long began = cell.begin();
      end(began, isCommit, 0);
      commits += isCommit ? 1 : 0;
      if (began != 0 && isCommit) {
        assertEquals(commits, counts.latency().count());
      }
    }
    assertEquals(commits, counts.sums()[TransactionCounts.COMMITS]);
  }
}
