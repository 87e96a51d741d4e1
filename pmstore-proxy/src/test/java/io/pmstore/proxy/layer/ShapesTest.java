package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import io.pmstore.proxy.layer.far.Account;
import io.pmstore.proxy.layer.far.Base;
import io.pmstore.proxy.layer.far.Variant;
import io.pmstore.spi.PersistentObject;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Classes of many shapes: the twin agrees with the plain object, before and after reopening. */
class ShapesTest extends StoreTest {

  /** Where the objects are kept: each shape is assigned to it. */
  @Persistent(root = "holder")
  static class Holder {
    private @Nullable Object held;

    @Nullable Object getHeld() {
      return held;
    }

    void setHeld(@Nullable Object held) {
      this.held = held;
    }
  }

  /** A shape with a method that does everything it has. */
  interface Shape {
    String exercise(int step);
  }

  /** Generic, with bridge methods in what extends it. */
  @Persistent
  abstract static class Box<T extends Comparable<T>> implements Shape {
    private @Nullable T value;
    private int changes;

    @Nullable T getValue() {
      return value;
    }

    void setValue(@Nullable T value) {
      changes++;
      this.value = value;
    }

    boolean isGreater(Box<T> other) {
      T mine = value;
      T others = other.value;
      return mine != null && others != null && mine.compareTo(others) > 0;
    }

    abstract T next();

    @Override
    public String exercise(int step) {
      setValue(next());
      return value + " " + changes;
    }
  }

  /** Fixes the type variable. */
  @Persistent
  static class IntBox extends Box<Integer> {
    @Override
    void setValue(@Nullable Integer value) {
      super.setValue(value == null ? null : value + 1);
    }

    @Override
    Integer next() {
      Integer now = getValue();
      return now == null ? 1 : now * 2;
    }
  }

  /** Static members, private constructors, nested classes, arrays, varargs. */
  @Persistent
  static class Members implements Shape {
    private static int made;
    private static final String[] NAMES = {"a", "b", "c"};
    private final int number;
    private @Nullable Members copy;
    private List<Integer> numbers = new ArrayList<>();
    private byte small = 1;
    private char letter = 'a';
    private boolean flag;
    private float ratio = 0.5f;
    private short narrow = 3;
    private Kind kind = Kind.ONE;

    /** For a switch. */
    enum Kind {
      ONE,
      TWO
    }

    /** For a pattern. */
    private record Point(int x, int y) {}

    Members() {
      this(5);
    }

    private Members(int number) {
      this.number = number;
      made++;
    }

    private static final class Entry implements Comparable<Entry> {
      private final int key;
      private int weight;

      private Entry(int key) {
        this.key = key;
      }

      private int product() {
        return key * weight;
      }

      @Override
      public int compareTo(Entry other) {
        return Integer.compare(key, other.key);
      }
    }

    private static int total(Iterable<Entry> entries) {
      int total = 0;
      for (Entry entry : entries) {
        total += entry.product();
      }
      return total;
    }

    private int sumOf(int... values) {
      return number + Arrays.stream(values).sum();
    }

    @Override
    public String exercise(int step) {
      Entry entry = new Entry(step > 1 ? number : -number);
      entry.weight = 3;
      entry.weight += number;
      int[] counts = new int[3];
      counts[number % 3]++;
      counts[1] += number;
      String[][] names = {NAMES, {NAMES[step % 3]}};
      copy = new Members(number + 1);
      small++;
      letter += 1;
      flag ^= true;
      ratio *= 2;
      narrow--;
      numbers.add(number);
      List<Supplier<Entry>> suppliers = List.of(() -> new Entry(number));
      Function<Integer, Entry> entries = Entry::new;
      Function<Integer, Members> copies = Members::new;
      assert number > 0 : "number is " + number;
      entry.weight += entries.apply(number).key + copies.apply(step).number;
      Function<Integer, int[]> maker = int[]::new;
      int before = made;
      made = before;
      long wide = flag ? number : (long) ratio;
      synchronized (this) {
        wide <<= small;
      }
      String text =
          switch (letter) {
            case 'b' -> "bee";
            case 'c' -> "sea";
            default -> "other";
          };
      Object[] things = {kind, new Point(number, step), super.equals(this), number};
      for (Object thing : things) {
        text +=
            switch (thing) {
              case Kind k when k == kind -> "kind";
              case Point(int x, int y) when x == number -> "point" + y;
              case Boolean b -> "same" + b;
              case Integer i -> "number" + (i - number);
              default -> throw new AssertionError(thing);
            };
      }
      kind =
          switch (kind) {
            case ONE -> Kind.TWO;
            case TWO -> Kind.ONE;
          };
      return total(List.of(entry, suppliers.getFirst().get()))
          + Arrays.toString(counts)
          + Arrays.deepToString(names)
          + sumOf(1, 2, step)
          + copy.number
          + small
          + letter
          + flag
          + ratio
          + narrow
          + maker.apply(number).length
          + wide
          + text
          + new TreeMap<>(Map.of(entry, number)).firstKey().key
          + numbers.size();
    }
  }

