package io.pmstore.proxy.collection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The counters of a large map are an object of their own, whose space may become another's. */
class FreedCountersTest extends StoreTest {
  /** Has a map. */
  @Persistent
  static class Holder {
    private Map<Integer, Integer> numbers = new HashMap<>();

    Map<Integer, Integer> getNumbers() {
      return numbers;
    }
  }

  private Heap heap() {
    return store().heap;
  }

  private long counters(Map<Integer, Integer> map) {
    return heap().getLong(TestStore.address((PersistentObject) map), CollectionShapes.MAP_COUNTERS);
  }

  private Map<Integer, Integer> large(String root) {
    Map<Integer, Integer> map = store().root(root, Holder.class).getNumbers();
    for (int i = 0; counters(map) == 0; i++) {
      map.put(i, i); // the last one makes the counters
    }
    return map;
  }

  @Test
  void aTransactionDoesNotReadTheCountersOfAnotherMapAsThoseThatWereFreed() throws Exception {
    try (ExecutorService other = Executors.newSingleThreadExecutor()) { // it uses its own space
      readWhile(other, other.submit(() -> large("map")).get());
    }
  }

  private void readWhile(ExecutorService other, Map<Integer, Integer> map) throws Exception {
    List<Long> read = new ArrayList<>();
    boolean[] reused = {false};
    int[] runs = {0};
    store()
        .transaction(
            () -> {
              long counters = counters(map);
              if (runs[0]++ == 0) {
                reused[0] = other.submit(() -> reuse(map, counters)).get();
              }
              if (counters != 0) {
                read.add(heap().counter(counters, CollectionShapes.counter(0)));
              }
            });
    assertTrue(reused[0], "the space was not used again");
    assertEquals(List.of(), read, "what the first run had read was no longer current");
    assertEquals(0, map.size());
  }

  private boolean reuse(Map<Integer, Integer> map, long counters) {
    map.clear();
    for (int i = 0; i < 500; i++) {
      if (counters(large("other" + i)) == counters) {
        return true;
      }
    }
    return false;
  }
}
