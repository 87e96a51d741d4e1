package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** New objects have what their constructors give them, whether these run each time or once. */
class CreateTest extends StoreTest {
  private static final String LONG =
      "a text that is so long that no slot has room for it, whatever the slot's size may be";

  /** Its constructor assigns constants. */
  @Persistent
  public static class Named {
    private String name = "nobody";
    private @Nullable String remark;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public @Nullable String getRemark() {
      return remark;
    }

    public void setRemark(@Nullable String remark) {
      this.remark = remark;
    }
  }

  /** So does its, and its superclass's. */
  @Persistent
  public static class Fill extends Named {
    private int count = 70_000;
    private long total = -1;
    private double price = 0.5;
    private boolean open = true;
    private char side = 'B';
    private Integer boxed = 7;
    private BigDecimal fee = BigDecimal.valueOf(25, 2);
    private Instant time = Instant.EPOCH;
    private ChronoUnit unit = ChronoUnit.DAYS;
    private Object any = ChronoUnit.WEEKS;
    private transient String cache = "nothing yet";

    public int getCount() {
      return count;
    }

    public void setCount(int count) {
      this.count = count;
    }

    public long getTotal() {
      return total;
    }

    public void setTotal(long total) {
      this.total = total;
    }

    public double getPrice() {
      return price;
    }

    public void setPrice(double price) {
      this.price = price;
    }

    public boolean isOpen() {
      return open;
    }

    public void setOpen(boolean open) {
      this.open = open;
    }

    public char getSide() {
      return side;
    }

    public void setSide(char side) {
      this.side = side;
    }

    public Integer getBoxed() {
      return boxed;
    }

    public void setBoxed(Integer boxed) {
      this.boxed = boxed;
    }

    public BigDecimal getFee() {
      return fee;
    }

    public void setFee(BigDecimal fee) {
      this.fee = fee;
    }

    public Instant getTime() {
      return time;
    }

    public void setTime(Instant time) {
      this.time = time;
    }

    public ChronoUnit getUnit() {
      return unit;
    }

    public void setUnit(ChronoUnit unit) {
      this.unit = unit;
    }

    public Object getAny() {
      return any;
    }

    public void setAny(Object any) {
      this.any = any;
    }

    public String cache() {
      return cache;
    }

    public void remember(String text) {
      cache = text;
    }

    String everything() {
      return String.join(
          " ",
          getName(),
          getRemark(),
          "" + getCount(),
          "" + getTotal(),
          "" + getPrice(),
          "" + isOpen(),
          "" + getSide(),
          "" + getBoxed(),
          "" + getFee(),
          "" + getTime(),
          "" + getUnit(),
          "" + getAny(),
          cache());
    }
  }

  /** The type of the property is an argument. */
  public interface Keyed<T> {
    T getKey();

    void setKey(T key);
  }

  /** Declares both accessors again. */
  @Persistent
  public interface KeyedByName extends Keyed<String> {
    @Override
    String getKey();

    @Override
    void setKey(String key);
  }

  @Test
  void anInterfaceMayDeclareBothAccessorsAgain() {
    KeyedByName named = store().create(KeyedByName.class);
    named.setKey("a");
    assertEquals("a", named.getKey());
    assertEquals("a", ((Keyed<String>) named).getKey());
  }

