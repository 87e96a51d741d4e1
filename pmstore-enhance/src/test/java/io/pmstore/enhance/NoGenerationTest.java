package io.pmstore.enhance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program whose classes were enhanced when it was built defines no class at run time, so it can
 * run where that is forbidden. The hidden classes that the JDK makes for lambdas do not count: an
 * image has them. The program takes its JVM for an image: in any other one pmstore generates a
 * class of its own, to warm up.
 */
class NoGenerationTest {
  static final String NAME = "desk.Main";
  static final String SOURCE =
      """
      package desk;

      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      import java.nio.file.Path;
      import java.util.*;

      public class Main {
        enum Side { BUY, SELL }

        record Price(long amount, String currency) {}

        @Persistent
        static class Line {
          Side side = Side.SELL;
          Price price = new Price(7, "EUR");
          Optional<String> note = Optional.of("n");
          Map.Entry<String, Integer> pair = Map.entry("p", 1);
        }

        @Persistent(root = "desk")
        static class Desk {
          ArrayList<String> names = new ArrayList<>();
          LinkedList<Line> lines = new LinkedList<>();
          HashMap<String, Long> counts = new HashMap<>();
          TreeMap<Integer, Line> sorted = new TreeMap<>();
          Properties texts = new Properties();
          List<Line> all = new ArrayList<>();
          int[] sums = new int[2];

          void add(String name) {
            names.add(name);
            counts.merge(name, 1L, Long::sum);
            Line line = new Line();
            lines.addFirst(line);
            sorted.put(names.size(), line);
            texts.setProperty(name, "t");
            all.add(line);
            sums[1]++;
          }
        }

        public static void main(String[] arguments) {
          for (int turn = 0; turn < 2; turn++) {
            try (PmStore store = PmStore.open(Path.of(arguments[0]))) {
              Desk desk = store.root("desk", Desk.class);
              desk.add("a" + turn);
              System.out.println(
                  "has " + desk.names + desk.lines.reversed().size() + desk.sorted.lastEntry().getKey()
                      + desk.texts.getProperty("a0") + desk.all.get(0).price.amount() + desk.sums[1]);
            }
          }
        }
      }
      """;

  private static final String PLAIN =
      """
      package desk;

      import io.pmstore.ClassRefusedException;
      import io.pmstore.Persistent;
      import io.pmstore.PmStore;
      import java.nio.file.Path;

      public class Main {
        @Persistent(root = "desk")
        public static class Desk {
          private int sum;
        }

        public static void main(String[] arguments) {
          try (PmStore store = PmStore.open(Path.of(arguments[0]))) {
            System.out.println(store.root("desk", Desk.class));
          } catch (ClassRefusedException e) {
            System.out.println(e.getMessage());
          }
        }
      }
      """;

  /** What the property of images says in one that runs, and in the JVM that builds one. */
  private static final String IMAGE = "runtime";

  private static final String JVM = "buildtime";

  @TempDir Path directory;

  @Test
  void anEnhancedProgramDefinesNoClass() throws Exception {
    Path classes = ClassDirectory.compile(directory, NAME, SOURCE);
    String output = run(IMAGE, ClassDirectory.enhance(classes, directory.resolve("enhanced")));
    assertTrue(output.contains("has [a0]11t71"), output);
    assertTrue(output.contains("has [a0, a1]22t72"), output);
    assertEquals(Set.of(), definedIn(output));
  }

  /** What the other test looks for is there if a class is generated. */
  @Test
  void aGeneratedClassIsSeen() throws Exception {
    Set<String> defined = definedIn(run(JVM, ClassDirectory.compile(directory, NAME, PLAIN)));
    assertTrue(defined.contains("desk.Main$Desk$Persistent"), defined::toString);
  }

  @Test
  void anImageRefusesAClassThatIsNotEnhanced() throws Exception {
    String output = run(IMAGE, ClassDirectory.compile(directory, NAME, PLAIN));
    assertTrue(output.contains("desk.Main$Desk cannot be kept in a store: a native image"), output);
    assertEquals(Set.of(), definedIn(output));
  }

  /** Runs the program in a JVM that logs the classes that it loads. Returns what it prints. */
  private String run(String imageCode, Path classes) throws IOException, InterruptedException {
    return AgentJarTest.run(
        "-Dorg.graalvm.nativeimage.imagecode=" + imageCode,
        "-Xlog:class+load:stdout",
        "-cp",
        classes + File.pathSeparator + System.getProperty("java.class.path"),
        NAME,
        directory.resolve("store").toString());
  }

  /** Returns the classes that a look-up has defined, without hidden ones and the JDK's own. */
  private static Set<String> definedIn(String output) {
    Set<String> defined = new TreeSet<>();
    for (String line : output.lines().toList()) {
      String name = line.replaceFirst("^(\\[[^]]*])* *", "").replaceFirst(" .*", "");
      if (line.contains("source: __JVM_LookupDefineClass__")
          && !name.contains("/0x")
          && !name.startsWith("java.")) {
        defined.add(name);
      }
    }
    return defined;
  }
}
