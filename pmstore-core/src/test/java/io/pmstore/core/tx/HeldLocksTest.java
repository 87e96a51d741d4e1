package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.engine.MemoryEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The locks of a commit. */
@Timeout(60)
class HeldLocksTest {
  private static final long FIRST = 8192;
  private static final long SECOND = 9192;
  private static final long OTHER = 999_999; // who holds the second lock

  private final LockTable table = new LockTable(new MemoryEngine());
  private final int first = LockTable.index(FIRST);
  private final int second = LockTable.index(SECOND);

  /**
   * A pool whose worker waits starts another one, for which there may be no memory. With the first
   * lock held, whoever reads its object would wait for ever.
   */
  @Test
  void aCommitWhoseWaitEndsByAnErrorHoldsNoLock() throws Exception {
    assertTrue(first < second); // the order in which they are taken
    assertTrue(table.tryLock(second, table.word(second), OTHER));
    Error error = new Error("no thread"); // as an OutOfMemoryError, which JUnit does not survive
    Error thrown =
        SingleWorker.call(
            error,
            () -> {
              HeldLocks held = new HeldLocks(table);
              held.want(FIRST);
              held.want(SECOND);
              return assertThrows(Error.class, held::lock);
            });
    assertSame(error, thrown);
    assertFalse(LockTable.isLocked(table.word(first)));
    assertTrue(LockTable.isOwner(table.word(second), OTHER));
  }
}