  /** What Lombok's {@code @Data} makes of a class with three fields. */
  @Persistent
  static class Delomboked implements Shape {
    private String name = "n";
    private int age = 3;
    private @Nullable Double score;

    public Delomboked() {}

    public String getName() {
      return this.name;
    }

    public int getAge() {
      return this.age;
    }

    public @Nullable Double getScore() {
      return this.score;
    }

    public void setName(final String name) {
      this.name = name;
    }

    public void setAge(final int age) {
      this.age = age;
    }

    public void setScore(final @Nullable Double score) {
      this.score = score;
    }

    @Override
    @SuppressWarnings("EqualsUsingHashCode")
    public boolean equals(final @Nullable Object o) {
      if (o == this) return true;
      if (!(o instanceof Delomboked)) return false;
      final Delomboked other = (Delomboked) o;
      if (!other.canEqual((Object) this)) return false;
      if (this.getAge() != other.getAge()) return false;
      final Object this$score = this.getScore();
      final Object other$score = other.getScore();
      if (this$score == null ? other$score != null : !this$score.equals(other$score)) return false;
      final Object this$name = this.getName();
      final Object other$name = other.getName();
      if (this$name == null ? other$name != null : !this$name.equals(other$name)) return false;
      return true;
    }

    protected boolean canEqual(final Object other) {
      return other instanceof Delomboked;
    }

    @Override
    public int hashCode() {
      final int PRIME = 59;
      int result = 1;
      result = result * PRIME + this.getAge();
      final Object $score = this.getScore();
      result = result * PRIME + ($score == null ? 43 : $score.hashCode());
      final Object $name = this.getName();
      result = result * PRIME + ($name == null ? 43 : $name.hashCode());
      return result;
    }

    @Override
    public String toString() {
      return "Delomboked(name="
          + this.getName()
          + ", age="
          + this.getAge()
          + ", score="
          + this.getScore()
          + ")";
    }

    @Override
    public String exercise(int step) {
      score = score == null ? 1.5 : score + step;
      return this + " " + hashCode();
    }
  }

  /** Control flow, nested lambdas and classes, exceptions. */
  @Persistent
  static class Flow implements Shape {
    private int depth;
    private @Nullable String last;
    private @Nullable Flow inner;

    /** Counts as it fails. */
    private int risky(int n) throws IOException {
      depth += n;
      if (n % 2 == 0) {
        throw new IOException("even " + depth);
      }
      return depth;
    }

    private <T extends Comparable<T>> T greatest(List<T> values, Comparator<? super T> order) {
      depth += values.size();
      return values.stream().max(order.thenComparing(v -> depth > 0 ? 0 : 1)).orElseThrow();
    }

    private int recursive(int n) {
      return n == 0 ? depth : 1 + recursive(n - 1);
    }

