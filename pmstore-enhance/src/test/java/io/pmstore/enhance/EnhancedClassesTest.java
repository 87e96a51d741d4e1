package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.PmStore;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.enhance.sample.Clerk;
import io.pmstore.enhance.sample.Desk;
import io.pmstore.enhance.sample.Order;
import io.pmstore.enhance.sample.Sheet;
import io.pmstore.enhance.sample.Shop;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.PersistentObject;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Objects of enhanced classes, plain and persistent. */
class EnhancedClassesTest {
  /** A race may show in thousands of rounds only: set more after a change to conversion. */
  private static final int THREADS_ROUNDS = Integer.getInteger("pmstore.threads.rounds", 100);

  @TempDir Path directory;

  private PmStore store;
  private Shop shop;

  @BeforeEach
  void open() {
    store = PmStore.open(directory.resolve("store"));
    shop = store.root(Shop.class);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void reopen() {
    store.close();
    open();
  }

  private static final class RollBack extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private void rolledBack(Runnable body) {
    assertThrows(
        RollBack.class,
        () ->
            store.transaction(
                () -> {
                  body.run();
                  throw new RollBack();
                }));
  }

  @Test
  void anObjectThatIsPlainAgainIsCollectedWithItsArrays() {
    JavaGarbage.collect(orderOfARollBack());
  }

  private WeakReference<Order> orderOfARollBack() {
    Order order = Order.of(1, 1);
    rolledBack(() -> shop.last = order);
    return new WeakReference<>(order);
  }

  @Test
  void theObjectThatIsAssignedIsPersistentItself() {
    Order order = Order.builder(7).symbol("PETR4").price(250).build();
    assertFalse(PersistentObject.isPersistent(order));
    shop.orders.put(7L, order);
    assertTrue(PersistentObject.isPersistent(order));
    assertSame(order, shop.orders.get(7L));
    assertSame(Order.class, order.getClass());
    order.price = 300;
    shop.last = order;
    reopen();
    assertEquals(300, shop.last.price);
    assertEquals(7, shop.last.id());
    assertSame(shop.last, shop.orders.get(7L));
    assertNotSame(order, shop.last);
  }

  @Test
  void aRollBackMakesAnObjectPlainAgainWithTheValuesItHad() {
    Order order = Order.of(1, 10);
    order.notes().add("plain");
    List<String> notes = order.notes();
    for (int i = 0; i < 2; i++) {
      rolledBack(
          () -> {
            shop.last = order;
            order.fill(4);
            assertEquals(6, order.quantity());
            order.limits.orElseThrow()[0] = 9;
          });
      assertFalse(PersistentObject.isPersistent(order));
      assertEquals(10, order.quantity());
      assertEquals(List.of("plain"), order.notes());
      assertSame(notes, order.notes());
      assertArrayEquals(new int[3], order.counts);
      assertArrayEquals(new int[1], order.limits.orElseThrow());
      assertNull(shop.last);
    }
    shop.last = order;
    reopen();
    assertEquals(10, shop.last.quantity());
    assertEquals(List.of("plain"), shop.last.notes());
  }

  @Test
  void aMethodIsOneTransaction() {
    shop.last = Order.of(1, 10);
    assertEquals(7, shop.last.fill(3));
    assertThrows(IllegalStateException.class, () -> shop.last.fill(8));
    assertEquals(7, shop.last.quantity());
    assertEquals(List.of("filled 3"), shop.last.notes());
    assertEquals(1, shop.last.counts[0]);
  }

  @Test
  void otherClassesUseFields() {
    Order order = Order.of(1, 10);
    shop.orders.put(1L, order);
    Desk.reprice(order, 5);
    assertEquals(55, Desk.total(shop));
    assertEquals(55, Order.worth(order));
    reopen();
    assertEquals(55, Desk.total(shop));
    assertEquals(11, shop.orders.get(1L).quantity());
  }

  @Test
  void plainAndPersistentObjectsCompareInAnyOrder() {
    Order persistent = Order.builder(7).symbol("A").price(2).build();
    shop.last = persistent;
    reopen();
    Order plain = Order.builder(7).symbol("A").price(1).build();
    assertEquals(plain, shop.last);
    assertEquals(shop.last, plain);
    assertEquals(plain.hashCode(), shop.last.hashCode());
    assertTrue(Order.BY_PRICE.compare(plain, shop.last) < 0);
    assertTrue(Order.BY_PRICE.compare(shop.last, plain) > 0);
    assertSame(plain, new TreeSet<>(List.of(plain, shop.last)).first());
    Order copy = new Order(shop.last);
    assertFalse(PersistentObject.isPersistent(copy));
    assertEquals(shop.last, copy);
    assertEquals(2, copy.price);
  }

  @Test
  void elementsOfArraysAreSeen() {
    shop.last = Order.of(1, 1);
    Order order = shop.last;
    order.counts[1]++;
    Desk.count(order, 1);
    Desk.countTwice(order, 2);
    store.transaction(
        () -> {
          order.counts[0] = 5;
          Desk.countTwice(order, 0);
        });
    IntUnaryOperator counter = order.counter();
    int _ = counter.applyAsInt(2);
    store.transaction(() -> counter.applyAsInt(2));
    rolledBack(() -> Desk.count(order, 0));
    order.mark(1, 0, 9);
    reopen();
    assertArrayEquals(new int[] {7, 2, 4}, shop.last.counts);
    assertEquals(9, shop.last.marked(1, 0));
  }

  @Test
  void anArrayThatTheProgramStillHasIsFollowed() {
    Order order = Order.of(1, 1);
    int[] counts = order.counts;
    store.transaction(
        () -> {
          shop.last = order;
          counts[0] = 3;
        });
    counts[1] = 4;
    assertArrayEquals(new int[] {3, 4, 0}, order.counts);
    order.counts = new int[3];
    assertThrows(IllegalStateException.class, () -> counts[2] = 5);
    reopen();
    assertArrayEquals(new int[3], shop.last.counts);
  }

  @Test
  void lambdasLocalClassesAndClonesWorkOnPersistentObjects() {
    shop.last = Order.builder(3).symbol("Q").price(10).build();
    shop.last.repricing(5).run();
    assertEquals(15, shop.last.price);
    Order clone = shop.last.clone();
    assertTrue(PersistentObject.isPersistent(clone));
    clone.price = 1;
    assertEquals(15, shop.last.price);
    Order plainClone = Order.of(4, 4).clone();
    assertFalse(PersistentObject.isPersistent(plainClone));
    shop.last.source(new Order.Source("equities", 7));
    reopen();
    assertEquals(new Order.Source("equities", 7), shop.last.source());
  }

  @Test
  void fieldsOfSuperclassesAndPrivateClassesAreKept() {
    assertEquals("unnamed", shop.name());
    shop.name("Rio");
    Shop.Node first = Shop.ring("one", "two");
    shop.first = first;
    assertSame(first, shop.first);
    assertSame(first, first.next().next());
    shop.visits++;
    reopen();
    assertEquals("Rio", shop.name());
    assertEquals(0, shop.visits);
    assertEquals("two", shop.first.next().text());
    assertSame(shop.first, shop.first.next().next());
    NotPersistableException e =
        assertThrows(NotPersistableException.class, () -> shop.first = Shop.unkept());
    assertTrue(e.getMessage().contains("Ring"), e::getMessage);
  }

  @Test
  void aCollectionOfAPlainObjectBecomesTheStores() {
    Order order = Order.of(1, 1);
    List<String> list = order.notes();
    store.transaction(
        () -> {
          shop.last = order;
          list.add("late"); // in the transaction: taken over
        });
    assertEquals(List.of("late"), order.notes());
    assertNotSame(ArrayList.class, order.notes().getClass());
    order.notes().add("more");
    reopen();
    assertEquals(List.of("late", "more"), shop.last.notes());
  }

  @Test
  void aChangeToACollectionThatWasTakenOverIsSeenAtOnce() {
    store.transaction(
        () -> {
          Order order = Order.of(1, 1);
          List<String> list = order.notes();
          shop.last = order;
          for (int i = 0; i < 5; i++) {
            list.add("late " + i);
            assertEquals(list, order.notes());
          }
          list.set(1, "set");
          list.remove("late 0");
          assertEquals(List.of("set", "late 2", "late 3", "late 4"), order.notes());
          Map<Long, Order> map = new HashMap<>(Map.of(1L, order));
          shop.orders = map;
          for (long id = 2; id < 20; id++) { // as multimaps do
            map.put(id, Order.of(id, 1));
            assertEquals(map.keySet(), shop.orders.keySet());
          }
          map.remove(1L);
          assertEquals(18, shop.orders.size());
          order.notes().add("stored");
          assertThrows(NotPersistableException.class, () -> list.add("both"));
          list.removeLast();
        });
    reopen();
    assertEquals(List.of("set", "late 2", "late 3", "late 4", "stored"), shop.last.notes());
    assertFalse(shop.orders.containsKey(1L));
    rolledBack(
        () -> {
          List<String> list = new ArrayList<>();
          shop.last = Order.of(3, 3);
          shop.last.notes().addAll(list);
        });
    List<String> unrelated = new ArrayList<>();
    unrelated.add("plain");
    assertEquals(18, shop.orders.size());
  }

  @Test
  void manyChangesToALargeCollectionThatWasTakenOverAreStoredAtTheEndOfTheTransaction() {
    Map<Long, Order> map = new HashMap<>();
    List<String> list = new ArrayList<>();
    assertTimeoutPreemptively(
        Duration.ofMinutes(1), // it would take hours if each change were looked for
        () ->
            store.transaction(
                () -> {
                  shop.orders = map;
                  shop.last = Order.of(1, 1);
                  shop.last.notes(list);
                  for (long id = 0; id < 20_000; id++) {
                    map.put(id, shop.last);
                    list.add("note " + id);
                  }
                  map.remove(7L);
                  list.set(3, "other");
                }));
    reopen();
    assertEquals(map.keySet(), shop.orders.keySet());
    assertEquals(list, shop.last.notes());
  }

  @Test
  void aMethodThatReturnsWhatItAssignsReturnsTheStoresCollection() {
    Order order = Order.of(1, 1);
    List<String> plain = order.newNotes();
    assertSame(ArrayList.class, plain.getClass());
    shop.last = order;
    List<String> made = order.newNotes(); // a transaction of its own, which has ended
    assertSame(made, order.notes());
    Collections.addAll(made, "one"); // the JDK changes it
    made.add("two");
    reopen();
    assertEquals(List.of("one", "two"), shop.last.notes());
  }

  /** Each way in which code changes a collection that it still has. */
  static Stream<Arguments> changes() {
    return Stream.of(
        Arguments.of("add", (Consumer<List<String>>) list -> list.add("lost")),
        Arguments.of("add at", (Consumer<List<String>>) list -> list.add(0, "lost")),
        Arguments.of("set", (Consumer<List<String>>) list -> list.set(0, "lost")),
        Arguments.of("remove", (Consumer<List<String>>) list -> list.remove("kept")),
        Arguments.of("clear", (Consumer<List<String>>) list -> list.clear()),
        Arguments.of("addAll", (Consumer<List<String>>) list -> list.addAll(List.of("lost"))),
        Arguments.of("removeIf", (Consumer<List<String>>) list -> list.removeIf("kept"::equals)),
        Arguments.of("replaceAll", (Consumer<List<String>>) list -> list.replaceAll(s -> "lost")),
        Arguments.of("utility", (Consumer<List<String>>) list -> Collections.fill(list, "lost")),
        Arguments.of("varargs", (Consumer<List<String>>) list -> Collections.addAll(list, "lost")),
        Arguments.of("class", (Consumer<List<String>>) list -> ((ArrayList<String>) list).add("")),
        Arguments.of(
            "reference", (Consumer<List<String>>) list -> List.of("lost").forEach(list::add)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("changes")
  void aPlainCollectionThatTheStoreHasTakenOverIsNotChanged(
      String name, Consumer<List<String>> change) {
    Order order = Order.of(1, 1);
    List<String> list = order.notes();
    list.add("kept");
    rolledBack(() -> shop.last = order);
    list.add("too"); // plain again
    shop.last = order;
    List<String> before = List.copyOf(list);
    IllegalStateException e = assertThrows(IllegalStateException.class, () -> change.accept(list));
    assertTrue(e.getMessage().contains("java.util.ArrayList"), e::getMessage);
    assertEquals(before, list);
    change.accept(new ArrayList<>(list));
    change.accept(new ArrayList<>(order.notes()));
    order.notes().add("stored");
    assertEquals(List.of("kept", "too", "stored"), order.notes());
    store.close();
    change.accept(list);
    open();
    assertEquals(List.of("kept", "too", "stored"), shop.last.notes());
  }

  @Test
  void aWrapperOfACollectionThatTheStoreHasTakenOverIsNotChanged() {
    Order order = Order.of(1, 1);
    List<String> wrapper = Collections.synchronizedList(order.notes());
    store.transaction(
        () -> {
          shop.last = order;
          wrapper.add("in the transaction");
          assertEquals(wrapper, order.notes());
        });
    assertThrows(IllegalStateException.class, () -> wrapper.add("lost"));
    reopen();
    assertEquals(List.of("in the transaction"), shop.last.notes());
  }

  @Test
  void aChangeThatTheEnhancerDoesNotSeeIsWarnedOf() {
    List<Consumer<List<String>>> changes =
        List.of(
            List::clear, // a method reference without its list
            list -> {
              Iterator<String> iterator = list.iterator();
              iterator.next();
              iterator.remove();
            });
    Logger logger = Logger.getLogger("io.pmstore.proxy.convert.LostChanges");
    for (Consumer<List<String>> change : changes) {
      Order order = Order.of(1, 1);
      List<String> list = order.notes();
      list.add("kept");
      List<String> warnings = new CopyOnWriteArrayList<>();
      logger.setFilter(record -> !warnings.add(record.getMessage()));
      try {
        shop.last = order;
        change.accept(list);
        reopen();
      } finally {
        logger.setFilter(null);
      }
      assertEquals(1, warnings.size(), warnings::toString);
      assertTrue(warnings.getFirst().contains("java.util.ArrayList"), warnings::toString);
      assertEquals(List.of("kept"), shop.last.notes());
    }
  }

  @Test
  void mapsThatTheStoreHasTakenOverAreNotChanged() {
    Map<Long, Order> map = new HashMap<>(Map.of(1L, Order.of(1, 1)));
    shop.orders = map;
    Order other = Order.of(2, 2);
    assertThrows(IllegalStateException.class, () -> map.put(2L, other));
    assertThrows(IllegalStateException.class, () -> map.replace(1L, map.get(1L), other));
    assertThrows(IllegalStateException.class, () -> map.merge(1L, other, (a, b) -> b));
    assertThrows(IllegalStateException.class, () -> map.computeIfAbsent(2L, id -> other));
    shop.orders.put(2L, other);
    assertEquals(Set.of(1L, 2L), shop.orders.keySet());
  }

  @Test
  void elementsOfAnArrayThatAGetterGivesOutAreSeen() {
    Clerk.enter(shop.sheet);
    reopen();
    assertArrayEquals(new long[] {5, 6, 0}, shop.sheet.getCells());
  }

  @Test
  void arraysThatTheJdkChangesAreSeen() {
    shop.last = Order.of(1, 1);
    Order order = shop.last;
    Desk.countAll(order, 7);
    reopen();
    assertArrayEquals(new int[] {7, 7, 7}, shop.last.counts);
    store.transaction(
        () -> {
          int[] counts = shop.last.counts;
          System.arraycopy(new int[] {1, 2}, 0, counts, 1, 2);
          Arrays.sort(counts);
          counts[0]++;
        });
    int[] kept = shop.last.counts;
    shop.last.counts = new int[] {5, 6, 7};
    assertEquals(11, Arrays.stream(kept).sum()); // reading it is no change
    assertThrows(IllegalStateException.class, () -> Arrays.fill(kept, 1));
    reopen();
    assertArrayEquals(new int[] {5, 6, 7}, shop.last.counts);
  }

  @Test
  void nothingIsGenerated() {
    assertTrue(EnhancedObject.class.isAssignableFrom(Order.class));
    for (String name : List.of("Order", "Shop")) {
      assertThrows(
          ClassNotFoundException.class,
          () -> Class.forName("io.pmstore.enhance.sample." + name + "$Persistent"));
      assertThrows(
          ClassNotFoundException.class,
          () -> Class.forName("io.pmstore.enhance.sample." + name + "$PersistentCode"));
    }
    assertSame(Shop.class, store.create(Shop.class).getClass());
  }

  /** A transaction may call another program, or its thread may not run for a while. */
  @Test
  void anotherThreadWaitsForTheEndOfATransaction() throws Exception {
    Order order = Order.of(1, 1);
    CountDownLatch isStored = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<Long> read =
          pool.submit(
              () -> {
                isStored.await();
                return order.price++;
              });
      store.transaction(
          () -> {
            shop.last = order;
            order.price = 7;
            isStored.countDown();
            Thread.sleep(1_500); // the time is what the test is about, nothing happens in it
          });
      assertEquals(7, read.get());
    }
    assertEquals(8, order.price);
  }

  @Test
  void severalThreadsStoreTheSamePlainObjects() throws Exception {
    for (int round = 0; round < THREADS_ROUNDS; round++) {
      Order one = Order.of(1, 1);
      Order other = Order.of(2, 2);
      CyclicBarrier begin = new CyclicBarrier(4);
      List<Callable<@Nullable Void>> tasks = new ArrayList<>();
      for (long i = 0; i < 4; i++) {
        long key = 2 * i;
        Order first = i % 2 == 0 ? one : other;
        Order second = i % 2 == 0 ? other : one;
        tasks.add(
            () -> {
              begin.await();
              store.transaction(
                  () -> {
                    shop.orders.put(key, first);
                    shop.orders.put(key + 1, second);
                  });
              return null;
            });
      }
      try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
        for (Future<?> done : pool.invokeAll(tasks)) {
          done.get();
        }
      }
      assertSame(one, shop.orders.get(4L));
      assertSame(other, shop.orders.get(6L));
      assertEquals(1, one.quantity());
    }
  }

  @Test
  void aLookUpNeedsNotKnowThatAnotherThreadRollsBack() throws Exception {
    Sheet sheet = new Sheet();
    shop.sheets.add(new Sheet());
    shop.sheetsByNumber.put(1L, new Sheet());
    AtomicBoolean hasEnded = new AtomicBoolean();
    try (ExecutorService pool = Executors.newSingleThreadExecutor()) {
      Future<?> lookUps =
          pool.submit(
              () -> {
                while (!hasEnded.get()) {
                  assertFalse(shop.sheets.contains(sheet));
                  assertFalse(shop.sheetsByNumber.containsValue(sheet));
                }
              });
      try {
        for (int round = 0; round < 10 * THREADS_ROUNDS; round++) {
          rolledBack(() -> shop.sheets.add(sheet));
        }
      } finally {
        hasEnded.set(true);
      }
      lookUps.get();
    }
  }
}
