package io.pmstore.maven;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goal over a program whose class changes after a version was released. */
class CheckMojoTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private static final String ORDER =
      """
      package acme;
      @io.pmstore.Persistent(root = "order")
      public class Order {
        private String symbol = "A";
        private long price = 7;
        public String getSymbol() { return symbol; }
        public void setSymbol(String symbol) { this.symbol = symbol; }
        public long getPrice() { return price; }
        public void setPrice(long price) { this.price = price; }
      }
      """;

  private static final String WRITE =
      """
      package acme;
      public class Write {
        public static void main(String[] a) {
          try (var store = io.pmstore.PmStore.open(java.nio.file.Path.of(a[0] + ".open"))) {
            store.root(Order.class).setPrice(8);
            store.backup(java.nio.file.Path.of(a[0]));
          }
        }
      }
      """;

  @TempDir Path temp;
  private Path golden;

  @BeforeEach
  void releaseVersion1() throws Exception {
    golden = Files.createDirectory(temp.resolve("golden"));
    Path classes = compile("v1", ORDER, WRITE);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classes + File.pathSeparator + CLASS_PATH,
                "acme.Write",
                temp.resolve("1.0").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    Files.move(temp.resolve("1.0"), golden.resolve("1.0"));
  }

  private Path compile(String directory, String... sources) throws Exception {
    Path to = Files.createDirectories(temp.resolve(directory));
    List<String> arguments = new ArrayList<>(List.of("-d", to.toString(), "-cp", CLASS_PATH));
    for (String source : sources) {
      String name = source.replaceAll("(?s).*?public class (\\w+).*", "$1");
      Path file = temp.resolve(directory + "-src").resolve(name + ".java");
      Files.createDirectories(file.getParent());
      Files.writeString(file, source);
      arguments.add(file.toString());
    }
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, System.out, System.err, arguments.toArray(String[]::new));
    assertEquals(0, code);
    return to;
  }

  private CheckMojo goal(Path classes, @Nullable String options) {
    return goal(golden.toFile(), classes, options);
  }

  private CheckMojo goal(@Nullable File stores, Path classes, @Nullable String options) {
    List<String> path = Stream.of(CLASS_PATH.split(File.pathSeparator)).toList();
    List<String> all = new ArrayList<>(List.of(classes.toString()));
    all.addAll(path);
    File usual = temp.resolve("nowhere").toFile();
    return new CheckMojo(stores, usual, classes.toFile(), all, options);
  }

  /** Returns the files of the golden stores, with their bytes. */
  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(golden)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        contents.put(golden.relativize(file).toString(), new String(bytes, ISO_8859_1));
      }
    }
    return contents;
  }

  @Test
  void classesThatFitPass() throws Exception {
    Map<String, String> before = contents();
    goal(compile("v2", ORDER), null).execute();
    String more = ORDER.replace("private long price = 7;", "private long price = 7; int lots = 1;");
    goal(compile("v3", more), null).execute();
    assertEquals(before, contents(), "the store is as it was");
  }

  @Test
  void variantsOfClassesForOtherVersionsOfJavaAreNoClassesOfTheirOwn() throws Exception {
    Path classes = compile("v2", ORDER);
    Path variant = classes.resolve("META-INF/versions/25/acme/Order.class");
    Files.createDirectories(variant.getParent());
    Files.copy(classes.resolve("acme/Order.class"), variant);
    goal(classes, null).execute();
  }

  @Test
  void aChangeWithoutMappingFailsTheBuild() throws Exception {
    String renamed = ORDER.replace("symbol", "ticker").replace("Symbol", "Ticker");
    MojoFailureException e =
        assertThrows(
            MojoFailureException.class, () -> goal(compile("v2", renamed), null).execute());
    for (String part : List.of("1.0", "acme.Order", "symbol", "ticker", "docs/evolution.md")) {
      assertTrue(e.getMessage().contains(part), e::getMessage);
    }
  }

  /** By class, member and line; with no store of an earlier version, too. */
  @Test
  void whatAStoreCannotKeepFailsTheBuild() throws Exception {
    String refused =
        """
        package acme;
        @io.pmstore.Persistent
        public class Refused {
          private Thread worker;
          private java.util.concurrent.atomic.AtomicLong count;
          public final long next() { return count.incrementAndGet(); }
        }
        """;
    Path classes = compile("v2", refused);
    MojoFailureException e =
        assertThrows(MojoFailureException.class, () -> goal(null, classes, null).execute());
    List<String> parts =
        List.of(
            "class acme.Refused", "worker", "java.lang.Thread", "count", "next", "Refused.java:6");
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e::getMessage);
    }
    goal(null, compile("v3", ORDER), null).execute(); // there are no stores, and need not be
  }

  @Test
  void optionsMapWhatChanged() throws Exception {
    String options =
        """
        package acme;
        import io.pmstore.Migration;
        import io.pmstore.PmStoreOptions;
        public class Options implements java.util.function.Supplier<PmStoreOptions> {
          private Options() {}
          public PmStoreOptions get() {
            return PmStoreOptions.defaults()
                .migrations(Migration.of(Order.class, "price", (old, order) -> old.get("price") + " cents"));
          }
        }
        """;
    String text =
        ORDER
            .replace("long price = 7", "String price = \"7 cents\"")
            .replace("long getPrice", "String getPrice")
            .replace("setPrice(long", "setPrice(String");
    Path classes = compile("v2", text, options);
    assertThrows(MojoFailureException.class, () -> goal(classes, null).execute());
    goal(classes, "acme.Options").execute();
    MojoExecutionException e =
        assertThrows(MojoExecutionException.class, () -> goal(classes, "acme.Missing").execute());
    assertTrue(e.getMessage().contains("acme.Missing"), e::getMessage);
  }

  /** It is no change of a class, so the message does not advise on one. */
  @Test
  void optionsThatCannotBeMadeAreNamed() throws Exception {
    String options =
        """
        package acme;
        public class Options implements java.util.function.Supplier<io.pmstore.PmStoreOptions> {
          public io.pmstore.PmStoreOptions get() {
            throw new IllegalStateException("no key in the environment");
          }
        }
        """;
    Path classes = compile("v2", ORDER, options);
    MojoExecutionException e =
        assertThrows(MojoExecutionException.class, () -> goal(classes, "acme.Options").execute());
    assertTrue(e.getMessage().contains("no key in the environment"), e::getMessage);
    assertFalse(e.getMessage().contains("evolution.md"), e::getMessage);
    e = assertThrows(MojoExecutionException.class, () -> goal(classes, "acme.Order").execute());
    assertTrue(e.getMessage().contains("acme.Order"), e::getMessage);
  }

  @Test
  void whatCannotBeCheckedDoesNotPass() throws Exception {
    Path classes = compile("v2", ORDER);
    Path none = compile("v3", "package acme; public class Plain {}");
    MojoExecutionException e =
        assertThrows(MojoExecutionException.class, () -> goal(none, null).execute());
    assertTrue(e.getMessage().contains("@Persistent"), e::getMessage);
    Path empty = Files.createDirectory(golden.resolve("2.0"));
    e = assertThrows(MojoExecutionException.class, () -> goal(classes, null).execute());
    assertTrue(e.getMessage().contains("2.0"), e::getMessage);
    Files.delete(empty);
    golden = temp.resolve("elsewhere");
    e = assertThrows(MojoExecutionException.class, () -> goal(classes, null).execute());
    assertTrue(e.getMessage().contains("store.backup"), e::getMessage);
    golden = Files.createDirectory(temp.resolve("empty"));
    assertThrows(MojoExecutionException.class, () -> goal(classes, null).execute());
  }
}
