package io.pmstore.proxy.slot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.proxy.fixture.Isin;
import io.pmstore.proxy.fixture.Order;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.slot.Shipment.Caseless;
import io.pmstore.proxy.slot.Shipment.Chain;
import io.pmstore.proxy.slot.Shipment.Copied;
import io.pmstore.proxy.slot.Shipment.Mixed;
import io.pmstore.proxy.slot.Shipment.Money;
import io.pmstore.spi.PersistentObject;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Records and arrays are values: a store keeps their contents, not their identity. */
class EmbeddedValuesTest extends StoreTest {
  private static final Money FIVE = new Money(new BigDecimal("5.00"), "BRL");

  private static <T> T required(@Nullable T object) {
    assertNotNull(object);
    return object;
  }

  private Shipment shipment() {
    return store().root(Shipment.class);
  }

  private static Mixed mixed(@Nullable Order order, @Nullable Object anything) {
    return new Mixed(
        true,
        Byte.MIN_VALUE,
        Short.MIN_VALUE,
        '\ud800',
        Integer.MIN_VALUE,
        Long.MIN_VALUE,
        -0.0f,
        Double.MIN_VALUE,
        Order.Side.SELL,
        order,
        order == null ? null : new ArrayList<>(Arrays.asList(order, null, FIVE)),
        FIVE,
        anything);
  }

  static Stream<Arguments> values() {
    return Stream.<Object>of(
            FIVE,
            new Money(new BigDecimal("-1"), ""),
            mixed(null, null),
            mixed(null, mixed(null, "deeper")),
            new Mixed(false, (byte) 0, (short) 0, '\0', 0, 0, 0, 0, null, null, null, null, null),
            new Chain<>(1, new Chain<>(2, null)),
            new Copied(List.of("a", "b")),
            new Caseless("x"),
            new boolean[] {true, false},
            new byte[] {1, -1, 0},
            new byte[0],
            new byte[1_000_000],
            new short[] {Short.MIN_VALUE, 1},
            new char[] {'\0', '\uffff', 'x'},
            new int[] {Integer.MIN_VALUE, 0, 7},
            new long[] {Long.MAX_VALUE, -1},
            new float[] {Float.NaN, -0.0f},
            new double[] {Double.NEGATIVE_INFINITY, Double.NaN, 1},
            new double[0],
            new Object[0],
            new @Nullable Object[] {1, "two", null, FIVE, new int[] {3}, Order.Side.BUY},
            new @Nullable String[] {"a", null, "a much longer string than fits in line"},
            new int[][] {{1, 2}, {}, {3}},
            new Money[] {FIVE},
            new Order.Side[] {Order.Side.BUY},
            new Object[][] {{"a"}, {new String[] {"b"}}},
            URI.create("https://example.org/a?b=c#d"),
            Locale.forLanguageTag("pt-BR"),
            Locale.ROOT,
            Currency.getInstance("BRL"),
            Date.from(Instant.ofEpochMilli(-5)))
        .map(value -> Arguments.of(new Object[] {value}));
  }

  @ParameterizedTest
  @MethodSource("values")
  void valuesComeBackEqualAndOfTheSameClass(Object value) {
    shipment().setNote(value);
    for (int i = 0; i < 2; i++) {
      check(value, shipment().getNote());
      check(value, store().call(shipment()::getNote));
      reopen();
    }
    shipment().setNote(List.of(value, value));
    reopen();
    check(value, ((List<?>) required(shipment().getNote())).get(1));
    shipment().setNote(null);
    assertNull(shipment().getNote());
  }

  private static void check(Object expected, @Nullable Object found) {
    assertNotNull(found);
    assertSame(expected.getClass(), found.getClass());
    assertTrue(Objects.deepEquals(expected, found), found::toString);
  }

  @Test
  void propertiesOfRecordAndArrayTypes() {
    Shipment shipment = shipment();
    shipment.setPrice(FIVE);
    shipment.setNumbers(new int[] {1, 2, 3});
    shipment.setNames(new String[] {"a", "b"});
    shipment.setMatrix(new int[][] {{1}, {2, 3}});
    reopen();
    assertEquals(FIVE, shipment().getPrice());
    assertArrayEquals(new int[] {1, 2, 3}, shipment().getNumbers());
    assertArrayEquals(new String[] {"a", "b"}, shipment().getNames());
    assertArrayEquals(new int[][] {{1}, {2, 3}}, shipment().getMatrix());
    assertNull(shipment().getOrders());
  }

  @Test
  void anArrayIsCopiedWhenItIsSetAndWhenItIsGot() {
    int[] mine = {1, 2};
    shipment().setNumbers(mine);
    mine[0] = 9;
    int[] got = required(shipment().getNumbers());
    assertEquals(1, got[0]);
    got[0] = 8;
    assertEquals(1, required(shipment().getNumbers())[0]);
    shipment().setNumbers(got);
    assertEquals(8, required(shipment().getNumbers())[0]);
  }

