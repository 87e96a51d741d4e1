package io.pmstore.proxy.bean;

import io.pmstore.OnLoad;
import io.pmstore.Persistent;
import io.pmstore.Transient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

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
  abstract static sealed class Sealed permits OnlyOne {}

  static final class OnlyOne extends Sealed {}

  static Class<?> localClass() {
    @Persistent
    class Local {}
    return Local.class;
  }

  @Persistent
  static class CanBeCloned implements Cloneable {
    @Override
    public CanBeCloned clone() throws CloneNotSupportedException {
      return (CanBeCloned) super.clone();
    }
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

  @Persistent
  static class StaticAccessor {
    private static int x;

    public static int getX() {
      return x;
    }

    public static void setX(int value) {
      x = value;
    }
  }

  @Persistent
  static class SetterOnly {
    private int x;

    public void setX(int x) {
      this.x = x;
    }
  }

  @Persistent
  static class NotPrivate {
    int x;

    public int getX() {
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

  @Persistent
  static class WithArrayList {
    private ArrayList<String> x = new ArrayList<>();

    public ArrayList<String> getX() {
      return x;
    }

    public void setX(ArrayList<String> x) {
      this.x = x;
    }
  }

  @Persistent
  static class WithHashMap {
    private HashMap<String, String> x;

    public HashMap<String, String> getX() {
      return x;
    }

    public void setX(HashMap<String, String> x) {
      this.x = x;
    }
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
  static class SamePropertyBase {
    private int x;
  }

  @Persistent
  static class SameProperty extends SamePropertyBase {
    private int x;
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
}
