import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * Checks every Java source of the project, in any module and in tests: google-java-format has
 * formatted it, and only one class maps memory. Refuses cycles between the packages of a module.
 *
 * <p>The root pom runs this class on the project's own JDK, because the formatter parses with the
 * compiler of the JDK that it runs on, and Maven may run on a JDK that does not know the language
 * level of the sources.
 *
 * <p>Arguments: {@code check} or {@code apply}, and the directory of the project.
 */
final class SourceCheck {
  private static final int FORMAT_PASSES_MAX = 2;

  private static final Path MAPPING_CLASS =
      Path.of("pmstore-core/src/main/java/io/pmstore/core/memory/MappedFiles.java");

  /** A source maps memory through the JDK or through a native function, by one of these names. */
  private static final Pattern MAPPING =
      Pattern.compile("\\bMapMode\\b|\"(mmap(64)?|mremap|pmem_map_file|pmem2_map_\\w+)\"");

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\n]*");
  private static final Pattern USED_PACKAGE =
      Pattern.compile("\\b((?:[a-z][a-z0-9_]*\\.)+)(?=[A-Z])");

  public static void main(String[] args) throws IOException {
    if (args.length != 2 || !(args[0].equals("check") || args[0].equals("apply"))) {
      System.err.println("arguments: check|apply DIRECTORY, not " + List.of(args));
      System.exit(2);
    }
    Path root = Path.of(args[1]).toRealPath();
    List<Path> sources = sources(root);
    if (sources.isEmpty()) {
      System.err.println("no Java source under " + root + ": is it the project's directory?");
      System.exit(2);
    }
    boolean clean = format(args[0].equals("apply"), sources, System.err);
    clean &= mapsNothing(root, sources, System.err);
    clean &= hasNoCycles(root, sources, System.err);
    if (!clean) {
      System.exit(1);
    }
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> sources = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean skipped =
                name.equals("target") || (name.startsWith(".") && !directory.equals(root));
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              sources.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    sources.sort(null);
    return sources;
  }

  /** The formatter itself prints the files that differ, and where a file does not parse. */
  private static boolean format(boolean apply, List<Path> sources, PrintStream out) {
    // What the formatter made of a long comment it may format further the next time.
    for (int pass = 0; apply && pass < FORMAT_PASSES_MAX; pass++) {
      if (formatter(sources, out, "--replace") != 0) {
        return false;
      }
    }
    boolean clean = formatter(sources, out, "--dry-run", "--set-exit-if-changed") == 0;
    if (!clean) {
      out.println(
          apply
              ? "The files above come out differently at each run of google-java-format: change"
                  + " them"
              : "The files above are not formatted as google-java-format does; run ./format");
    }
    return clean;
  }

  private static int formatter(List<Path> sources, PrintStream out, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    sources.forEach(source -> arguments.add(source.toString()));
    return ToolProvider.findFirst("google-java-format")
        .orElseThrow(() -> new IllegalStateException("google-java-format is not on the class path"))
        .run(out, out, arguments.toArray(String[]::new));
  }

  private static boolean mapsNothing(Path root, List<Path> sources, PrintStream out)
      throws IOException {
    boolean clean = true;
    for (Path source : sources) {
      if (source.endsWith("SourceCheck.java") || source.equals(root.resolve(MAPPING_CLASS))) {
        continue;
      }
      List<String> lines = Files.readAllLines(source, UTF_8);
      for (int line = 0; line < lines.size(); line++) {
        Matcher matcher = MAPPING.matcher(lines.get(line));
        if (matcher.find()) {
          clean = false;
          out.printf(
              "%s:%d: %s maps memory; only %s may, use its methods%n",
              root.relativize(source), line + 1, matcher.group(), MAPPING_CLASS.getFileName());
        }
      }
    }
    return clean;
  }

  private static boolean hasNoCycles(Path root, List<Path> sources, PrintStream out)
      throws IOException {
    Map<Path, Map<String, Set<String>>> modules = new TreeMap<>();
    for (Path source : sources) {
      Path inModule = root.relativize(source);
      if (inModule.getNameCount() > 3 && inModule.subpath(1, 3).equals(Path.of("src", "main"))) {
        String code = COMMENT.matcher(Files.readString(source)).replaceAll("");
        Matcher declaration = PACKAGE.matcher(code);
        if (declaration.find()) {
          Set<String> used =
              modules
                  .computeIfAbsent(inModule.getName(0), none -> new TreeMap<>())
                  .computeIfAbsent(declaration.group(1), none -> new TreeSet<>());
          USED_PACKAGE
              .matcher(code)
              .results()
              .map(use -> use.group(1).substring(0, use.group(1).length() - 1))
              .forEach(used::add);
        }
      }
    }
    boolean clean = true;
    for (Map.Entry<Path, Map<String, Set<String>>> module : modules.entrySet()) {
      Map<String, Set<String>> uses = module.getValue();
      for (String name : uses.keySet()) {
        Set<String> cycle = reached(name, uses);
        cycle.removeIf(other -> !reached(other, uses).contains(name));
        boolean isFirst = !cycle.isEmpty() && cycle.iterator().next().equals(name);
        if (isFirst) {
          clean = false;
          out.printf(
              "%s: these packages use each other in a circle: %s; move a class so that one of them"
                  + " does not use the others%n",
              module.getKey(), cycle);
        }
      }
    }
    return clean;
  }

  /** Returns the packages that a package uses, those that they use, and so on. */
  private static Set<String> reached(String name, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(name));
    while (!open.isEmpty()) {
      String user = open.pop();
      for (String used : uses.get(user)) {
        if (!used.equals(user) && uses.containsKey(used) && reached.add(used)) {
          open.push(used);
        }
      }
    }
    return reached;
  }
}