  @Test
  void whatAPartRefersToIsConvertedAndKeepsItsIdentity() {
    Order order = new Order(7);
    order.setNote(new Chain<>(order, null));
    shipment().setMixed(mixed(order, new Object[] {order}));
    shipment().setOrders(new Order[] {order, order});
    for (int i = 0; i < 2; i++) {
      Mixed mixed = required(shipment().getMixed());
      Order twin = required(mixed.order());
      assertTrue(twin instanceof PersistentObject);
      assertEquals(7, twin.getId());
      assertSame(twin, required(mixed.list()).getFirst());
      assertEquals(FIVE, required(mixed.list()).get(2));
      assertSame(twin, ((Object[]) required(mixed.anything()))[0]);
      assertSame(twin, required(shipment().getOrders())[1]);
      assertSame(twin, ((Chain<?>) required(twin.getNote())).head());
      if (i == 0) {
        shipment().setNote(order);
        assertSame(twin, shipment().getNote(), "the original is remembered");
      }
      reopen();
    }
  }

  @Test
  void recordsAreKeysByTheirEquality() {
    Order order = new Order(1);
    Order other = new Order(2);
    Map<Object, String> map = new HashMap<>();
    map.put(FIVE, "money");
    map.put(new Chain<>(Order.Side.SELL, new Chain<>(null, null)), "side");
    map.put(new Chain<>(order, null), "order");
    map.put(new Caseless("Key"), "caseless");
    shipment().setNote(map);
    for (int i = 0; i < 2; i++) {
      Map<?, ?> stored = (Map<?, ?>) required(shipment().getNote());
      assertEquals("money", stored.get(new Money(new BigDecimal("5.00"), "BRL")));
      assertNull(stored.get(new Money(new BigDecimal("5.0"), "BRL")));
      assertEquals("side", stored.get(new Chain<>(Order.Side.SELL, new Chain<>(null, null))));
      assertEquals("caseless", stored.get(new Caseless("kEY")));
      assertNull(stored.get(new Chain<>(other, null)));
      if (i == 0) {
        assertEquals("order", stored.get(new Chain<>(order, null)), "a twin stands for it");
        assertEquals("order", stored.get(new Chain<>(store().persist(order), null)));
      }
      for (Object key : stored.keySet()) {
        assertTrue(stored.containsKey(key), key::toString);
      }
      reopen();
    }
  }

  @Test
  @SuppressWarnings("unchecked")
  void theStoredRecordIsAskedWhetherItIsEqual() {
    Map<Object, String> plain = new HashMap<>();
    plain.put(new Chain<>(new Isin("DE0007164600"), null), "SAP");
    plain.put(new Chain<>(null, new Chain<>(new Isin("BRPETRACNPR6"), null)), "Petrobras");
    shipment().setNote(plain);
    for (int i = 0; i < 2; i++) {
      Map<Object, String> stored = (Map<Object, String>) required(shipment().getNote());
      Chain<Isin> sap = new Chain<>(new Isin("DE0007164600"), null);
      assertEquals("SAP", stored.get(sap));
      assertEquals("SAP", stored.put(sap, "SAP"));
      assertEquals(2, stored.size());
      assertTrue(
          stored.containsKey(new Chain<>(null, new Chain<>(new Isin("BRPETRACNPR6"), null))));
      assertFalse(stored.containsKey(new Chain<>(new Isin("BRPETRACNPR6"), null)));
      assertEquals("SAP", stored.remove(sap));
      assertFalse(stored.containsKey(sap));
      stored.put(sap, "SAP");
      reopen();
    }
  }

  @Test
  void anElementThatIsARecordIsFoundAgain() {
    Order order = new Order(1);
    shipment().setNote(new ArrayList<>(List.of(FIVE, new Chain<>(order, null))));
    List<?> list = (List<?>) required(shipment().getNote());
    assertEquals(0, list.indexOf(new Money(new BigDecimal("5.00"), "BRL")));
    assertEquals(1, list.indexOf(new Chain<>(order, null)));
    assertFalse(list.contains(new Chain<>(new Order(1), null)));
  }

  @Test
  void arraysAreNoKeys() {
    shipment().setNote(new HashMap<>());
    @SuppressWarnings("unchecked")
    Map<Object, Object> map = (Map<Object, Object>) required(shipment().getNote());
    String message =
        assertThrows(NotPersistableException.class, () -> map.put(new int[] {1}, 1)).getMessage();
    assertTrue(message.startsWith("an array cannot be the key of a map"), message);
    assertTrue(map.isEmpty());
  }

  @Test
  void anArrayThatWasChangedSinceItsOwnersConversionIsNoticed() {
    Order plain = new Order(1);
    Object[] array = {1, new int[] {2}};
    plain.setNote(array);
    Shipment shipment = shipment();
    shipment.setNote(plain);
    shipment.setNote(plain);
    ((int[]) array[1])[0] = 3;
    String message =
        assertThrows(NotPersistableException.class, () -> shipment.setNote(plain)).getMessage();
    assertTrue(message.contains("property note changed"), message);
  }

