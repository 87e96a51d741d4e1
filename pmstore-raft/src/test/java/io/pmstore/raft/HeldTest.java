package io.pmstore.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are held back for a copy go on when no leader asks for the copy. */
@Timeout(60)
class HeldTest {
  private final AtomicInteger releases = new AtomicInteger();
  private final CountDownLatch released = new CountDownLatch(1);

  private Held held(long nanosMax) {
    return new Held(
        () -> {
          releases.incrementAndGet();
          released.countDown();
        },
        nanosMax);
  }

  @Test
  void theyGoOnAfterATime() throws Exception {
    Held held = held(TimeUnit.MILLISECONDS.toNanos(20));
    held.begin();
    assertTrue(released.await(30, TimeUnit.SECONDS));
    assertFalse(held.extend());
    held.end();
    assertEquals(1, releases.get());
  }

  @Test
  void theyGoOnAtTheEnd() {
    Held held = held(TimeUnit.MINUTES.toNanos(1));
    assertFalse(held.extend());
    held.begin();
    assertTrue(held.extend());
    assertEquals(0, releases.get());
    held.end();
    assertEquals(1, releases.get());
    assertFalse(held.extend());
  }
}
