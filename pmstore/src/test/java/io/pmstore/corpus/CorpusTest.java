package io.pmstore.corpus;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.PmStore;
import io.pmstore.PmStoreOptions;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Domain classes of other projects, annotated and otherwise as they are: each is made, all setters
 * are called, it is stored, the store is opened again and what it shows is compared.
 *
 * <p>They are in the directory that {@code -Dpmstore.corpus=DIR} names: {@code DIR/units} has the
 * jars, or directories of class files, to take classes from; {@code DIR/lib/UNIT} the jars that one
 * needs, {@code DIR/lib/common} those of units that have no such directory. {@code
 * -Dpmstore.corpus.domain=REGEX} says which classes are of the domain, by their names.
 */
class CorpusTest {
  private static final String DIRECTORY = System.getProperty("pmstore.corpus", "");
  private static final boolean REGISTERED =
      !System.getProperty("pmstore.corpus.codecs", "true").equals("false");
  private static final double ACCEPTED = 0.9;

  @TempDir Path temporary;

  /** Holds the objects. */
  @Persistent(root = "corpus")
  static class Corpus {
    private Map<String, Object> objects = new HashMap<>();

    Map<String, Object> getObjects() {
      return objects;
    }
  }

  /** What became of each class, by its name. */
  private final Map<String, String> outcomes = new TreeMap<>();

  @Test
  void domainClassesOfOtherProjectsAreKeptAsTheyAre() throws Exception {
    assumeTrue(
        !DIRECTORY.isEmpty(),
        "no corpus: -Dpmstore.corpus=DIR names a directory with units/ and lib/");
    for (Path unit : files(Path.of(DIRECTORY, "units"))) {
      int before = outcomes.size();
      try (CorpusLoader loader = new CorpusLoader(unit, libraries(unit))) {
        new Unit(loader).run();
      }
      print(unit.getFileName() + ": " + (outcomes.size() - before) + " classes");
    }
    Map<String, Integer> table = new TreeMap<>();
    outcomes.forEach(
        (name, outcome) -> {
          print(name + "  " + outcome);
          table.merge(Reasons.of(outcome), 1, Integer::sum);
        });
    print("| classes | outcome |\n|---|---|");
    table.entrySet().stream()
        .sorted((a, b) -> b.getValue() - a.getValue())
        .forEach(e -> print("| " + e.getValue() + " | " + e.getKey() + " |"));
    List<String> wrong =
        outcomes.entrySet().stream()
            .filter(e -> !Reasons.isSound(e.getValue()))
            .map(Object::toString)
            .toList();
    assertTrue(
        wrong.isEmpty(), () -> wrong.size() + " classes are kept wrongly, or fail otherwise");
    long equal = outcomes.values().stream().filter(Reasons.EQUAL::equals).count();
    assertTrue(equal >= ACCEPTED * outcomes.size(), equal + " of " + outcomes.size() + " are kept");
  }

  @SuppressWarnings("SystemOut") // who asks for a corpus wants to see the table
  private static void print(String line) {
    System.out.println(line);
  }

  private static List<Path> libraries(Path unit) throws IOException {
    Path lib = Path.of(DIRECTORY, "lib");
    Path own = lib.resolve(unit.getFileName());
    return files(Files.isDirectory(own) ? own : lib.resolve("common"));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  /** One code source. */
  private final class Unit {
    private final CorpusLoader loader;
    private final Path store = temporary.resolve("store-" + outcomes.size());
    private final PmStoreOptions options;
    private final Map<String, Object> plain = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> methods = new HashMap<>();

    Unit(CorpusLoader loader) {
      this.loader = loader;
      this.options =
          REGISTERED
              ? LibraryValues.registered(PmStoreOptions.defaults(), loader)
              : PmStoreOptions.defaults();
    }

    void run() throws Exception {
      try (PmStore opened = PmStore.open(store, options)) {
        int seed = 0;
        for (String name : loader.domainClasses()) {
          seed += 1000;
          Class<?> type = loaded(name, seed);
          if (type != null) {
            String outcome = keep(opened, type, seed);
            if (!outcome.startsWith("a library")) {
              outcomes.put(name, outcome);
            }
          }
        }
      }
      Class<?>[] classes = plain.values().stream().map(Object::getClass).toArray(Class<?>[]::new);
      try (PmStore opened = PmStore.open(store, options.classes(classes))) {
        Map<String, Object> kept = opened.root(Corpus.class).getObjects();
        for (String name : plain.keySet()) {
          Object object = kept.get(name);
          outcomes.put(name, object == null ? "wrong: it is lost" : compare(name, object));
        }
      }
    }

    /** The class, or null if it is abstract or does not work by itself, as without a server. */
    private Class<?> loaded(String name, int seed) {
      try {
        Class<?> type = Class.forName(name, true, loader);
        if (Modifier.isAbstract(type.getModifiers())) {
          return null;
        }
        Object one = new SampleValues(seed).filled(type);
        long then = System.currentTimeMillis();
        while (System.currentTimeMillis() == then) {
          Thread.onSpinWait(); // what shows the time shows another one
        }
        Object other = new SampleValues(seed).filled(type);
        if (!Portrait.ofFields(one).equals(Portrait.ofFields(other))) {
          return null;
        }
        Map<String, String> shown = Portrait.ofMethods(one);
        shown.entrySet().retainAll(Portrait.ofMethods(other).entrySet());
        shown.keySet().removeAll(loader.showingTheirClass(type)); // which is not the same
        plain.put(name, new SampleValues(seed).filled(type)); // getters may assign
        methods.put(name, shown);
        return type;
      } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
        return null;
      }
    }

    /** Stores one object that is converted and one that is made in the store. */
    private String keep(PmStore opened, Class<?> type, int seed) {
      try {
        Object converted = new SampleValues(seed).filled(type);
        Map<String, Object> objects = opened.root(Corpus.class).getObjects();
        opened.transaction(() -> objects.put(type.getName(), converted));
        if (type.getName().hashCode() % 2 == 0) {
          opened.transaction(
              () -> {
                Object created = opened.create(type);
                new SampleValues(seed).fill(created, 0);
                objects.put(type.getName(), created);
                return true;
              });
        }
        return Reasons.EQUAL;
      } catch (ClassRefusedException | NotPersistableException e) {
        plain.remove(type.getName());
        return Reasons.REFUSED + e.getMessage();
      } catch (NoClassDefFoundError e) {
        plain.remove(type.getName());
        return "a library is missing: " + e;
      } catch (Throwable e) {
        plain.remove(type.getName());
        return "fails: " + e;
      }
    }

    private String compare(String name, Object kept) throws ReflectiveOperationException {
      Object original = Objects.requireNonNull(plain.get(name));
      try {
        String differences =
            differences(Portrait.ofFields(original), Portrait.ofFields(kept))
                + differences(Objects.requireNonNull(methods.get(name)), Portrait.ofMethods(kept));
        return differences.isEmpty() ? Reasons.EQUAL : "wrong: " + differences;
      } catch (InvocationTargetException e) {
        return "fails: " + e.getCause();
      }
    }

    private static String differences(Map<String, String> expected, Map<String, String> found) {
      StringBuilder text = new StringBuilder();
      expected.forEach(
          (member, value) -> {
            String other = String.valueOf(found.get(member));
            if (!value.equals(other) && !other.endsWith("NoClassDefFoundError")) {
              text.append(member)
                  .append(" expected ")
                  .append(value)
                  .append(" found ")
                  .append(other)
                  .append("; ");
            }
          });
      return text.toString();
    }
  }
}
