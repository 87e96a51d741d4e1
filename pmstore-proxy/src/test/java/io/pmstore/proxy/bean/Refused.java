package io.pmstore.proxy.bean;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.Transient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.jar.Attributes;

/** Classes that cannot be kept in a store. The tests look for the comments at the ends of lines. */
@SuppressWarnings({"unused", "UnusedVariable", "ClassCanBeStatic", "NullAway"})
final class Refused {
  private Refused() {}

  static class NotAnnotated {}

  @Persistent
  static final class Final {}

  @Persistent
  class Inner {}

  @Persistent
  private static class Private {}

  static Class<?> privateClass() {
    return Private.class;
  }

  @Persistent
  record Record(int x) {}

  record RecordOfText(StringBuilder text) {}

  @Persistent
  enum Enumeration {
    A
  }

  @Persistent
  static sealed class Sealed permits OnlyOne {}

  static final class OnlyOne extends Sealed {}

  static Class<?> localClass() {
    @Persistent
    class Local {}
    return Local.class;
  }

  @Persistent
  static class FinalAccessor {
    private int x;

    public final int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }
  }

  /** A bean with one property, for the classes that go wrong elsewhere. */
  @Persistent
  static class Good {
    private int x;
    private int y;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    public int getY() {
      return y;
    }

    public void setY(int y) {
      this.y = y;
    }
  }

  @Persistent
  static class InnerReads {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    class Reader {
      int read() {
        return x; // InnerReads
      }
    }
  }

  @Persistent
  static class NestWrites {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }
  }

  /** Calls what would not be refused otherwise. */
  static int call(CopyConstructor one, ConstructorWrites other, StaticMethod x) {
    return new CopyConstructor(one).hashCode()
        + new ConstructorWrites(other, true).hashCode()
        + StaticMethod.sum(x, x)
        + StaticThroughHelper.twice(new StaticThroughHelper());
  }

  static void reset(NestWrites bean) {
    bean.x = 0; // NestWrites
  }

  @Persistent
  static class CopyConstructor {
    private int x;

    public CopyConstructor() {}

    public CopyConstructor(CopyConstructor other) {
      this.x = other.x; // CopyConstructor
    }

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }
  }

  @Persistent
  static class ConstructorWrites {
    private int x;

    public ConstructorWrites(ConstructorWrites other, boolean flag) {
      this.x = flag ? 1 : 2;
      other.x = flag ? 3 : this.x; // ConstructorWrites
    }

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithArray {
    private StringBuilder[] x;

    public StringBuilder[] getX() {
      return x;
    }

    public void setX(StringBuilder[] x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithRecord {
    private RecordOfText x;

    public RecordOfText getX() {
      return x;
    }

    public void setX(RecordOfText x) {
      this.x = x;
    }
  }

  /** A class of the program, whose methods no persistent list has. */
  static class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1L;
  }

  @Persistent
  static class WithNames {
    private Names x = new Names();

    public Names getX() {
      return x;
    }

    public void setX(Names x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithConcurrentHashMap {
    private ConcurrentHashMap<String, String> x = new ConcurrentHashMap<>();

    public ConcurrentHashMap<String, String> getX() {
      return x;
    }

    public void setX(ConcurrentHashMap<String, String> x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithEnumMap {
    private EnumMap<TimeUnit, String> x = new EnumMap<>(TimeUnit.class);

    public EnumMap<TimeUnit, String> getX() {
      return x;
    }

    public void setX(EnumMap<TimeUnit, String> x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithAttributes {
    private Attributes x = new Attributes();

    public Attributes getX() {
      return x;
    }

    public void setX(Attributes x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithElements {
    private Map<String, Optional<? extends HashMap<String, String>>> x = new TreeMap<>();
  }

  @Persistent
  static class WithElementsOfItsOwn {
    /** A list of a class that no store makes. */
    @SuppressWarnings("serial") // nobody serializes it
    static class Row extends ArrayList<String> {}

    private List<Row> x = new ArrayList<>();
  }

  @Persistent
  static class WithElementsInRecord {
    /** What it has. */
    record Entry(String name, Optional<ArrayList<String>> list) {}

    private Entry x;
  }

  @Persistent
  interface WithElementsOfInterface {
    Set<CopyOnWriteArraySet<String>> getX();

    void setX(Set<CopyOnWriteArraySet<String>> x);
  }

  @Persistent
  static class WithOther {
    private NotAnnotated x;

    public NotAnnotated getX() {
      return x;
    }

    public void setX(NotAnnotated x) {
      this.x = x;
    }
  }

  @Persistent
  interface GetterWithoutSetter {
    int getX();
  }

  @Persistent
  interface SetterWithoutGetter {
    void setX(int x);
  }

  @Persistent
  interface Method {
    int getX();

    void setX(int x);

    int compute();
  }

  @Persistent
  interface HalfDefault {
    default int getX() {
      return 1;
    }

    void setX(int x);
  }

  @Persistent
  static class FinalMethod {
    private int x;

    public final int twice() {
      int two = 2;
      return two * x; // FinalMethod
    }
  }

  @Persistent
  static class StaticMethod {
    private int x;

    static int sum(StaticMethod one, StaticMethod other) {
      return one.x // StaticMethod
          + other.x;
    }
  }

  @Persistent
  static class StaticThroughHelper {
    private int x;

    static int twice(StaticThroughHelper one) {
      return 2 * one.half() + half(one);
    }

    private int half() {
      return x / 2; // StaticThroughHelper
    }

    private static int half(StaticThroughHelper one) {
      return one.half();
    }
  }

  @Persistent
  static class StaticComparator {
    static final Comparator<StaticComparator> BY_NAME =
        Comparator.comparing(one -> one.name); // StaticComparator

    private String name;
  }

  /** As in Apache Commons. */
  static class EqualsBuilder {
    static boolean reflectionEquals(Object one, Object other) {
      return one == other;
    }
  }

  @Persistent
  static class ReflectiveEquals {
    private int x;

    @Override
    public boolean equals(Object other) {
      return EqualsBuilder.reflectionEquals(this, other); // ReflectiveEquals
    }

    @Override
    public int hashCode() {
      return x;
    }
  }

  @Persistent
  static class LambdaInConstructor {
    private final transient IntSupplier supplier;
    private int x;

    LambdaInConstructor() {
      supplier = () -> x; // LambdaInConstructor
    }
  }

  @Persistent
  static class AnonymousInConstructor {
    private final transient IntSupplier supplier =
        new IntSupplier() {
          @Override
          public int getAsInt() {
            return x; // AnonymousInConstructor
          }
        };
    private int x;
  }

  @Persistent
  static class NestCallsHelper {
    private int x;

    private void clear() {
      x = 0;
    }

    static final class Friend {
      void clear(NestCallsHelper other) {
        other.clear(); // NestCallsHelper
      }
    }
  }

  @Persistent
  static class RecordReads {
    private int x;

    record Snapshot(int x) {
      static Snapshot of(RecordReads bean) {
        return new Snapshot(bean.x); // RecordReads
      }
    }
  }

  @Persistent
  static class TransientOnNothing {
    private int x;

    @Transient
    public int getTotal() {
      return 3;
    }
  }

  @Persistent
  interface TransientOfInterface {
    @Transient
    int getX();

    void setX(int x);
  }

  @Persistent
  static class StaticOnLoad {
    @OnLoad
    static void loaded() {}
  }

  @Persistent
  interface OnLoadOfInterface {
    @OnLoad
    default void loaded() {}
  }

  @Persistent
  static class OnLoadWithParameter {
    @OnLoad
    private void loaded(int x) {}
  }

  /** Everything that is allowed and looks as if it were not. */
  @Persistent
  static class Allowed {
    private static final Allowed DEFAULT = new Allowed(3);
    private static int count;
    private int x;
    private String text;
    private boolean active;
    private transient int scratch;

    static {
      DEFAULT.x = 4;
    }

    Allowed() {
      this(1);
    }

    Allowed(int x) {
      this.x = x > 0 ? x : this.x + 1;
      for (int i = 0; i < 3; i++) {
        this.x += i;
        try {
          this.text = i == 2 ? text + i : String.valueOf((Object) switchOn(i));
        } catch (IllegalStateException e) {
          this.text = e.getMessage();
        }
      }
      long wide = 5;
      this.active = wide > this.x && this.x < 100L;
      Supplier<String> supplier = () -> getText() + scratch;
      count += supplier.get().length();
    }

    private static String switchOn(int i) {
      return switch (i) {
        case 0 -> "zero";
        default -> "more";
      };
    }

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    // The overload is no setter of the property, and touches no field.
    public void setX(String x) {
      setX(Integer.parseInt(x));
    }

    protected String getText() {
      return text;
    }

    protected void setText(String text) {
      this.text = text;
    }

    boolean isActive() {
      return active;
    }

    void setActive(boolean active) {
      this.active = active;
    }

    // Neither getter nor setter touches a field: no property.
    public String getDescription() {
      return getText() + scratch;
    }

    public void setDescription(String description) {
      setText(description);
      scratch++;
    }

    public int getTotal() {
      return getX() + count;
    }

    @Override
    public String toString() {
      return getText();
    }
  }

  @Persistent
  static class WithUpdater {
    private static final java.util.concurrent.atomic.AtomicLongFieldUpdater<WithUpdater> NEXT =
        java.util.concurrent.atomic.AtomicLongFieldUpdater.newUpdater(WithUpdater.class, "next");

    private volatile long next;

    public long next() {
      return NEXT.incrementAndGet(this);
    }
  }

  @Persistent
  static class WithVarHandle {
    private int next;

    static java.lang.invoke.VarHandle handle() throws ReflectiveOperationException {
      return java.lang.invoke.MethodHandles.lookup()
          .findVarHandle(WithVarHandle.class, "next", int.class);
    }
  }

  @Persistent
  static class Finalizer {
    private boolean open = true;

    void close() {
      open = false;
    }

    @SuppressWarnings({"removal", "Finalize"}) // what the test is about
    @Override
    protected void finalize() {
      close();
    }

    boolean isOpen() {
      return open;
    }
  }

  @Persistent
  static class SkipList {
    java.util.concurrent.ConcurrentNavigableMap<String, String> map;
  }
}
