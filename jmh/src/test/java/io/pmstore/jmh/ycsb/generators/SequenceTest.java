package io.pmstore.jmh.ycsb.generators;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** An item counts once all before it are there too. */
final class SequenceTest {
  @Test
  void countsWhatIsThereWithoutAGap() {
    Sequence sequence = new Sequence(10);
    assertEquals(10, sequence.take());
    assertEquals(11, sequence.take());
    assertEquals(12, sequence.take());
    sequence.acknowledge(11);
    assertEquals(10, sequence.count());
    sequence.acknowledge(10);
    assertEquals(12, sequence.count());
    sequence.acknowledge(12);
    assertEquals(13, sequence.count());
  }

  @Test
  void whatItCountsIsThereWhateverThreadsDo() throws Exception {
    Sequence sequence = new Sequence(0);
    ConcurrentHashMap<Long, Boolean> there = new ConcurrentHashMap<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        all.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 5000; i++) {
                    long number = sequence.take();
                    there.put(number, true);
                    sequence.acknowledge(number);
                    long count = sequence.count();
                    assertTrue(count == 0 || there.containsKey(count - 1));
                  }
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    }
    assertEquals(20_000, sequence.count());
    assertEquals(20_000, there.size());
  }
}
