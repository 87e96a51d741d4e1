package io.pmstore.model.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class GroupCommitTest {
  private static final double SECOND = 1e9;

  @Test
  void oneThreadWaitsForEachSync() {
    GroupCommit.Result result = new GroupCommit(1, 4, 10_000, 90_000, 2_000).simulate();
    assertEquals(SECOND / 100_000, result.perSecond(), 1);
    assertEquals(100_000, result.latencyNanos(), 1);
    assertEquals(1, result.perSync(), 0.01);
  }

  @Test
  void manyThreadsShareASync() {
    // Little work: half of the threads wait for one sync while the others are in the next.
    GroupCommit.Result result = new GroupCommit(16, 16, 1_000, 100_000, 0).simulate();
    double bound = 16 * SECOND / 100_000;
    assertTrue(result.perSecond() < bound && result.perSecond() > bound / 2.2, result::toString);
    assertTrue(result.perSync() > 6, result::toString);
  }

  @Test
  void withoutSyncsTheProcessorsAreTheLimit() {
    GroupCommit.Result result = new GroupCommit(8, 2, 10_000, 1, 0).simulate();
    assertEquals(2 * SECOND / 10_000, result.perSecond(), 0.02 * 2 * SECOND / 10_000);
    assertEquals(1, result.busy(), 0.02);
  }

  @Test
  void moreThreadsAreNeverSlower() {
    double before = 0;
    for (int threads : new int[] {1, 2, 4, 8, 16}) {
      double rate = new GroupCommit(threads, 2, 5_000, 100_000, 2_000).simulate().perSecond();
      assertTrue(rate >= before * 0.98, threads + " threads: " + rate + " after " + before);
      before = rate;
    }
  }

  @Test
  void threadsThatOnlyWaitDoNotDisturbEachOther() {
    double few = new ClosedLoop(4, 2, 1, 100_000).perSecond();
    assertEquals(4 * SECOND / 100_001, few, 1);
    double many = new ClosedLoop(64, 2, 10_000, 10_000).perSecond();
    assertEquals(2 * SECOND / 10_000, many, 0.02 * many, "the processors are the limit");
    double one = new ClosedLoop(1, 2, 10_000, 90_000).perSecond();
    assertEquals(SECOND / 100_000, one, 1e-6);
  }

  @Test
  void impossibleFiguresAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new ClosedLoop(1, 0, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new GroupCommit(0, 1, 1, 1, 1));
    assertThrows(IllegalArgumentException.class, () -> new GroupCommit(1, 1, -1, 1, 1));
  }
}