    @Override
    public String exercise(int step) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < 4; i++) {
        try {
          text.append(risky(i + step)).append(' ');
          if (depth > 1000) {
            continue;
          }
        } catch (IOException | IllegalStateException e) {
          last = e.getMessage();
          text.append(last).append(' ');
        } finally {
          depth++;
        }
      }
      if (inner == null) {
        inner = new Flow();
      }
      inner.depth += depth;
      BiFunction<Integer, Integer, Integer> nested =
          (a, b) -> {
            Supplier<Integer> deeper = () -> depth + a * b;
            return new Object() {
              int twice() {
                return 2 * deeper.get() + depth + inner().depth;
              }

              private Flow inner() {
                return Objects.requireNonNull(inner);
              }
            }.twice();
          };
      Consumer<String> append = text::append;
      append.accept(greatest(List.of("x", "zz", "y"), Comparator.naturalOrder()));
      Runnable counter =
          new Runnable() {
            private int runs;

            @Override
            public void run() {
              Runnable once = () -> depth += ++runs;
              once.run();
              class Twice {
                void run() {
                  depth += 2 * runs;
                  note(this);
                }
              }
              new Twice().run();
            }

            private void note(Object what) {
              last = last + what.getClass().getSimpleName().isEmpty();
            }
          };
      counter.run();
      record Seen(Flow flow, int factor) {
        int depth() {
          return flow.depth * factor;
        }
      }
      enum Mode {
        DOUBLE {
          @Override
          int of(Flow flow) {
            return 2 * flow.depth;
          }
        },
        SINGLE {
          @Override
          int of(Flow flow) {
            return flow.depth;
          }
        };

