package io.pmstore.jmh.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
  private long nanos = 42;
  private long compiled = 7;
  private final WarmUp warmUp = new WarmUp(Duration.ofSeconds(1), () -> nanos, () -> compiled);

  /** After a round that took so long, of which the compiler worked so long. */
  private boolean isOverAfter(long roundMillis, long compilationMillis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(roundMillis);
    compiled += compilationMillis;
    return warmUp.isOver();
  }

  @Test
  void itTakesItsLeastTime() {
    for (int i = 0; i < 3; i++) {
      assertFalse(isOverAfter(250, 0));
    }
    assertTrue(isOverAfter(250, 0));
  }

  @Test
  void itGoesOnWhileTheCompilerIsBusy() {
    for (int i = 0; i < 10; i++) {
      assertFalse(isOverAfter(250, 240));
    }
    assertFalse(isOverAfter(250, 62));
    assertFalse(isOverAfter(250, 63), "the compiler worked for more than a quarter of the time");
    assertFalse(isOverAfter(250, 62), "one round is not enough");
    assertTrue(isOverAfter(250, 0));
  }

  @Test
  void itEndsThoughTheCompilerDoesNot() {
    for (int i = 1; i < 6 * 4; i++) {
      assertFalse(isOverAfter(250, 500));
    }
    assertTrue(isOverAfter(250, 500));
  }

  @Test
  void aRoundIsNotLongerThanAllMayBe() {
    assertEquals(Duration.ofMillis(120), new WarmUp(Duration.ofMillis(120)).round());
    assertEquals(Duration.ofMillis(250), new WarmUp(Duration.ofSeconds(3)).round());
    WarmUp none = new WarmUp(Duration.ZERO);
    assertEquals(Duration.ZERO, none.round());
    assertTrue(none.isOver());
  }
}
