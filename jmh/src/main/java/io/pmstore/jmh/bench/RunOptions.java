package io.pmstore.jmh.bench;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options of a run. What is wrong with one is told by an {@link IllegalArgumentException}. */
final class RunOptions {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);
  private static final int ROUNDS_MAX = 1_000;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "quick|full",
      defaultValue = "quick",
      description =
          "quick: about twenty minutes for all suites. full: every combination, with"
              + " repetitions; hours. (smoke: each step for a moment; its figures mean nothing.)"
              + " Default: ${DEFAULT-VALUE}")
  private String scale = "quick";

  @Option(
      names = "--suites",
      paramLabel = "NAME",
      split = ",",
      description = "Only these suites; --list shows them. Default: all")
  private @Nullable List<String> suites;

  @Option(
      names = "--steps",
      paramLabel = "REGEX",
      description = "Only steps in whose name this regular expression is found. Default: all")
  private @Nullable String steps;

  @Option(
      names = Bench.OUT,
      paramLabel = "DIR",
      description = "Where results are written. Default: bench-results/<time>")
  private @Nullable Path out;

  @Option(
      names = "--file",
      paramLabel = "DIR",
      description =
          "An existing directory on the disk that is measured. Default: where --out is, unless that"
              + " is in memory")
  private @Nullable Path file;

  @Option(
      names = "--pmem",
      paramLabel = "DIR",
      defaultValue = "/dev/shm",
      description =
          "An existing directory that is treated as persistent memory. Default: ${DEFAULT-VALUE}")
  private Path pmem = Path.of("/dev/shm");

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "What everything random comes from. Default: another one each time")
  private @Nullable Long seed;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How often all steps are run; each round adds its samples. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(names = "--list", description = "Show the steps and how long they take, and exit.")
  private boolean list;

  Scale scale() {
    return switch (scale) {
      case "quick" -> Scale.QUICK;
      case "full" -> Scale.FULL;
      case "smoke" -> Scale.SMOKE;
      default ->
          throw new IllegalArgumentException("the scale is quick or full, not '" + scale + "'");
    };
  }

  /** The steps that were chosen, once for each round. */
  List<Step> steps(List<Suite> all) {
    require(
        rounds >= 1 && rounds <= ROUNDS_MAX,
        "--rounds must be from 1 to " + ROUNDS_MAX + ", not " + rounds);
    Set<String> known = all.stream().map(Suite::name).collect(Collectors.toSet());
    List<String> wanted = suites == null ? List.copyOf(known) : suites;
    for (String name : wanted) {
      require(
          known.contains(name),
          "there is no suite '%s'; the suites are %s"
              .formatted(name, all.stream().map(Suite::name).collect(Collectors.joining(", "))));
    }
    Predicate<String> found = pattern();
    Scale chosen = scale();
    List<Step> once =
        all.stream()
            .filter(suite -> wanted.contains(suite.name()))
            .flatMap(suite -> suite.steps(chosen).stream())
            .filter(step -> found.test(step.name()))
            .toList();
    require(!once.isEmpty(), "no step has a name that --steps '" + steps + "' finds");
    return Stream.generate(() -> once).limit(rounds).flatMap(List::stream).toList();
  }

  private Predicate<String> pattern() {
    try {
      return steps == null ? name -> true : Pattern.compile(steps).asPredicate();
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "--steps is no regular expression: " + e.getDescription() + ": '" + steps + "'", e);
    }
  }

  boolean list() {
    return list;
  }

  int rounds() {
    return rounds;
  }

  long seed() {
    return seed != null ? seed : System.nanoTime();
  }

  Path out() {
    Path chosen =
        out != null
            ? out
            : Path.of("bench-results", LocalDateTime.now(ZoneOffset.UTC).format(TIMESTAMP));
    require(
        !Files.exists(chosen.resolve(Bench.RESULTS)),
        chosen + " has results already; give another --out");
    return chosen.toAbsolutePath().normalize();
  }

  /** Where ordinary files are; the directory for the results is there. */
  Path file(Path results) throws IOException {
    if (file != null) {
      return directory("--file", file);
    }
    List<Path> candidates = new ArrayList<>(List.of(results.resolveSibling(""), Path.of("")));
    candidates.add(Path.of(System.getProperty("java.io.tmpdir")));
    for (Path candidate : candidates) {
      if (Files.isWritable(candidate.toAbsolutePath())
          && !FileSystem.of(candidate.toAbsolutePath()).inMemory()) {
        return candidate.toAbsolutePath();
      }
    }
    return results;
  }

  Path pmem() {
    return directory("--pmem", pmem);
  }

  /** Checks the options that name directories. */
  void check() {
    if (file != null) {
      directory("--file", file);
    }
    pmem();
  }

  private static Path directory(String option, Path directory) {
    require(Files.isDirectory(directory), option + ": " + directory + " is no directory");
    require(Files.isWritable(directory), option + ": " + directory + " cannot be written");
    return directory.toAbsolutePath();
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
