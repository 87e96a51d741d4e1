package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.RolledBackException;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.fixture.Ticker;
import io.pmstore.proxy.fixture.Values;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConversionTest extends StoreTest {

  private static <T> T required(@Nullable T object) {
    assertNotNull(object);
    return object;
  }

  @Test
  void initialValuesOfFieldsAndConstructorsArrive() {
    Order order = store().create(Order.class);
    assertEquals(100, order.getQuantity());
    assertNull(order.getSymbol());
    assertTrue(order.getTags() instanceof PersistentObject);
    order.getTags().put("k", "v");
    assertEquals(Map.of("k", "v"), order.getTags());
    assertEquals(List.of(), order.getChildren());
  }

  @Test
  void aPlainObjectArrivesWithAllItHolds() {
    Order plain = new Order(5);
    plain.setSymbol("PETR4");
    plain.setPrice(new BigDecimal("38.45"));
    plain.setSide(Order.Side.SELL);
    plain.getTags().put("nested", List.of("a", Map.of("b", new Order(6))));
    plain.getChildren().add(new Order(7));
    Order root = store().root(Order.class);
    root.setParent(plain);
    assertNotSame(plain, root.getParent());
    reopen();
    Order read = required(store().root(Order.class).getParent());
    assertEquals(5, read.getId());
    assertEquals("PETR4", read.getSymbol());
    assertEquals(new BigDecimal("38.45"), read.getPrice());
    assertEquals(Order.Side.SELL, read.getSide());
    assertEquals(-100, read.signedQuantity());
    assertEquals(7, read.getChildren().getFirst().getId());
    List<?> nested = (List<?>) read.getTags().get("nested");
    assertNotNull(nested);
    assertEquals("a", nested.get(0));
    assertEquals(6, ((Order) required(((Map<?, ?>) nested.get(1)).get("b"))).getId());
  }

  @Test
  void whatIsSharedStaysSharedAndCyclesEnd() {
    Order a = new Order(1);
    Order b = new Order(2);
    a.setParent(b);
    b.setParent(a);
    a.setNote(b);
    a.getChildren().add(b);
    a.getChildren().add(a);
    b.setTags(a.getTags());
    a.getTags().put("self", a.getTags());
    Order root = store().root(Order.class);
    root.setParent(a);
    Order pa = required(root.getParent());
    Order pb = required(pa.getParent());
    assertSame(pa, pb.getParent());
    assertSame(pb, pa.getNote());
    assertSame(pb, pa.getChildren().get(0));
    assertSame(pa, pa.getChildren().get(1));
    assertSame(pa.getTags(), pb.getTags());
    assertSame(pa.getTags(), pa.getTags().get("self"));
  }

  @Test
  void aPlainObjectThatTwoTransactionsConvertAtATimeHasOneTwin() throws Exception {
    Order root = store().root(Order.class);
    Order one = store().create(Order.class);
    root.setChildren(new ArrayList<>(List.of(one)));
    Order shared = new Order(1);
    Order other = new Order(2);
    shared.setParent(other);
    shared.getChildren().add(other);
    int[] runs = new int[1];
    store()
        .transaction(
            () -> {
              root.setParent(shared);
              if (runs[0]++ == 0) { // while both are converted here, another thread converts one
                Thread thread = new Thread(() -> one.setParent(other));
                thread.start();
                thread.join();
              }
            });
    Order twin = required(root.getParent());
    assertSame(one.getParent(), twin.getParent());
    assertSame(one.getParent(), twin.getChildren().getFirst());
    assertEquals(2, runs[0]);
    root.setNote(shared);
    assertSame(twin, root.getNote());
    root.setNote(other);
    assertSame(one.getParent(), root.getNote());
  }

  @Test
  void manyThreadsThatStoreTheSamePlainObjectsShareTheirTwins() throws Exception {
    Order root = store().root(Order.class);
    for (int round = 0; round < 50; round++) {
      Order shared = new Order(round);
      Order other = new Order(-round);
      shared.setParent(other);
      other.setParent(shared);
      shared.getChildren().add(other);
      List<Callable<@Nullable Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String key = "k" + i;
        Order first = i % 2 == 0 ? shared : other;
        tasks.add(
            () -> {
              root.getTags().put(key, first);
              return null;
            });
      }
      try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
        for (Future<?> done : pool.invokeAll(tasks)) {
          done.get();
        }
      }
      Order twin = (Order) required(root.getTags().get("k0"));
      assertSame(twin, root.getTags().get("k2"));
      assertSame(root.getTags().get("k1"), root.getTags().get("k3"));
      assertSame(root.getTags().get("k1"), twin.getParent());
      assertSame(twin, required(twin.getParent()).getParent());
      root.setNote(shared);
      assertSame(twin, root.getNote());
    }
  }

  @Test
  void aChainOfAMillionObjectsNeedsNoStack() {
    int length = 1_000_000;
    Order first = new Order(0);
    first.setTags(new HashMap<>());
    List<Order> none = new ArrayList<>();
    Map<String, Object> empty = new HashMap<>();
    Order last = first;
    for (int i = 1; i < length; i++) {
      Order next = new Order(i);
      next.setChildren(none);
      next.setTags(empty);
      last.setParent(next);
      last = next;
    }
    Order root = store().root(Order.class);
    root.setParent(first);
    int count = 0;
    for (Order order = root.getParent(); order != null; order = order.getParent()) {
      assertEquals(count++, order.getId());
    }
    assertEquals(length, count);
  }

  @Test
  void anOriginalAssignedAgainGivesTheSameTwin() {
    Order root = store().root(Order.class);
    Order plain = new Order(1);
    List<Order> list = new ArrayList<>(List.of(plain));
    root.setParent(plain);
    Order twin = required(root.getParent());
    root.setNote(plain);
    assertSame(twin, root.getNote());
    root.setChildren(list);
    assertSame(twin, root.getChildren().getFirst());
    List<Order> children = root.getChildren();
    root.setNote(list);
    assertSame(children, root.getNote());
    twin.setQuantity(5);
    root.setParent(plain);
    assertEquals(5, twin.getQuantity(), "the twin's own changes are no changes of the original");
    Order other = new Order(2);
    other.setParent(plain);
    root.setNote(other);
    assertSame(twin, ((Order) root.getNote()).getParent());
  }

  /** That {@code List.of()} is the same list each time is no wish to share one. */
  @Test
  void theEmptyCollectionsOfTheJdkAreNotShared() {
    Order a = new Order(1);
    a.setChildren(List.of());
    a.setTags(Map.of());
    a.setNote(new ArrayList<>(List.of(Set.of(), Set.of())));
    Order root = store().root(Order.class);
    root.setChildren(List.of());
    root.setParent(a);
    root.setParent(a); // unchanged
    Order twin = required(root.getParent());
    root.getChildren().add(twin);
    assertEquals(List.of(), twin.getChildren());
    twin.getTags().put("a", 1);
    root.setTags(Map.of());
    assertEquals(Map.of(), root.getTags());
    List<?> sets = (List<?>) required(twin.getNote());
    assertNotSame(sets.get(0), sets.get(1));
    reopen();
    assertEquals(1, store().root(Order.class).getChildren().size());
    assertEquals(List.of(), required(store().root(Order.class).getParent()).getChildren());
  }

  @Test
  void anOriginalThatWasChangedSinceIsRefused() {
    Order root = store().root(Order.class);
    Order plain = new Order(1);
    root.setParent(plain);
    plain.setQuantity(7);
    String message =
        assertThrows(NotPersistableException.class, () -> root.setParent(plain)).getMessage();
    assertTrue(
        message.startsWith(
            "order.parent is a plain object that was converted before, and property quantity"
                + " changed"),
        message);
    plain.setQuantity(100);
    root.setParent(plain);
    plain.setParent(new Order(2));
    assertThrows(NotPersistableException.class, () -> root.setNote(plain));
    plain.setParent(null);
    root.setNote(plain);
    plain.getChildren().add(plain);
    assertThrows(NotPersistableException.class, () -> root.setNote(plain), "a collection it holds");
    plain.getChildren().clear();
    root.setNote(plain);
    Map<String, Object> tags = new HashMap<>(Map.of("a", 1));
    root.setTags(tags);
    tags.put("a", 2);
    assertThrows(NotPersistableException.class, () -> root.setTags(tags));
    assertEquals(1, root.getTags().get("a"));
  }

  @Test
  void whatCannotBeStoredIsNamedWithItsPathAndNothingIsWritten() {
    Order root = store().root(Order.class);
    Order plain = new Order();
    plain.setNote(new StringBuilder());
    Map<String, Object> tags = new HashMap<>();
    tags.put("seven", List.of("fine", plain));
    String message =
        assertThrows(NotPersistableException.class, () -> root.setTags(tags)).getMessage();
    assertTrue(
        message.startsWith(
            "order.tags[seven][1].note is of class java.lang.StringBuilder, which is neither"),
        message);
    assertTrue(root.getTags().isEmpty());
    message =
        assertThrows(NotPersistableException.class, () -> root.getTags().put("x", plain))
            .getMessage();
    assertTrue(message.startsWith("order.note is of class java.lang.StringBuilder"), message);
    assertThrows(
        NotPersistableException.class, () -> root.setTags(new TreeMap<>((one, other) -> 0)));
    assertThrows(NotPersistableException.class, () -> root.setNote(new AtomicInteger()));
    assertThrows(NotPersistableException.class, () -> root.setNote(new BigDecimal("1") {}));
    assertNull(root.getNote());
    plain.setNote("fine now");
    root.setTags(tags);
    assertEquals(
        "fine now", ((Order) ((List<?>) required(root.getTags().get("seven"))).get(1)).getNote());
  }

  @Test
  void aFailedConversionLeavesItsTransactionIntact() {
    Order root = store().root(Order.class);
    Order good = new Order(1);
    Order bad = new Order(2);
    bad.setParent(good);
    bad.setNote(new Object());
    store()
        .transaction(
            () -> {
              root.setQuantity(1);
              assertThrows(NotPersistableException.class, () -> root.setParent(bad));
              root.setNote(good);
            });
    assertEquals(1, root.getQuantity());
    assertNull(root.getParent());
    assertEquals(1, ((Order) required(root.getNote())).getId());
  }

  @Test
  void aRollBackForgetsTwins() {
    Order root = store().root(Order.class);
    Order plain = new Order(1);
    Order[] twin = new Order[1];
    assertThrows(
        IllegalArgumentException.class,
        () ->
            store()
                .transaction(
                    () -> {
                      root.setParent(plain);
                      twin[0] = required(root.getParent());
                      assertSame(twin[0], root.getParent());
                      root.setNote(plain);
                      assertSame(twin[0], root.getNote());
                      throw new IllegalArgumentException();
                    }));
    assertNull(root.getParent());
    assertThrows(RolledBackException.class, twin[0]::getId);
    assertThrows(RolledBackException.class, () -> twin[0].setId(3));
    assertThrows(RolledBackException.class, () -> root.setParent(twin[0]));
    plain.setQuantity(3); // not converted, so it may change
    root.setParent(plain);
    assertEquals(3, required(root.getParent()).getQuantity());
    assertNotSame(twin[0], root.getParent());
  }

  @Test
  void newObjectsOfARolledBackTransactionGiveTheirPlaceToOthers() {
    Order root = store().root(Order.class);
    for (int i = 0; i < 50; i++) {
      int n = i;
      List<Order> dead = new ArrayList<>();
      assertThrows(
          IllegalArgumentException.class,
          () ->
              store()
                  .transaction(
                      () -> {
                        Order made = store().create(Order.class);
                        dead.add(made);
                        dead.add(required(made));
                        throw new IllegalArgumentException();
                      }));
      Values values = store().create(Values.class);
      values.setNumber(n);
      root.setNote(values);
      assertSame(values, root.getNote());
      assertThrows(RolledBackException.class, dead.getFirst()::getId);
    }
  }

  @Test
  void persistentKeysAreFoundByIdentityOrByTheirOwnEquality() {
    Order root = store().root(Order.class);
    Map<Object, String> map = new HashMap<>();
    Order byIdentity = new Order(1);
    Ticker byValue = new Ticker("PETR4");
    map.put(byIdentity, "identity");
    map.put(byValue, "value");
    map.put(Order.Side.BUY, "enum");
    root.setNote(map);
    for (int i = 0; i < 2; i++) {
      Map<?, ?> stored = (Map<?, ?>) required(store().root(Order.class).getNote());
      assertEquals("value", stored.get(new Ticker("PETR4")));
      assertNull(stored.get(new Ticker("VALE3")));
      assertNull(stored.get(new Order(1)));
      assertEquals("enum", stored.get(Order.Side.BUY));
      for (Object key : stored.keySet()) {
        assertTrue(stored.containsKey(key), key::toString);
      }
      if (i == 0) {
        assertEquals("identity", stored.get(byIdentity), "an original stands for its twin");
      }
      reopen();
    }
  }
}
