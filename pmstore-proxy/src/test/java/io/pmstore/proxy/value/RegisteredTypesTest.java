package io.pmstore.proxy.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.PmStoreOptions;
import io.pmstore.ValueCodec;
import io.pmstore.proxy.fixture.StoreTest;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Currency;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Value types from other libraries that a program registers. */
@SuppressWarnings("NullAway") // what was set is there
class RegisteredTypesTest extends StoreTest {

  /** A type of money as libraries have it. */
  static class Money implements Comparable<Money> {
    private final BigDecimal amount;
    private final Currency currency;

    Money(BigDecimal amount, Currency currency) {
      this.amount = amount;
      this.currency = currency;
    }

    static Money parse(String text) {
      String[] parts = text.split(" ", -1);
      return new Money(new BigDecimal(parts[1]), Currency.getInstance(parts[0]));
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Money other
          && amount.equals(other.amount)
          && currency.equals(other.currency);
    }

    @Override
    public int hashCode() {
      return amount.hashCode() * 31 + currency.getCurrencyCode().hashCode();
    }

    @Override
    public int compareTo(Money other) {
      return amount.compareTo(other.amount);
    }

    @Override
    public String toString() {
      return currency + " " + amount;
    }
  }

  /** Has more than its superclass, whose codec does not know it. */
  static class Price extends Money {
    Price(Money money) {
      super(money.amount, money.currency);
    }
  }

  /** Has no {@code equals}. */
  static final class Point {
    final double x;
    final double y;

    Point(double x, double y) {
      this.x = x;
      this.y = y;
    }
  }

  record Line(Money money, @Nullable Money[] others) {}

  @Persistent(root = "invoice")
  static class Invoice {
    private @Nullable Money total;
    private @Nullable Object anything;
    private @Nullable Line line;
    private Money[] parts = {};
    private List<Money> list = new ArrayList<>();
    private Map<Object, String> map = new HashMap<>();
    private Map<Money, String> sorted = new TreeMap<>();
    private Set<Money> set = new HashSet<>();

    @Nullable Money getTotal() {
      return total;
    }

    void setTotal(@Nullable Money total) {
      this.total = total;
    }

    @Nullable Object getAnything() {
      return anything;
    }

    void setAnything(@Nullable Object anything) {
      this.anything = anything;
    }

    @Nullable Line getLine() {
      return line;
    }

    void setLine(@Nullable Line line) {
      this.line = line;
    }

    Money[] getParts() {
      return parts;
    }

    void setParts(Money[] parts) {
      this.parts = parts;
    }

    List<Money> getList() {
      return list;
    }

    Map<Object, String> getMap() {
      return map;
    }

    Map<Money, String> getSorted() {
      return sorted;
    }

    Set<Money> getSet() {
      return set;
    }
  }

  @Persistent(root = "plain")
  interface Anything {
    @Nullable Object getValue();

    void setValue(@Nullable Object value);

    @Nullable String getOther();

    void setOther(@Nullable String other);
  }

  @Persistent
  static class OfBits {
    private final BitSet bits = new BitSet();

    BitSet getBits() {
      return bits;
    }
  }

  private static final ValueCodec<Money> MONEY =
      ValueCodec.ofText("money", Money::toString, Money::parse);
  private static final ValueCodec<Point> POINT =
      ValueCodec.ofText("point", p -> p.x + " " + p.y, RegisteredTypesTest::point);
  private static final PmStoreOptions OPTIONS =
      PmStoreOptions.defaults()
          .valueType(Money.class, MONEY)
          .valueType(Point.class, POINT)
          .valueType(BitSet.class, new BitsCodec());

  private static Point point(String text) {
    String[] parts = text.split(" ", -1);
    return new Point(Double.parseDouble(parts[0]), Double.parseDouble(parts[1]));
  }

  private static final class BitsCodec implements ValueCodec<BitSet> {
    @Override
    public String name() {
      return "bits";
    }

    @Override
    public byte[] encode(BitSet value) {
      return value.toByteArray();
    }

    @Override
    public BitSet decode(int version, byte[] bytes) {
      return BitSet.valueOf(bytes);
    }
  }

  private static Money brl(String amount) {
    return new Money(new BigDecimal(amount), Currency.getInstance("BRL"));
  }

