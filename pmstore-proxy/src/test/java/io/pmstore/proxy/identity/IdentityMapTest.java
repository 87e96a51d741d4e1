package io.pmstore.proxy.identity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.JavaGarbage;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class IdentityMapTest {
  private static final LongPredicate ANY = address -> true;

  private final IdentityMap map = new IdentityMap();

  /** An object that knows which address it stands for. */
  private record Standing(long address) {}

  /** The address of an object among others that are as small as objects can be. */
  private static long place(long number) {
    return 16 * number + 8 * (number & 1);
  }

  @Test
  void aNumberThatIsNoAddressOfAnObjectHasNone() {
    Object object = new Object();
    map.put(48, object);
    map.put((5L << 24) + 16, object);
    for (long number :
        new long[] {
          0, -8, 32, 49, 52, 56, 47, 64, 48 + (1L << 24), (1L << 40) + 48, Long.MIN_VALUE + 48
        }) {
      assertNull(map.get(number), () -> "at " + number);
      assertNull(map.pinning(number), () -> "at " + number);
    }
    assertEquals(List.of(48L, (5L << 24) + 16), addresses());
  }

  @Test
  void theFirstObjectOfAnAddressStays() {
    Object first = new Object();
    assertNull(map.get(64));
    assertSame(first, map.putIfAbsent(64, first, ANY));
    assertSame(first, map.putIfAbsent(64, new Object(), ANY));
    assertSame(first, map.get(64));
    Object second = new Object();
    map.put(64, second);
    assertSame(second, map.get(64));
    map.remove(64, first);
    assertSame(second, map.get(64), "another's");
    map.remove(64, second);
    assertNull(map.get(64));
    assertSame(first, map.putIfAbsent(64, first, ANY));
    map.clear();
    assertNull(map.get(64));
  }

  @Test
  void anAddressThatMayHaveNoObjectGetsNone() {
    Object object = new Object();
    assertNull(map.putIfAbsent(64, object, address -> false));
    assertNull(map.putHidden(64, object, address -> address != 64));
    assertNull(map.pinning(64));
    map.put(64, object);
    assertNull(map.putIfAbsent(64, new Object(), address -> false), "it may be of another time");
    assertSame(object, map.pinning(64));
  }

  @Test
  void aHiddenObjectIsHeldButNotFound() {
    Object object = new Object();
    assertSame(object, map.putHidden(64, object, ANY));
    assertNull(map.get(64));
    assertSame(object, map.pinning(64));
    assertEquals(List.of(64L), addresses());
    map.show(64, new Object());
    assertNull(map.get(64), "another's");
    map.show(64, object);
    assertSame(object, map.get(64));
    Object other = new Object();
    assertSame(other, map.putHidden(88, other, ANY));
    map.remove(88, other);
    assertNull(map.pinning(88));
    assertEquals(List.of(64L), addresses());
  }

  private List<Long> addresses() {
    List<Long> addresses = new ArrayList<>();
    map.forEach(addresses::add);
    return addresses;
  }

  @Test
  @Timeout(60)
  void whoAsksWhatIsHeldWaitsForOneThatIsBeingAdded() throws Exception {
    Object object = new Object();
    AtomicReference<@Nullable Object> held = new AtomicReference<>();
    Thread asking = new Thread(() -> held.set(map.pinning(64)));
    map.putIfAbsent(
        64,
        object,
        address -> {
          asking.start();
          while (asking.getState() != Thread.State.BLOCKED && asking.isAlive()) {
            Thread.onSpinWait();
          }
          return true;
        });
    asking.join();
    assertSame(object, held.get());
  }

  @Test
  void allThatAreHeldAreShown() {
    Map<Long, Object> held = new HashMap<>();
    for (int i = 1; i <= 10_000; i++) {
      long address = place(i);
      Object object = new Standing(address);
      map.put(address, object);
      if (i % 3 == 0) {
        held.put(address, object);
      } else {
        map.remove(address, object);
      }
    }
    List<Long> addresses = addresses();
    assertEquals(held.size(), addresses.size());
    assertEquals(held.keySet(), new HashSet<>(addresses));
  }

  @Test
  void churnDoesNotMakeItGrow() {
    List<Object> held = new ArrayList<>();
    for (long i = 1; i <= 20_000; i++) {
      Object object = new Standing(place(i));
      map.put(place(i), object);
      held.add(object);
    }
    int capacity = map.capacity();
    // A few addresses again and again, and others that never come back.
    for (long i = 1; i <= 2_000_000; i++) {
      long address = place(20_001 + (i % 2 == 0 ? i % 1000 : 1000 + i));
      Object object = new Standing(address);
      map.put(address, object);
      map.remove(address, object);
    }
    assertTrue(map.capacity() <= 4 * capacity, map.capacity() + " slots, before " + capacity);
    for (long i = 1; i <= held.size(); i++) {
      assertSame(held.get((int) i - 1), map.get(place(i)));
    }
  }

  @Test
  @Timeout(120)
  void churnOfObjectsThatAreCollectedDoesNotMakeItGrow() {
    int capacity = 0;
    for (long round = 0; round < 30; round++) {
      WeakReference<Object> last = new WeakReference<>(fill(round));
      JavaGarbage.collect(last);
      if (round == 2) {
        capacity = map.capacity();
      }
    }
    assertTrue(map.capacity() <= capacity, map.capacity() + " slots, before " + capacity);
  }

  /** Adds objects at addresses of which half come in each round, and the others once. */
  private Object fill(long round) {
    List<Object> together = new ArrayList<>();
    for (long i = 1; i <= 20_000; i++) {
      long address = place(i % 2 == 0 ? i : i + 20_000 * (round + 1));
      Object object = new Standing(address);
      map.put(address, object);
      together.add(object);
    }
    return together;
  }

  @Test
  void itAgreesWithAnOrdinaryMap() {
    long seed = Long.getLong("pmstore.seed", System.nanoTime());
    Random random = new Random(seed);
    Map<Long, Object> model = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      long address = place(1 + random.nextInt(20_000));
      Object object = new Standing(address);
      Object known = model.get(address);
      String message = "seed " + seed + ", step " + i;
      switch (random.nextInt(4)) {
        case 0 -> {
          Object expected = known == null ? object : known;
          assertSame(expected, map.putIfAbsent(address, object, ANY), message);
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
      Object object = map.putIfAbsent(place(i), new Standing(place(i)), ANY);
      if (i % 1000 == 0) {
        held.add(object);
      }
    }
    for (int i = 0; i < held.size(); i++) {
      assertSame(held.get(i), map.get(place(1000L * (i + 1))));
    }
    JavaGarbage.collectUntil("the object's entry", () -> map.get(place(1)) == null);
  }

  @Test
  void readersNeverSeeAnotherAddressAndNeverMissWhatIsHeld() throws Exception {
    Map<Long, Object> held = new ConcurrentHashMap<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (int i = 1; i <= 400_000; i++) {
                  Object object = map.putIfAbsent(place(i), new Standing(place(i)), ANY);
                  if (i % 10 == 0) {
                    held.put(place(i), object);
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
                    long address = place(10L * (1 + random.nextInt(40_000)));
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