        abstract int of(Flow flow);
      }
      Seen seen = new Seen(this, step);
      text.append(seen.depth())
          .append(seen.equals(new Seen(this, step)))
          .append(Mode.valueOf(step % 2 == 0 ? "DOUBLE" : "SINGLE").of(this))
          .append(List.of(Mode.values()));
      return text + " " + nested.apply(2, 3) + recursive(5) + last + (inner == this);
    }
  }

  static List<Supplier<Shape>> shapes() {
    return List.of(
        IntBox::new, Members::new, Delomboked::new, Flow::new, Savings::new, Interfaced::new);
  }

  /** Extends a class of another package, which extends one that is package-private there. */
  @Persistent
  static class Savings extends Account implements Shape {
    private long interest = 2;

    @Override
    public String describe() {
      return "savings of " + super.describe() + " at " + interest;
    }

    @Override
    protected long fee(long amount) {
      return super.fee(amount) - interest;
    }

    @Override
    public String exercise(int step) {
      interest += step;
      inherited = step; // it is transient
      deposit(100 * step);
      int hidden = hook() + inherited;
      inherited += 2;
      Supplier<String> described = super::describe;
      return describe() + balance() + hidden + super.toString().length() + described.get();
    }
  }

  /** An interface with accessors and a method of its own. */
  interface Priced {
    long getPrice();

    void setPrice(long price);

    default String priced() {
      return "at " + getPrice();
    }

    static Priced none() {
      throw new IllegalStateException();
    }
  }

  /** Has no accessors but those that an interface asks for. */
  @Persistent
  static class Interfaced implements Priced, Shape {
    private long price = 4;
    private Object any = "any";

    @Override
    public long getPrice() {
      return price;
    }

    @Override
    public void setPrice(long price) {
      this.price = price;
    }

    @Override
    public String priced() {
      any = price;
      return Priced.super.priced() + any;
    }

    @Override
    public String exercise(int step) {
      setPrice(getPrice() + step);
      return priced();
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void theTwinAgreesWithThePlainObject(Supplier<Shape> maker) {
    Shape plain = maker.get();
    store().root(Holder.class).setHeld(maker.get());
    for (int step = 1; step <= 4; step++) {
      Shape twin = (Shape) Objects.requireNonNull(store().root(Holder.class).getHeld());
      assertTrue(twin instanceof PersistentObject);
      int now = step;
      String expected = plain.exercise(now);
      assertEquals(
          expected,
          step % 2 == 0 ? twin.exercise(now) : store().call(() -> twin.exercise(now)),
          plain.getClass().getSimpleName());
      reopen();
    }
  }

  /** The JVM finds that constructor if a subclass has none without parameters. */
  @Test
  void aPrivateConstructorOfASuperclassIsNoneOfTheClass() {
    Holder holder = store().root(Holder.class);
    holder.setHeld(new Variant(7));
    reopen();
    Variant variant = (Variant) Objects.requireNonNull(store().root(Holder.class).getHeld());
    assertEquals("variant 7", variant.getName() + " " + variant.getSize());
  }

  @Test
  void aPlainObjectAndATwinMeetInOneMethod() {
    IntBox plain = new IntBox();
    plain.setValue(8);
    IntBox twin = store().create(IntBox.class);
    twin.setValue(7);
    assertFalse(twin.isGreater(plain));
    twin.setValue(9);
    assertTrue(twin.isGreater(plain));
    Delomboked one = store().create(Delomboked.class);
    Delomboked other = store().create(Delomboked.class);
    assertEquals(one, other);
    assertEquals(one.hashCode(), other.hashCode());
    assertEquals(one, new Delomboked());
    assertEquals(new Delomboked(), one);
    other.setAge(4);
    assertNotSame(one, other);
    assertFalse(one.equals(other));
  }

  /** Holds its own monitor while others wait. */
  @Persistent
  static class Locked {
    private int x;

    synchronized boolean holds() {
      return x == 0 && Thread.holdsLock(this) && privately();
    }

    private synchronized boolean privately() {
      return x == 0 && Thread.holdsLock(this);
    }

    boolean holdsOnlyInside() {
      boolean inside = privately();
      return inside && !Thread.holdsLock(this);
    }

    synchronized void failing() {
      throw new IllegalStateException("x is " + x);
    }
  }

  @Test
  void synchronizedMethodsHoldTheMonitorOfTheirObject() throws InterruptedException {
    Locked locked = store().create(Locked.class);
    assertTrue(locked.holds());
    assertTrue(locked.holdsOnlyInside());
    assertThrows(IllegalStateException.class, locked::failing);
    assertFalse(Thread.holdsLock(locked));
    CountDownLatch done = new CountDownLatch(1);
    Thread other =
        new Thread(
            () -> {
              locked.holds();
              done.countDown();
            });
    synchronized (locked) {
      other.start();
      while (other.getState() != Thread.State.BLOCKED) {
        Thread.onSpinWait();
      }
      assertEquals(1, done.getCount());
    }
    other.join();
    assertEquals(0, done.getCount());
  }

  @Test
  void stackTracesOfCopiedCodeLeadToTheLine() throws IOException {
    StackTraceElement[] trace =
        assertThrows(IllegalStateException.class, () -> store().create(Locked.class).failing())
            .getStackTrace();
    assertEquals("ShapesTest.java", trace[0].getFileName());
    assertEquals("failing", trace[0].getMethodName().split("\\$", -1)[0]);
    assertTrue(trace[0].getClassName().startsWith(Locked.class.getName()));
    List<String> source =
        Files.readAllLines(Path.of("src/test/java/io/pmstore/proxy/layer/ShapesTest.java"));
    assertEquals(
        "throw new IllegalStateException(\"x is \" + x);",
        source.get(trace[0].getLineNumber() - 1).strip());
    trace =
        assertThrows(
                IllegalArgumentException.class, () -> ((Savings) keep(new Savings())).deposit(-1))
            .getStackTrace();
    assertEquals("Base.java", trace[0].getFileName());
    source = Files.readAllLines(Path.of("src/test/java/io/pmstore/proxy/layer/far/Base.java"));
    assertTrue(source.get(trace[0].getLineNumber() - 1).contains("throw new"), trace[0]::toString);
    assertTrue(
        Arrays.stream(trace)
            .anyMatch(e -> e.getClassName().equals(Savings.class.getName() + "$Persistent")));
  }

  private Object keep(Object plain) {
    store().root(Holder.class).setHeld(plain);
    return Objects.requireNonNull(store().root(Holder.class).getHeld());
  }

  @Test
  void copiesOfSuperclassesAreShared() throws ReflectiveOperationException {
    Class<?> one = keep(new Savings()).getClass();
    Class<?> other = keep(new Other()).getClass();
    String name = Base.class.getName() + "$PersistentCode";
    assertEquals(interfaceOf(one, name), interfaceOf(other, name));
    for (Method method : one.getDeclaredMethods()) {
      assertFalse(java.lang.reflect.Modifier.isAbstract(method.getModifiers()));
    }
  }

  private static Class<?> interfaceOf(Class<?> type, String name) {
    return Arrays.stream(type.getInterfaces())
        .filter(i -> i.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** Shares its superclasses with another one. */
  @Persistent
  static class Other extends Account {
    private int x;

    int getX() {
      return x;
    }
  }
}
