package io.pmstore.enhance.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes of published jars, enhanced: each does what the class does as it is.
 *
 * <p>{@code -Dpmstore.corpus=DIR} has Maven download the jars of units.txt into a directory, if
 * they are not there, and tries all their classes; the report is written there. Without it the
 * units that the class path has are tried. {@code -Dpmstore.corpus.only=REGEX} chooses units.
 */
class EnhancedCorpusTest {
  private static final String DIRECTORY = System.getProperty("pmstore.corpus", "");
  private static final Pattern ONLY =
      Pattern.compile(System.getProperty("pmstore.corpus.only", ""));
  private static final long SEED =
      Long.getLong("pmstore.seed", new Random().nextLong(1_000_000_000));
  private static final int SECONDS = 60;
  private static final double WORKING = 0.975; // see docs/results/enhanced-corpus/README.md

  @TempDir Path temporary;

  private final Map<Unit, Map<String, Outcome>> outcomes = new java.util.LinkedHashMap<>();

  @Timeout(value = 90, unit = TimeUnit.MINUTES) // on slow machines
  @Test
  void classesOfPublishedJarsWork() throws Exception {
    assumeTrue(!DIRECTORY.isEmpty(), "no corpus: -Dpmstore.corpus=DIR says where its jars are");
    List<Unit> units =
        Unit.all().stream().filter(unit -> ONLY.matcher(unit.coordinates()).find()).toList();
    Path directory = Path.of(DIRECTORY).toAbsolutePath();
    UnitJars jars = new UnitJars(Files.createDirectories(directory));
    jars.download(units, maven());
    for (Unit unit : units) {
      assertTrue(Files.exists(jars.jar(unit)), () -> unit + ": see " + directory + "/maven.log");
      tryAll(unit, jars.jar(unit), jars.libraries(unit));
      Report report = new Report(outcomes, SEED);
      Files.writeString(directory.resolve("report.md"), report.table());
      Files.writeString(directory.resolve("classes.txt"), report.classes());
    }
    check(new Report(outcomes, SEED));
  }

  @Test
  void classesOfTheJarsOfTheClassPathWork() throws Exception {
    for (Unit unit : Unit.all()) {
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        if (entry.endsWith(File.separator + unit.jar())) {
          tryAll(unit, Path.of(entry), List.of());
        }
      }
    }
    assertTrue(outcomes.size() >= 3, () -> outcomes.keySet() + " are on the class path");
    check(new Report(outcomes, SEED));
  }

  private static void check(Report report) {
    assertEquals(List.of(), report.faults(), "wrong in silence, or fails otherwise");
    assertTrue(report.share() >= WORKING, () -> report.table());
  }

  private static Path maven() {
    Path here = Path.of("").toAbsolutePath();
    Path wrapper = here.resolve("mvnw");
    return Files.exists(wrapper) ? wrapper : here.resolveSibling("mvnw");
  }

  @SuppressWarnings("SystemOut") // who asks for a corpus wants to see how far it is
  private static void print(String line) {
    System.out.println(line);
  }

  private void tryAll(Unit unit, Path jar, List<Path> libraries) throws Exception {
    try (URLClassLoader parent =
            new URLClassLoader(urls(libraries), EnhancedCorpusTest.class.getClassLoader());
        URLClassLoader resources = new URLClassLoader(urls(List.of(jar)), null)) {
      List<Path> parts =
          libraries.stream()
              .filter(
                  library ->
                      unit.parts().stream()
                          .anyMatch(part -> library.getFileName().toString().startsWith(part)))
              .toList();
      UnitClasses classes = new UnitClasses(jar, parts, parent, unit.domain());
      Map<String, Outcome> found = new TreeMap<>();
      outcomes.put(unit, found);
      long start = System.nanoTime();
      for (String name : classes.domain()) {
        String refused = classes.refused().get(name);
        found.put(
            name,
            refused == null
                ? tried(name, classes, parent, resources)
                : Outcome.of(Outcome.Kind.REFUSED, "at build time: " + refused));
      }
      print(
          "%s: %s, %d s, seed %d"
              .formatted(
                  unit.coordinates(),
                  Report.counts(found.values()),
                  (System.nanoTime() - start) / 1_000_000_000,
                  SEED));
    }
  }

  private Outcome tried(
      String name, UnitClasses classes, ClassLoader libraries, ClassLoader resources)
      throws Exception {
    Path store = Files.createTempDirectory(temporary, "store");
    FutureTask<Outcome> task =
        new FutureTask<>(
            () ->
                new Trial(name, classes, libraries, resources, store.resolve("store"), SEED).run());
    Thread thread = new Thread(task, "trial of " + name);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get(SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return Outcome.of(
          Outcome.Kind.UNTRIED,
          "not ended after " + SECONDS + " s: " + List.of(thread.getStackTrace()));
    } finally {
      delete(store);
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (var all = Files.walk(directory)) {
      files = new ArrayList<>(all.toList());
    }
    for (Path file : files.reversed()) {
      boolean _ = Files.deleteIfExists(file);
    }
  }

  private static URL[] urls(List<Path> files) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path file : files) {
      urls.add(file.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
