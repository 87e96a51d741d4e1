package io.pmstore.core.tx;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepeatsTest {
  private static final long LONG = Long.MAX_VALUE / 4;

  private final AtomicLong time = new AtomicLong(); // a nanosecond passes with each look
  private final Repeats repeats = new Repeats(time::incrementAndGet);

  @Test
  void nobodyWaitsLongerThanThePatienceAndOnlyOnce() {
    repeats.begin();
    repeats.await(3_000);
    long waited = time.addAndGet(LONG);
    assertTrue(waited >= LONG + 3_000);
    repeats.await(LONG);
    assertEquals(waited + 1, time.get());
  }

  @Test
  void nobodyWaitsForAThirdOfTheTimeOfAWait() {
    repeats.begin();
    repeats.await(3_000);
    long waited = time.get();
    repeats.begin();
    repeats.await(3_000);
    assertEquals(waited + 1, time.get());
    time.addAndGet(1_010);
    repeats.await(3_000);
    assertTrue(time.get() >= waited + 1_010 + 3_000);
  }

  @Test
  void whatBeginsLaterIsNotAwaited() throws InterruptedException {
    Object first = repeats.begin();
    Thread waiting = Thread.ofPlatform().start(() -> repeats.await(LONG));
    while (waiting.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    repeats.begin();
    repeats.end(first);
    waiting.join();
  }
}
