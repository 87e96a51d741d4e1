package io.pmstore.proxy.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class IdentityMapTest {
  private final IdentityMap map = new IdentityMap();

  /** An object that knows which address it stands for. */
  private record Standing(long address) {}

  @Test
  void theFirstObjectOfAnAddressStays() {
    Object first = new Object();
    assertNull(map.get(64));
    assertSame(first, map.putIfAbsent(64, first));
    assertSame(first, map.putIfAbsent(64, new Object()));
    assertSame(first, map.get(64));
    Object second = new Object();
    map.put(64, second);
    assertSame(second, map.get(64));
    map.remove(64, first);
    assertSame(second, map.get(64), "another's");
    map.remove(64, second);
    assertNull(map.get(64));
    assertSame(first, map.putIfAbsent(64, first));
    map.clear();
    assertNull(map.get(64));
  }

  @Test
  void itAgreesWithAnOrdinaryMap() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Long, Object> model = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      long address = 8L * (1 + random.nextInt(20_000));
      Object object = new Standing(address);
      Object known = model.get(address);
      String message = "seed " + seed + ", step " + i;
      switch (random.nextInt(4)) {
        case 0 -> {
          Object expected = known == null ? object : known;
          assertSame(expected, map.putIfAbsent(address, object), message);
          model.put(address, expected);
        }
        case 1 -> {
          map.put(address, object);
          model.put(address, object);
        }
        case 2 -> {
          if (known != null) {
            map.remove(address, known);
            model.remove(address);
          }
        }
        default -> assertSame(known, map.get(address), message);
      }
    }
  }

  @Test
  @Timeout(60)
  void whatNobodyHoldsGoesAndMakesRoom() {
    List<Object> held = new ArrayList<>();
    for (int i = 1; i <= 2_000_000; i++) {
      Object object = map.putIfAbsent(8L * i, new Standing(8L * i));
      if (i % 1000 == 0) {
        held.add(object);
      }
    }
    for (int i = 0; i < held.size(); i++) {
      assertSame(held.get(i), map.get(8000L * (i + 1)));
    }
    while (map.get(8) != null) {
      System.gc();
    }
  }

  @Test
  void readersNeverSeeAnotherAddressAndNeverMissWhatIsHeld() throws Exception {
    Map<Long, Object> held = new ConcurrentHashMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (int i = 1; i <= 400_000; i++) {
                  Object object = map.putIfAbsent(8L * i, new Standing(8L * i));
                  if (i % 10 == 0) {
                    held.put(8L * i, object);
                  }
                }
              });
      List<Future<?>> readers = new ArrayList<>();
      for (int t = 0; t < 2; t++) {
        Random random = new Random(t);
        readers.add(
            pool.submit(
                () -> {
                  while (!writer.isDone()) {
                    long address = 80L * (1 + random.nextInt(40_000));
                    Object expected = held.get(address);
                    Object found = map.get(address);
                    if (expected != null) {
                      assertSame(expected, found);
                    } else if (found != null) {
                      assertEquals(address, ((Standing) found).address());
                    }
                  }
                }));
      }
      writer.get();
      for (Future<?> reader : readers) {
        reader.get();
      }
    }
  }
}
