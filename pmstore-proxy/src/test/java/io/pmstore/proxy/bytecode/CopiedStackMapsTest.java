package io.pmstore.proxy.bytecode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.Persistent;
import io.pmstore.proxy.fixture.StoreTest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Copies of methods whose stack maps cannot stay as they are; the JVM verifies each. */
class CopiedStackMapsTest extends StoreTest {

  /** Makes objects, by private constructors, of values that branches give. */
  @Persistent
  static class Maker {
    private int value;

    private static final class Pair {
      private final @Nullable Pair inner;
      private final long number;

      private Pair(@Nullable Pair inner, long number) {
        this.inner = inner;
        this.number = number;
      }

      private long sum() {
        return number + (inner == null ? 0 : inner.sum());
      }
    }

    long sum(int by) {
      value += by;
      Pair made =
          new Pair(
              value > 3 ? new Pair(null, by > 0 ? value : -value) : null,
              new StringBuilder(by > 2 ? "long" : "no").length());
      return made.sum();
    }
  }

  @Test
  void anObjectIsMadeByAPrivateConstructorOfValuesThatBranchesGive() {
    Maker plain = new Maker();
    Maker maker = store().root("maker", Maker.class);
    for (int by : new int[] {1, 3, -1, 5}) {
      assertEquals(plain.sum(by), maker.sum(by));
    }
  }

  /** Getters that assign what they return, with branches and other local variables between. */
  @Persistent
  static class Lazy {
    private @Nullable List<String> lines;
    private long total;
    private @Nullable Double ratio;

    List<String> getLines() {
      if (lines == null) {
        double half = 0.5;
        List<String> made = new ArrayList<>();
        for (long i = 0; i < 3; i++) {
          made.add(i * half > 0.5 ? "more" : "less");
        }
        lines = made;
      }
      return lines;
    }

    long getTotal() {
      if (total == 0) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
          sum += i % 2 == 0 ? i : 1;
        }
        total = sum;
      }
      return total;
    }

    Double getRatio() {
      Double known = ratio;
      if (known == null) {
        for (int i = 1; i < 4; i++) {
          known = i > 2 ? (double) i : 1.5;
        }
        ratio = known;
      }
      return Objects.requireNonNull(ratio);
    }
  }

  @Test
  void aGetterAssignsWhatItReturnsAmongBranches() {
    Lazy plain = new Lazy();
    Lazy lazy = store().root("lazy", Lazy.class);
    assertEquals(plain.getLines(), lazy.getLines());
    lazy.getLines().add("added");
    assertEquals(plain.getTotal(), lazy.getTotal());
    assertEquals(plain.getRatio(), lazy.getRatio());
    reopen();
    Lazy again = store().root("lazy", Lazy.class);
    assertEquals(List.of("less", "less", "more", "added"), again.getLines());
    assertEquals(plain.getTotal(), again.getTotal());
    assertEquals(plain.getRatio(), again.getRatio());
  }

  /** Compiled to a class file of Java 5 below. */
  @Persistent
  public static class Old {
    private int value;

    /** Adds, with branches. */
    public int add(int by) {
      for (int i = 0; i < by; i++) {
        value += i > 2 ? i : 1;
      }
      return value;
    }
  }

  /** Defines one class from other bytes, which it also gives out as a resource. */
  private static final class Loader extends ClassLoader {
    private final String name;
    private final byte[] classFile;

    Loader(String name, byte[] classFile) {
      super(CopiedStackMapsTest.class.getClassLoader());
      this.name = name;
      this.classFile = classFile;
    }

    @Override
    protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
      if (!wanted.equals(name)) {
        return super.loadClass(wanted, resolve);
      }
      Class<?> known = findLoadedClass(wanted);
      return known != null ? known : defineClass(wanted, classFile, 0, classFile.length);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String path) {
      return path.equals(name.replace('.', '/') + ".class")
          ? new ByteArrayInputStream(classFile)
          : super.getResourceAsStream(path);
    }
  }

  @Test
  void aClassFileOfJava5HasNoStackMaps() throws ReflectiveOperationException, IOException {
    String name = Old.class.getName();
    byte[] today;
    try (InputStream in =
        Objects.requireNonNull(
            Old.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class"))) {
      today = in.readAllBytes();
    }
    ClassTransform older =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_5_VERSION, 0);
          } else if (!(element instanceof InnerClassesAttribute
              || element instanceof NestHostAttribute)) {
            builder.with(element);
          }
        };
    byte[] old =
        ClassFile.of(StackMapsOption.DROP_STACK_MAPS, ClassFile.ConstantPoolSharingOption.NEW_POOL)
            .transformClass(
                ClassFile.of().parse(today),
                older.andThen(ClassTransform.transformingMethodBodies((b, e) -> b.with(e))));
    Class<?> type = Class.forName(name, true, new Loader(name, old));
    Object bean = store().root("old", type);
    assertEquals(new Old().add(6), type.getMethod("add", int.class).invoke(bean, 6));
  }
}
