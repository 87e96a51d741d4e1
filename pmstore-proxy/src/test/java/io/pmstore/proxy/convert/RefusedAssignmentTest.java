package io.pmstore.proxy.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.RolledBackException;
import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.proxy.fixture.StoreTest;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * A program that catches the refusal of a value goes on in the same transaction as if it had not
 * tried: the plain objects that the value reaches are no part of the store.
 */
class RefusedAssignmentTest extends StoreTest {
  record Line(Product product, int count) {}

  record Pair(Object one, Object other) {}

  /** A key whose hash code fails after some calls. */
  record Key(int number) {
    private static int callsLeft = Integer.MAX_VALUE;

    @Override
    public int hashCode() {
      if (callsLeft-- <= 0) {
        throw new IllegalStateException("no hash code");
      }
      return number;
    }
  }

  @Persistent
  static class Product {
    private @Nullable Order order;
    private @Nullable Object any;

    @Nullable Object getAny() {
      return any;
    }

    void setAny(@Nullable Object any) {
      this.any = any;
    }
  }

  /** Its properties are converted in the order of their names. */
  @Persistent
  static class Order {
    private List<Line> lines = new ArrayList<>();
    private Map<String, Line> linesByName = new HashMap<>();
    private @Nullable Object more;

    List<Line> getLines() {
      return lines;
    }
  }

  @Persistent(root = "shop")
  static class Shop {
    private @Nullable Object any;
    private List<Object> list = new ArrayList<>();
    private Map<Object, Object> map = new HashMap<>();
    private String note = "";

    @Nullable Object getAny() {
      return any;
    }

    void setAny(@Nullable Object any) {
      this.any = any;
    }

    List<Object> getList() {
      return list;
    }

    Map<Object, Object> getMap() {
      return map;
    }

    String getNote() {
      return note;
    }

    void setNote(String note) {
      this.note = note;
    }
  }

  private Shop shop() {
    return store().root(Shop.class);
  }

  /** A transaction that is the first to store a class may run twice. */
  private void storeAlike() {
    shop().setAny(new Pair(new Product(), new Order()));
    shop().setAny(null);
  }

  private void refused(Executable assignment) {
    assertThrows(NotPersistableException.class, assignment);
  }

  private static Product product(List<Object> products, Order order) {
    Product product = new Product();
    product.order = order;
    products.add(product);
    return product;
  }

  @Test
  void objectsInRecordsOfCollectionsThatReferBackArePlainAgain() {
    storeAlike();
    List<Object> products = new ArrayList<>();
    Order order = new Order();
    order.lines.add(new Line(product(products, order), 1));
    order.linesByName.put("a", new Line(product(products, order), 2));
    order.more = new ArrayList<>(List.of(new ArrayList<>(List.of(new Object()))));
    store()
        .transaction(
            () -> {
              shop().setNote("before");
              refused(() -> shop().setAny(order));
              shop().getList().add("after");
            });
    assertEquals("before", shop().getNote());
    assertEquals(List.of("after"), shop().getList());
    assertNull(shop().getAny());

    order.more = null;
    products.forEach(product -> ((Product) product).setAny("changed"));
    shop().setAny(order);
    Order stored = (Order) Objects.requireNonNull(shop().getAny());
    assertEquals("changed", stored.getLines().getFirst().product().getAny());
  }

  @Test
  void whatARefusedRecordHasMayChange() {
    storeAlike();
    Product good = new Product();
    List<Executable> assignments =
        List.of(
            () -> shop().setAny(new Pair(good, new Object())),
            () -> shop().setAny(new Pair(new Pair(good, 1), new Object())),
            () -> shop().setAny(new Object[] {good, new Object()}),
            () -> shop().setAny(List.of(new Pair(good, new Object()))),
            () -> shop().getList().add(new Pair(good, new Object())),
            () -> shop().getList().add(new Object[] {good, new Object()}),
            () -> shop().getMap().put(new Pair(good, new Object()), 1),
            () -> shop().getMap().put(1, new Pair(good, new Object())));
    for (Executable assignment : assignments) {
      store()
          .transaction(
              () -> {
                refused(assignment);
                good.setAny(new Object()); // which no store keeps
                shop().setNote("stored");
              });
      assertEquals("stored", shop().getNote());
      shop().setNote("");
      good.setAny(null);
    }
    good.setAny("at last");
    shop().getList().add(new Pair(good, 1));
    Pair stored = (Pair) shop().getList().getFirst();
    assertEquals("at last", ((Product) stored.one()).getAny());
    assertTrue(shop().getMap().isEmpty());
  }