  @Test
  void aRegisteredValueIsKeptWhereverAValueIs() {
    reopen(OPTIONS);
    Invoice invoice = store().root(Invoice.class);
    Money five = brl("5.00");
    store()
        .transaction(
            () -> {
              invoice.setTotal(five);
              invoice.setAnything(List.of(five, new Money[] {five}));
              invoice.setLine(new Line(five, new @Nullable Money[] {null, brl("7")}));
              invoice.setParts(new Money[] {five});
              for (int i = 0; i < 100; i++) {
                invoice.getList().add(brl("" + i));
                invoice.getMap().put(brl("" + i), "number " + i);
                invoice
                    .getMap()
                    .put(new Line(brl("" + i), new @Nullable Money[0]).money(), "m" + i);
                invoice.getSorted().put(brl("" + (100 - i)), "number " + i);
                invoice.getSet().add(brl("" + i));
                invoice.getSet().add(brl("" + i));
              }
            });
    for (int i = 0; i < 2; i++) {
      Invoice found = store().root(Invoice.class);
      assertEquals(five, found.getTotal());
      assertNotSame(found.getTotal(), found.getTotal());
      assertEquals(five, ((List<?>) found.getAnything()).getFirst());
      assertEquals(five, found.getLine().money());
      assertEquals(brl("7"), found.getLine().others()[1]);
      assertEquals(five, found.getParts()[0]);
      assertTrue(found.getList().contains(brl("99")));
      assertEquals(100, found.getMap().size());
      assertEquals("m42", found.getMap().get(brl("42")));
      assertEquals(brl("1"), found.getSorted().keySet().iterator().next());
      assertEquals("number 0", found.getSorted().get(brl("100")));
      assertEquals(100, found.getSet().size());
      assertTrue(found.getSet().remove(brl("0")));
      assertTrue(found.getSet().add(brl("0")));
      reopen(OPTIONS);
    }
  }

  @Test
  void withoutTheCodecOnlyTheDataThatNeedsItIsRefused() {
    reopen(OPTIONS);
    store().root(Invoice.class).setTotal(brl("5"));
    Anything anything = store().root(Anything.class);
    anything.setValue(brl("6"));
    anything.setOther("other");
    reopen();
    Anything found = store().root(Anything.class);
    assertEquals("other", found.getOther());
    String ofValue = assertThrows(ClassRefusedException.class, found::getValue).getMessage();
    assertTrue(
        ofValue.contains("value type \"money\", of class " + Money.class.getName()), ofValue);
    assertTrue(ofValue.contains("PmStoreOptions.valueType("), ofValue);
    String ofClass =
        assertThrows(ClassRefusedException.class, () -> store().root(Invoice.class)).getMessage();
    assertTrue(ofClass.contains(" is of type " + Money.class.getName()), ofClass);
    assertTrue(ofClass.contains("PmStoreOptions.valueType"), ofClass);
    found.setOther("goes on");
    reopen(OPTIONS);
    assertEquals(brl("6"), store().root(Anything.class).getValue());
    assertEquals(brl("5"), store().root(Invoice.class).getTotal());
    assertEquals("goes on", store().root(Anything.class).getOther());
  }

  /** A codec whose every version encodes in its own way. */
  private record Versioned(int version) implements ValueCodec<Money> {
    @Override
    public String name() {
      return "money";
    }

