package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  static class FinalField {
    private final List<String> names = new ArrayList<>();

    public List<String> getNames() {
      return names;
    }
  }

  @Persistent
  static class GetterOnly {
    private int x;

    public int getX() {
      return x;
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
  static class NoAccessors {
    private int x;
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

  @Persistent
  static class CheckingSetter {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      if (x < 0) { // CheckingSetter
        throw new IllegalArgumentException();
      }
      this.x = x;
    }
  }

  @Persistent
  static class LazyGetter {
    private Map<String, String> map;

    public Map<String, String> getMap() {
      if (map == null) { // LazyGetter
        map = new HashMap<>();
      }
      return map;
    }

    public void setMap(Map<String, String> map) {
      this.map = map;
    }
  }

  @Persistent
  static class OtherSetter {
    private int x;

    public long getX() {
      return x; // OtherSetter
    }

    public void setX(long x) {
      this.x = (int) x;
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
  static class MethodReads {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    public int twice() {
      int factor = 2;
      return factor * x; // MethodReads
    }
  }

  @Persistent
  static class MethodWrites {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    private void add(int n) {
      x += n; // MethodWrites
    }
  }

  @Persistent
  static class EqualsReads {
    private String name;

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof EqualsReads that
          && Objects.equals(getName(), that.name); // EqualsReads
    }

    @Override
    public int hashCode() {
      return Objects.hashCode(getName());
    }
  }

  @Persistent
  static class LambdaReads {
    private int x;

    public int getX() {
      return x;
    }

    public void setX(int x) {
      this.x = x;
    }

    public IntSupplier supplier() {
      return () -> x; // LambdaReads
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
  static class SuperCall extends Good {
    public int sum() {
      return getX() + super.getY(); // SuperCall
    }
  }

  static class Middle extends Good {}

  @Persistent
  static class FarSuperCall extends Middle {
    public void reset() {
      super.setX(0); // FarSuperCall
    }
  }

  static class UncheckedBase {
    private int z;

    public int getZ() {
      return z;
    }

    public void setZ(int z) {
      this.z = z;
    }

    public void clear() {
      z = 0; // InheritedMethod
    }
  }

  @Persistent
  static class InheritedMethod extends UncheckedBase {}

  @Persistent
  static class OverriddenGetter extends Good {
    @Override
    public int getX() {
      return 2 * super.getX(); // OverriddenGetter
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