  @Test
  void partsThatCannotBeStoredAreNamed() {
    Order plain = new Order(1);
    plain.setNote(new Chain<>(new Object[] {"fine", new Thread()}, null));
    Shipment shipment = shipment();
    String message =
        assertThrows(NotPersistableException.class, () -> shipment.setNote(plain)).getMessage();
    assertTrue(
        message.startsWith("shipment.note.note.head[1] is of class java.lang.Thread"), message);
    assertNull(shipment.getNote());
  }

  @Test
  void valuesThatLieInEachOtherWithoutEndAreRefused() {
    Object[] array = new Object[1];
    array[0] = array;
    Shipment shipment = shipment();
    assertThrows(NotPersistableException.class, () -> shipment.setNote(array));
    Chain<Integer> chain = new Chain<>(0, null);
    for (int i = 1; i < 200; i++) {
      chain = new Chain<>(i, chain);
    }
    shipment.setNote(chain);
    assertEquals(chain, shipment.getNote());
    Chain<Integer> longer = new Chain<>(200, chain);
    String message =
        assertThrows(NotPersistableException.class, () -> shipment.setNote(longer)).getMessage();
    assertTrue(message.contains("more than 200 deep"), message);
    assertEquals(chain, shipment.getNote());
  }

  /** A record that no store can keep, inside one that looks harmless. */
  record Harmless(@Nullable Harmless other, Bad bad) {}

  /** A record with a component of no property's type. */
  record Bad(StringBuilder builder) {}

  /** A class with a property of such a type. */
  @Persistent
  interface HasBad {
    Harmless @Nullable [] getAll();

    void setAll(Harmless @Nullable [] all);
  }

  @Test
  void aClassIsRefusedForWhatItsRecordsHold() {
    String message =
        assertThrows(ClassRefusedException.class, () -> store().create(HasBad.class)).getMessage();
    assertTrue(
        message.contains("property all[].bad.builder is of type java.lang.StringBuilder"), message);
    Shipment shipment = shipment();
    assertThrows(ClassRefusedException.class, () -> shipment.setNote(new Bad(new StringBuilder())));
  }

  private static boolean strict;

  /** A record whose constructor changes its mind. */
  record Moody(int number) {
    Moody {
      if (strict && number < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @Test
  void aConstructorThatRefusesWhatWasStoredIsNamed() {
    shipment().setNote(new Moody(-1));
    strict = true;
    try {
      String message =
          assertThrows(PmStoreException.class, () -> shipment().getNote()).getMessage();
      assertTrue(message.contains("Moody refuses [-1]"), message);
    } finally {
      strict = false;
    }
    assertEquals(new Moody(-1), shipment().getNote());
  }

  @Test
  void persistMakesTheTwinThatAssignmentsGive() {
    Order plain = new Order(3);
    plain.getChildren().add(plain);
    Order twin = store().persist(plain);
    assertNotSame(plain, twin);
    assertSame(twin, store().persist(plain));
    assertSame(twin, store().persist(twin));
    assertSame(twin, twin.getChildren().getFirst());
    Shipment shipment = shipment();
    shipment.setNote(plain);
    assertSame(twin, shipment.getNote());
    List<Order> list = store().persist(List.of(plain));
    assertSame(twin, list.getFirst());
    plain.setQuantity(1);
    assertThrows(NotPersistableException.class, () -> store().persist(plain));
    String message =
        assertThrows(NotPersistableException.class, () -> store().persist("text")).getMessage();
    assertTrue(message.contains("a value, which is stored as part of an object"), message);
    assertThrows(NotPersistableException.class, () -> store().persist(new Thread()));
    Store other = new Store();
    String foreign =
        assertThrows(NotPersistableException.class, () -> other.persist(twin)).getMessage();
    assertTrue(foreign.contains("an object of another store"), foreign);
    other.heap.close();
  }

  /** Records that declare their last component with dots. */
  record Varied(int first, Object... others) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Varied that
          && first == that.first
          && Arrays.deepEquals(others, that.others);
    }

    @Override
    public int hashCode() {
      return first;
    }
  }

  record Numbers(int... all) {}

  @Test
  void aRecordMayDeclareItsLastComponentWithDots() {
    for (Object value :
        List.of(new Varied(1, "x", 2), new Varied(1), new Varied(1, (Object) new Object[] {3}))) {
      shipment().setNote(value);
      for (int i = 0; i < 2; i++) {
        assertEquals(value, shipment().getNote());
        shipment().setNote(shipment().getNote());
        reopen();
      }
    }
    shipment().setNote(new Numbers(3, 4));
    reopen();
    assertArrayEquals(new int[] {3, 4}, ((Numbers) required(shipment().getNote())).all());
  }
}
