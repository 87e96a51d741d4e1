package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.PmStore;
import io.pmstore.enhance.sample.Shop;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import net.bytebuddy.build.EntryPoint;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the plugin makes at build time, and what it refuses. */
public class EnhancePluginTest {
  private static final String SAMPLES = "io/pmstore/enhance/sample";

  /**
   * A class that cannot be enhanced: its method updater, in line 7, uses a field past the store.
   */
  static final String HIDDEN =
      """
      package acme;
      import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
      @io.pmstore.Persistent
      public class Hidden {
        volatile int value;
        static AtomicIntegerFieldUpdater<Hidden> updater() {
          return AtomicIntegerFieldUpdater.newUpdater(Hidden.class, "value");
        }
      }
      """;

  @TempDir Path directory;

  private Path samples() throws IOException, URISyntaxException {
    Path all = Path.of(Shop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path to = Files.createDirectories(directory.resolve("plain").resolve(SAMPLES));
    for (Path file : ClassDirectory.classFiles(all.resolve(SAMPLES))) {
      Files.copy(file, to.resolve(file.getFileName().toString()));
    }
    return directory.resolve("plain");
  }

  @Test
  void theAgentMakesTheSameBytes() throws Exception {
    Path plain = samples();
    Path enhanced = ClassDirectory.enhance(plain, directory.resolve("enhanced"));
    LoadTimeEnhancer agent = new LoadTimeEnhancer();
    int changed = 0;
    try (URLClassLoader loader = ClassDirectory.loader(plain, "io.pmstore.enhance.sample")) {
      List<Path> files = new ArrayList<>(ClassDirectory.classFiles(plain));
      // The JVM asks for a class before its superclass, which need not be annotated.
      files.sort(Comparator.comparing(file -> !file.endsWith("Shop.class")));
      for (Path file : files) {
        Path relative = plain.relativize(file);
        String name = relative.toString().replace('\\', '/').replace(".class", "");
        byte[] before = Files.readAllBytes(file);
        byte[] built = Files.readAllBytes(enhanced.resolve(relative));
        byte[] loaded = agent.transform(loader, name, null, null, before);
        if (loaded == null) {
          assertArrayEquals(before, built, name);
        } else {
          assertArrayEquals(loaded, built, name);
          changed++;
        }
      }
    }
    assertTrue(changed >= 7, changed + " classes");
    Path again = ClassDirectory.enhance(enhanced, directory.resolve("again"));
    for (Path file : ClassDirectory.classFiles(enhanced)) {
      Path relative = enhanced.relativize(file);
      assertArrayEquals(
          Files.readAllBytes(file), Files.readAllBytes(again.resolve(relative)), "" + relative);
    }
  }

  @Test
  void aMethodThatReadsThroughAMethodReferenceIsNoTransaction() throws Exception {
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Meter",
            """
            package acme;
            import io.pmstore.spi.PersistentObject;
            import java.util.Arrays;
            import java.util.function.Consumer;
            import java.util.function.Function;
            @io.pmstore.Persistent(root = "meter")
            public final class Meter {
              private int[] counts = {2, 1};
              public boolean readsInTransaction() {
                Function<Object, Boolean> read = Reads::isInTransaction;
                return read.apply(this);
              }
              public boolean writesInTransaction() {
                Consumer<int[]> sort = Arrays::sort;
                sort.accept(counts);
                return Reads.isInTransaction(this);
              }
              static final class Reads {
                static boolean isInTransaction(Object meter) {
                  return !PersistentObject.handleOf(meter).isOutsideTransactions();
                }
              }
            }
            """);
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.");
        PmStore store = PmStore.open(directory.resolve("store"))) {
      Class<?> type = loader.loadClass("acme.Meter");
      Object meter = store.root(type);
      assertEquals(false, type.getMethod("readsInTransaction").invoke(meter));
      assertEquals(true, type.getMethod("writesInTransaction").invoke(meter));
    }
  }

  @Test
  void builtClassesWork() throws Exception {
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Counter",
            """
            package acme;
            @io.pmstore.Persistent(root = "counter")
            public final class Counter {
              private int[] counts = new int[2];
              private final java.util.List<String> names;
              int total;
              Counter() { names = new java.util.ArrayList<>(); }
              public String count(String name) {
                counts[0]++;
                total += counts[0];
                names.add(name);
                if (name.isEmpty()) throw new IllegalArgumentException("no name");
                return this + "";
              }
              @Override public String toString() {
                return counts[0] + " " + total + " " + names;
              }
            }
            """);
    Path enhanced =
        ClassDirectory.enhance(
            classes, directory.resolve("enhanced"), EntryPoint.Default.REBASE); // the default
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Counter");
      for (int i = 1; i <= 2; i++) {
        try (PmStore store = PmStore.open(directory.resolve("store"))) {
          Object counter = store.root(type);
          Object text = type.getMethod("count", String.class).invoke(counter, "a" + i);
          assertEquals(i == 1 ? "1 1 [a1]" : "2 3 [a1, a2]", text);
          assertThrows(
              ReflectiveOperationException.class,
              () -> type.getMethod("count", String.class).invoke(counter, ""));
          assertEquals(text, counter.toString());
        }
      }
    }
  }

  @Test
  void whatCannotBeKeptFailsTheBuildWithClassMemberAndLine() throws Exception {
    Path classes = ClassDirectory.compile(directory, "acme.Hidden", HIDDEN);
    Throwable thrown =
        assertThrows(
            IllegalStateException.class,
            () -> ClassDirectory.enhance(classes, directory.resolve("enhanced")));
    String message = Arrays.toString(thrown.getSuppressed()) + thrown + thrown.getCause();
    assertTrue(
        message.contains("class acme.Hidden, method updater (Hidden.java:7)"), () -> message);
  }

  /** Returns what the build says of a class of this source, which it refuses. */
  private String refusal(String name, String source) throws Exception {
    Path classes = ClassDirectory.compile(directory, name, source);
    Throwable thrown =
        assertThrows(
            IllegalStateException.class,
            () -> ClassDirectory.enhance(classes, directory.resolve("enhanced")));
    return Arrays.toString(thrown.getSuppressed()) + thrown + thrown.getCause();
  }

  /** The fields of a {@code Vector} that its subclasses see are empty in a persistent object. */
  @Test
  void aVectorThatUsesTheFieldsOfItsElementsFailsTheBuild() throws Exception {
    String ring =
        refusal(
            "acme.Ring",
            """
            package acme;
            @io.pmstore.Persistent
            public class Ring extends java.util.Vector<String> {
              Object at(int index) {
                return elementData[index];
              }
            }
            """);
    assertTrue(ring.contains("class acme.Ring, method at (Ring.java:5)"), () -> ring);
    assertTrue(ring.contains("elementData of java.util.Vector"), () -> ring);
  }

  @Test
  void aClassThatUsesThemThroughItsSuperclassFailsTheBuild() throws Exception {
    String pile =
        refusal(
            "acme.Pile",
            """
            package acme;
            @io.pmstore.Persistent
            public class Pile extends java.util.Stack<String> {
              static class A extends Pile {
                int elementCount;
                int count() {
                  return elementCount;
                }
              }
              static class Longer extends Pile {
                int count() {
                  return elementCount;
                }
              }
            }
            """);
    assertTrue(pile.contains("class acme.Pile$Longer, method count (Pile.java:12)"), () -> pile);
  }

  /** A class of a library. */
  public static class Library<E> extends java.util.ArrayList<E> {
    private static final long serialVersionUID = 1;
  }

  @Test
  void elementsOfASuperclassThatIsNotEnhancedFailTheBuild() throws Exception {
    String message =
        refusal(
            "acme.Words",
            "package acme; @io.pmstore.Persistent public class Words"
                + " extends io.pmstore.enhance.EnhancePluginTest.Library<String> {}");
    assertTrue(
        message.contains(
            "class acme.Words, the elements of its superclass " + Library.class.getName()),
        message);
  }

  @Test
  void aClassThatExtendsOneOfTheJdkWithFieldsFailsTheBuild() throws Exception {
    String message =
        refusal(
            "acme.Words",
            "package acme; @io.pmstore.Persistent public class Words"
                + " extends java.util.PriorityQueue<String> { int number; }");
    assertTrue(message.contains("class acme.Words extends java.util."), message);
  }

  @Test
  void classFilesOfJava5AreEnhanced() throws Exception {
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.Old",
            """
            package acme;
            @io.pmstore.Persistent(root = "old")
            public class Old {
              private int count;
              private String text;
              public String add(int times) {
                for (int i = 0; i < times; i++) {
                  count += i % 2 == 0 ? 1 : 2;
                }
                text = count > 3 ? "many" : "few";
                return text;
              }
            }
            """,
            "--release",
            "8");
    Path file = classes.resolve("acme/Old.class");
    ClassWriter old = new ClassWriter(0);
    new ClassReader(Files.readAllBytes(file))
        .accept(
            new ClassVisitor(Opcodes.ASM9, old) {
              @Override
              public void visit(
                  int version, int access, String name, String type, String above, String[] all) {
                super.visit(Opcodes.V1_5, access, name, type, above, all);
              }
            },
            ClassReader.SKIP_FRAMES);
    Files.write(file, old.toByteArray());
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.")) {
      Class<?> type = loader.loadClass("acme.Old");
      for (String text : new String[] {"few", "many"}) {
        try (PmStore store = PmStore.open(directory.resolve("store"))) {
          assertEquals(text, type.getMethod("add", int.class).invoke(store.root(type), 2));
        }
      }
    }
  }

  @Test
  void aClassThatUsesFieldsAndWasNotEnhancedIsFound() throws Exception {
    String open =
        "package acme; @io.pmstore.Persistent public class Open implements java.io.Serializable {"
            + " public int value; }";
    ClassDirectory.compile(directory, "acme.Open", open);
    Path classes =
        ClassDirectory.compile(
            directory,
            "acme.User",
            "package acme;\n"
                + "public class User {\n"
                + "  static int of(Open open) { return open.value; }\n"
                + "}",
            "-sourcepath",
            directory.resolve("src").toString());
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    for (boolean whole : new boolean[] {true, false}) {
      if (!whole) {
        Files.copy(
            classes.resolve("acme/User.class"),
            enhanced.resolve("acme/User.class"),
            StandardCopyOption.REPLACE_EXISTING);
      }
      try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.");
          PmStore store = PmStore.open(directory.resolve("store" + whole))) {
        Class<?> type = loader.loadClass("acme.Open");
        if (whole) {
          Object object = store.create(type);
          ObjectOutputStream out = new ObjectOutputStream(OutputStream.nullOutputStream());
          out.writeObject(type.getConstructor().newInstance());
          assertThrows(NotSerializableException.class, () -> out.writeObject(object));
        } else {
          String message =
              assertThrows(ClassRefusedException.class, () -> store.create(type)).getMessage();
          assertTrue(
              message.contains("of acme.User uses the field value directly (User.java:3)"),
              message);
        }
      }
    }
  }

  @Test
  void aClassThatWasEnhancedAgainstAnotherSuperclassIsRefused() throws Exception {
    String base = "package acme; public class Base { protected int one; %s }";
    String source =
        "package acme; @io.pmstore.Persistent public class Sub extends Base { int two; }";
    ClassDirectory.compile(directory, "acme.Base", base.formatted(""));
    Path classes =
        ClassDirectory.compile(
            directory, "acme.Sub", source, "-sourcepath", directory.resolve("src").toString());
    Path enhanced = ClassDirectory.enhance(classes, directory.resolve("enhanced"));
    Path changed = directory.resolve("changed");
    Path other =
        ClassDirectory.compile(changed, "acme.Base", base.formatted("protected int three;"));
    ClassDirectory.compile(
        changed, "acme.Sub", source, "-sourcepath", changed.resolve("src").toString());
    Path otherEnhanced = ClassDirectory.enhance(other, changed.resolve("enhanced"));
    Files.copy(
        otherEnhanced.resolve("acme/Base.class"),
        enhanced.resolve("acme/Base.class"),
        StandardCopyOption.REPLACE_EXISTING);
    try (URLClassLoader loader = ClassDirectory.loader(enhanced, "acme.");
        PmStore store = PmStore.open(directory.resolve("store"))) {
      Class<?> type = loader.loadClass("acme.Sub");
      String message =
          assertThrows(ClassRefusedException.class, () -> store.create(type)).getMessage();
      assertNotNull(message);
      assertTrue(message.contains("not enhanced together with the field three"), message);
    }
  }
}