  @Test
  void everyNewObjectHasTheConstantsOfItsConstructor() {
    String expected = new Fill().everything();
    List<Fill> all = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Fill fill = store().create(Fill.class);
      assertEquals(expected, fill.everything());
      fill.setName("changed");
      fill.setCount(i);
      fill.setTotal(0);
      fill.setPrice(0);
      fill.setOpen(false);
      fill.setSide('S');
      fill.setBoxed(8);
      fill.setFee(BigDecimal.TEN);
      fill.setTime(Instant.MAX);
      fill.setUnit(ChronoUnit.HOURS);
      fill.setAny("something");
      fill.remember("what it was");
      all.add(fill);
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals(i, all.get(i).getCount());
      assertNotSame(all.get(i), all.get((i + 1) % all.size()));
    }
  }

  @Test
  void theNumbersOfEnumConstantsAreThoseOfTheStore() {
    String expected = new Fill().everything();
    rolledBack(() -> assertEquals(expected, store().create(Fill.class).everything()));
    for (int i = 0; i < 3; i++) {
      assertEquals(expected, store().create(Fill.class).everything());
      rolledBack(() -> assertEquals(expected, store().create(Fill.class).everything()));
    }
    Store other = new Store();
    other.create(Named.class);
    other.create(Unit.class);
    for (int i = 0; i < 3; i++) {
      assertEquals(expected, other.create(Fill.class).everything());
    }
    Fill root = store().root("fill", Fill.class);
    assertEquals(expected, root.everything());
    reopen();
    Fill read = store().root("fill", Fill.class);
    read.remember("nothing yet"); // which the store does not keep
    assertEquals(expected, read.everything());
    for (int i = 0; i < 3; i++) {
      assertEquals(expected, store().create(Fill.class).everything());
    }
  }

  /** Gives other constants of the enum the first numbers. */
  @Persistent
  public static class Unit {
    private ChronoUnit unit = ChronoUnit.CENTURIES;
    private Object any = ChronoUnit.ERAS;

    public ChronoUnit getUnit() {
      return unit;
    }

    public void setUnit(ChronoUnit unit) {
      this.unit = unit;
    }

    public Object getAny() {
      return any;
    }

    public void setAny(Object any) {
      this.any = any;
    }
  }

  /** The bean of the classes below. */
  @Persistent
  public static class Value {
    private @Nullable Object value;

    public @Nullable Object getValue() {
      return value;
    }

    public void setValue(@Nullable Object value) {
      this.value = value;
    }
  }

  /** Counts. */
  @Persistent
  public static class Counted extends Value {
    private static final AtomicInteger MADE = new AtomicInteger();

    public Counted() {
      setValue(MADE.incrementAndGet());
    }
  }

  /** Counts in a field. */
  @Persistent
  public static class CountedInField extends Value {
    private static int made;
    private int number = ++made;

    public int getNumber() {
      return number;
    }

    public void setNumber(int number) {
      this.number = number;
    }

    @Override
    public Object getValue() {
      return getNumber();
    }
  }

  /** Has the time. */
  @Persistent
  public static class Timed extends Value {
    private long time = System.nanoTime();

    public long getTime() {
      return time;
    }

    public void setTime(long time) {
      this.time = time;
    }

    @Override
    public Object getValue() {
      return getTime();
    }
  }

  /** Reads a static field that changes. */
  @Persistent
  public static class Configured extends Value {
    static int first;
    private int number = first;

    public int getNumber() {
      return number;
    }

    public void setNumber(int number) {
      this.number = number;
    }

    @Override
    public Object getValue() {
      return getNumber();
    }
  }

  @Test
  void aConstructorThatDoesMoreRunsForEachObject() {
    assertAllDiffer(Counted.class, Counted::getValue);
    assertAllDiffer(CountedInField.class, CountedInField::getValue);
    assertAllDiffer(Timed.class, Timed::getValue);
    assertAllDiffer(
        Configured.class,
        configured -> {
          Configured.first++;
          return configured.getValue();
        });
  }

  private <T> void assertAllDiffer(Class<T> type, Function<T, @Nullable Object> value) {
    Object before = value.apply(store().create(type));
    for (int i = 0; i < 3; i++) {
      Object now = value.apply(store().create(type));
      assertNotEquals(before, now, type::getName);
      before = now;
    }
  }

  /** Has a value outside of its slot. */
  @Persistent
  public static class Wordy {
    private String text = LONG;
    private @Nullable Wordy next;

    public String getText() {
      return text;
    }

    public void setText(String text) {
      this.text = text;
    }

    public @Nullable Wordy getNext() {
      return next;
    }

    public void setNext(@Nullable Wordy next) {
      this.next = next;
    }
  }

  @Test
  void aConstantOutsideOfItsSlotIsEachObjectsOwn() {
    Wordy root = store().root("wordy", Wordy.class);
    for (int i = 0; i < 3; i++) {
      Wordy wordy = store().create(Wordy.class);
      assertEquals(LONG, wordy.getText());
      root.setNext(wordy);
      root.setNext(null); // the text goes with it
    }
    root.setNext(store().create(Wordy.class));
    assertEquals(LONG, root.getText());
    assertEquals(LONG, Objects.requireNonNull(root.getNext()).getText());
  }

  /** Makes collections, beside a constant. */
  @Persistent
  public static class Basket {
    private String name = "basket";
    private List<String> lines = new ArrayList<>();
    private Map<String, Integer> counts = new LinkedHashMap<>(4);
    private Object any = new TreeMap<String, String>();

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    public List<String> getLines() {
      return lines;
    }

    public void setLines(List<String> lines) {
      this.lines = lines;
    }

    public Map<String, Integer> getCounts() {
      return counts;
    }

    public void setCounts(Map<String, Integer> counts) {
      this.counts = counts;
    }

    public Object getAny() {
      return any;
    }

    public void setAny(Object any) {
      this.any = any;
    }
  }

  @Test
  void eachNewObjectHasCollectionsOfItsOwn() {
    List<Basket> all = new ArrayList<>();
    Basket root = store().root("basket", Basket.class);
    for (int i = 0; i < 4; i++) {
      Basket basket = store().create(Basket.class);
      assertEquals(List.of(), basket.getLines());
      assertEquals(Map.of(), basket.getCounts());
      assertInstanceOf(NavigableMap.class, basket.getAny());
      basket.getLines().add("line " + i);
      basket.getCounts().put("b", i);
      basket.getCounts().put("a", i);
      all.add(basket);
    }
    for (int i = 0; i < all.size(); i++) {
      assertEquals(List.of("line " + i), all.get(i).getLines());
      assertEquals(List.of("b", "a"), List.copyOf(all.get(i).getCounts().keySet()));
    }
    root.setLines(all.get(2).getLines());
    assertSame(all.get(2).getLines(), root.getLines());
    reopen();
    assertEquals(List.of("line 2"), store().root("basket", Basket.class).getLines());
  }

  /** Keeps a collection out of the store. */
  @Persistent
  public static class Cached {
    private List<String> lines = new ArrayList<>();
    private transient List<String> cache = new ArrayList<>();

    public List<String> getLines() {
      return lines;
    }

    public List<String> cache() {
      return cache;
    }
  }

  /** Has one list twice. */
  @Persistent
  public static class Shared {
    private List<String> one;
    private List<String> other = one = new ArrayList<>();

    public List<String> getOne() {
      return one;
    }

    public List<String> getOther() {
      return other;
    }
  }

  @Test
  void collectionsAreSharedOnlyWhereTheConstructorSharesThem() {
    for (int i = 0; i < 3; i++) {
      Cached cached = store().create(Cached.class);
      assertEquals(List.of(), cached.cache());
      cached.cache().add("this object's");
      Shared shared = store().create(Shared.class);
      assertSame(shared.getOne(), shared.getOther());
    }
  }

  @Test
  void anObjectThatIsMadeTwiceInATransactionThatIsRolledBackIsMadeAnew() {
    List<Fill> lost = new ArrayList<>();
    rolledBack(
        () -> {
          lost.add(store().create(Fill.class));
          lost.add(store().create(Fill.class));
        });
    assertEquals(2, lost.size());
    assertEquals(new Fill().everything(), store().create(Fill.class).everything());
  }
}