    @Override
    public byte[] encode(Money value) {
      return ("v" + version + " " + value).getBytes(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Override
    public Money decode(int of, byte[] bytes) {
      String text = new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
      assertTrue(text.startsWith("v" + of + " "), text);
      return Money.parse(text.substring(3));
    }
  }

  private static PmStoreOptions version(int version) {
    return PmStoreOptions.defaults().valueType(Money.class, new Versioned(version));
  }

  @Test
  void aLaterVersionDecodesWhatAnEarlierOneEncodedAndTheOtherWayRoundIsRefused() {
    reopen(version(1));
    store().root("a", Anything.class).setValue(brl("1"));
    reopen(version(2));
    assertEquals(brl("1"), store().root("a", Anything.class).getValue());
    store().root("b", Anything.class).setValue(brl("2"));
    assertEquals(brl("2"), store().root("b", Anything.class).getValue());
    reopen(version(1));
    assertEquals(brl("1"), store().root("a", Anything.class).getValue());
    String message =
        assertThrows(
                ClassRefusedException.class, () -> store().root("b", Anything.class).getValue())
            .getMessage();
    assertTrue(message.contains("in version 2") && message.contains("has version 1"), message);
  }

  private static ValueCodec<Money> broken(
      java.util.function.Function<Money, byte[]> encode,
      java.util.function.Function<byte[], Money> decode) {
    return new ValueCodec<>() {
      @Override
      public String name() {
        return "broken";
      }

      @Override
      public byte[] encode(Money value) {
        return encode.apply(value);
      }

      @Override
      public Money decode(int version, byte[] bytes) {
        return decode.apply(bytes);
      }
    };
  }

  @Test
  void aCodecThatDoesNotKeepTheValueIsNamedAtTheWrite() {
    byte[] some = {1};
    assertRefused(broken(m -> null, b -> brl("1")), "encodes it as null");
    assertRefused(broken(m -> some, b -> null), "decodes null");
    assertRefused(broken(m -> some, b -> brl("2")), "decodes another value, BRL 2");
    assertRefused(
        broken(m -> some, b -> new Price(brl("1"))),
        "decodes an object of class " + Price.class.getName());
    assertRefused(
        broken(
            m -> {
              throw new IllegalStateException("no");
            },
            b -> brl("1")),
        "throws java.lang.IllegalStateException: no when it encodes it");
    assertRefused(
        broken(
            m -> some,
            b -> {
              throw new IllegalStateException("no");
            }),
        "throws java.lang.IllegalStateException: no when it decodes what it has encoded");
  }

  private void assertRefused(ValueCodec<Money> codec, String what) {
    reopen(PmStoreOptions.defaults().valueType(Money.class, codec));
    Anything anything = store().root(Anything.class);
    String message =
        assertThrows(NotPersistableException.class, () -> anything.setValue(brl("1"))).getMessage();
    assertTrue(message.contains("the codec \"broken\" of " + Money.class.getName()), message);
    assertTrue(message.contains(what), message);
    assertNull(anything.getValue());
  }

  @Test
  void aSubclassThatTheCodecDoesNotKnowIsRefused() {
    reopen(OPTIONS);
    Anything anything = store().root(Anything.class);
    assertThrows(NotPersistableException.class, () -> anything.setValue(new Price(brl("1"))));
  }

  @Test
  void aCodecThatCanNoLongerDecodeIsNamedAtTheRead() {
    reopen(OPTIONS);
    store().root(Anything.class).setValue(brl("1"));
    reopen(
        PmStoreOptions.defaults()
            .valueType(
                Money.class,
                ValueCodec.ofText(
                    "money",
                    Money::toString,
                    text -> {
                      throw new IllegalStateException("forgotten");
                    })));
    Anything anything = store().root(Anything.class);
    String message = assertThrows(PmStoreException.class, anything::getValue).getMessage();
    assertTrue(
        message.contains("the codec \"money\" of ") && message.contains("forgotten"), message);
  }

  @Test
  void aTypeWithoutEqualsIsKeptButIsNoKey() {
    reopen(OPTIONS);
    Anything anything = store().root(Anything.class);
    anything.setValue(new Point(1.5, -2));
    reopen(OPTIONS);
    Point point = (Point) store().root(Anything.class).getValue();
    assertEquals(1.5, point.x);
    assertEquals(-2, point.y);
    Invoice invoice = store().root(Invoice.class);
    assertThrows(NotPersistableException.class, () -> invoice.getMap().put(point, "x"));
  }

  @Test
  void aTypeWithoutEqualsIsKeptInPlainObjects() {
    reopen(OPTIONS);
    Anything anything = store().root(Anything.class);
    anything.setValue(new ArrayList<>(List.of(new Point(1.5, -2))));
    assertEquals(1.5, ((Point) ((List<?>) anything.getValue()).get(0)).x);
    List<Object> plain = new ArrayList<>(List.of(new Point(3, 4)));
    store()
        .transaction(
            () -> {
              anything.setValue(plain);
              plain.set(0, new Point(5, 4));
            });
    assertEquals(5, ((Point) ((List<?>) anything.getValue()).get(0)).x);
  }

  /** What can change is a copy at each read, and an original that changed is noticed. */
  @Test
  void aRegisteredTypeThatCanChangeIsCopied() {
    reopen(OPTIONS);
    OfBits plain = new OfBits();
    plain.getBits().set(3);
    Anything anything = store().root(Anything.class);
    anything.setValue(plain);
    OfBits kept = (OfBits) anything.getValue();
    assertTrue(kept.getBits().get(3));
    kept.getBits().set(4);
    assertFalse(kept.getBits().get(4));
    plain.getBits().set(5);
    assertThrows(NotPersistableException.class, () -> anything.setValue(plain));
  }

  @Test
  void whatCannotBeRegisteredIsRefused() {
    PmStoreOptions options = PmStoreOptions.defaults().valueType(Money.class, MONEY);
    assertThrows(IllegalArgumentException.class, () -> options.valueType(Money.class, MONEY));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            options.valueType(Price.class, ValueCodec.ofText("money", Price::toString, t -> null)));
    assertThrows(
        IllegalArgumentException.class,
        () -> options.valueType(Point.class, ValueCodec.ofText("", Point::toString, t -> null)));
    assertThrows(
        IllegalArgumentException.class,
        () -> options.valueType(Line.class, ValueCodec.ofText("line", Line::toString, t -> null)));
    PmStoreOptions ofString =
        options.valueType(String.class, ValueCodec.ofText("string", s -> s, s -> s));
    assertThrows(IllegalArgumentException.class, () -> reopen(ofString));
  }

  @Test
  void aRolledBackValueIsGone() {
    reopen(OPTIONS);
    Anything anything = store().root(Anything.class);
    anything.setValue(brl("1"));
    rolledBack(() -> anything.setValue(brl("2")));
    assertEquals(brl("1"), anything.getValue());
  }
}