  @Test
  void whatALateChangeRefersToStaysPersistent() {
    storeAlike();
    for (boolean isElement : new boolean[] {true, false}) {
      Product good = new Product();
      store()
          .transaction(
              () -> {
                List<Object> list = new ArrayList<>();
                shop().setAny(list);
                list.add(good); // the refused value has it too, and has the change stored
                Object[] value = {good, list, new Object()};
                if (isElement) {
                  refused(() -> shop().getList().add(value));
                } else {
                  refused(() -> shop().getMap().put(1, new Pair(value, 1)));
                  refused(() -> shop().setAny(value));
                }
                good.setAny("new");
              });
      List<?> stored = (List<?>) Objects.requireNonNull(shop().getAny());
      assertEquals("new", ((Product) stored.getFirst()).getAny());
      shop().getList().add(good);
      assertSame(stored.getFirst(), shop().getList().getLast());
    }
  }

  /** The stored list gets the product while the refused value is being converted. */
  @Test
  void aLateChangeMayReferToWhatTheRefusedValueHas() {
    storeAlike();
    List<UnaryOperator<List<Object>>> refusedValues =
        List.of(
            parts -> parts,
            parts -> new ArrayList<>(List.of(new Pair(parts.getFirst(), 1), parts)),
            parts -> List.of(Map.of(1, parts)),
            parts -> List.of(new HashSet<>(parts)),
            parts -> List.of(new Pair(parts.getFirst(), parts)));
    for (UnaryOperator<List<Object>> refusedValue : refusedValues) {
      Product x = new Product();
      Product owner = new Product();
      List<Object> list = new ArrayList<>();
      Map<Object, Object> map = new HashMap<>();
      store()
          .transaction(
              () -> {
                shop().setAny(new ArrayList<>(List.of(list, map, owner)));
                list.add(x);
                map.put(x, "of x");
                owner.setAny(x);
                List<Object> parts = new ArrayList<>(List.of(x, list, map, owner, new Object()));
                refused(() -> shop().setAny(refusedValue.apply(parts)));
                x.setAny("new");
              });
      List<?> all = (List<?>) Objects.requireNonNull(shop().getAny());
      Product stored = (Product) ((List<?>) all.get(0)).getFirst();
      assertEquals("new", stored.getAny());
      assertEquals("of x", ((Map<?, ?>) all.get(1)).get(stored));
      assertSame(stored, ((Product) all.get(2)).getAny());
      shop().getList().add(x);
      assertSame(stored, shop().getList().getLast());
    }
  }

  @Test
  void recordsThatALateChangeHasAddedStayStored() {
    storeAlike();
    Product good = new Product();
    Product other = new Product();
    store()
        .transaction(
            () -> {
              List<Object> list = new ArrayList<>();
              Product product = new Product();
              shop().setAny(new Pair(list, product));
              list.add(new Pair(good, 1));
              product.setAny(new Pair(other, 1));
              refused(() -> shop().getList().add(new Object[] {product, list, new Object()}));
              good.setAny("new");
              other.setAny("new");
            });
    Pair stored = (Pair) Objects.requireNonNull(shop().getAny());
    Pair element = (Pair) ((List<?>) stored.one()).getFirst();
    assertEquals("new", ((Product) element.one()).getAny());
    Pair property = (Pair) Objects.requireNonNull(((Product) stored.other()).getAny());
    assertEquals("new", ((Product) property.one()).getAny());
  }

  /** The undoing empties the stored map, and cannot fill it again. */
  @Test
  void aLateChangeThatCannotBeUndoneRollsBack() {
    storeAlike();
    shop().getMap().put(new Key(0), 0);
    Map<Object, Object> map = new HashMap<>(Map.of(new Key(1), 1));
    NotPersistableException[] refusals = new NotPersistableException[1];
    try {
      assertThrows(
          RolledBackException.class,
          () ->
              store()
                  .transaction(
                      () -> {
                        shop().setAny(map);
                        map.clear();
                        map.put("new", 2);
                        Key.callsLeft = 2; // for the look-ups that find the change
                        refusals[0] =
                            assertThrows(
                                NotPersistableException.class,
                                () -> shop().getList().add(new Object[] {map, new Object()}));
                      }));
    } finally {
      Key.callsLeft = Integer.MAX_VALUE;
    }
    assertEquals("no hash code", refusals[0].getSuppressed()[0].getMessage());
    assertNull(shop().getAny());
    shop().setAny(map);
    assertEquals(Map.of("new", 2), shop().getAny());
  }

  @Test
  void nothingIsRememberedOfAnAssignmentThatHasEnded() {
    storeAlike();
    for (boolean isPart : new boolean[] {true, false}) {
      List<Object> list = new ArrayList<>();
      store()
          .transaction(
              () -> {
                WeakReference<Object> first = addValue(list);
                shop().setAny(list);
                list.clear();
                shop().setAny(isPart ? new Pair(list, 1) : list); // stores the change
                JavaGarbage.collect(first);
              });
    }
  }

  private static WeakReference<Object> addValue(List<Object> list) {
    BigInteger value = BigInteger.TWO.shiftLeft(100);
    list.add(value);
    return new WeakReference<>(value);
  }
}
