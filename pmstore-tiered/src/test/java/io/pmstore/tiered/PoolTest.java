package io.pmstore.tiered;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.core.medium.MediumFile;
import java.lang.reflect.Proxy;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A thread that makes a base asks without the lock which blocks are in a pool. */
class PoolTest {
  private static final int SLOTS = 1 << 16;
  private static final int ROUNDS = 300;

  private final Pool pool = new Pool(0, unused(), SLOTS, 1);

  private static MediumFile unused() {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, args) -> {
              throw new AssertionError(method);
            });
  }

  /** Such a block would be left out of the base, and is in no pool. */
  @Test
  void noSlotSeemsToHoldTheBlockOfAnEarlierEpoch() throws Exception {
    AtomicInteger round = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    int wrong = 0;
    try (ExecutorService taker = Executors.newSingleThreadExecutor()) {
      for (int i = 1; i <= ROUNDS; i++) {
        long first = (long) (i & 1) * SLOTS; // each slot has another block than the round before
        ended.set(false);
        pool.clear();
        round.set(0);
        Future<?> taking =
            taker.submit(
                () -> {
                  for (int slot = 0; slot < SLOTS; slot++) {
                    pool.take(first + slot, 1);
                    round.setPlain(slot);
                  }
                  ended.set(true);
                });
        long earlier = (long) (1 - (i & 1)) * SLOTS; // in the first round no slot ever held it
        while (!ended.get()) {
          int last = round.get();
          for (int slot = last; slot < Math.min(last + 4, SLOTS); slot++) {
            if (pool.holds(slot, earlier + slot)) {
              wrong++;
            }
          }
        }
        taking.get();
      }
    }
    assertEquals(0, wrong);
  }
}
