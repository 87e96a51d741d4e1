package io.pmstore.crash;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The places in the program that make something durable, found by running it; one of them can be
 * disabled. A disk and its images share them.
 */
public final class Barriers {
  private static final StackWalker WALKER = StackWalker.getInstance();

  private final Map<String, Integer> passed = new TreeMap<>();
  private final Set<String> ignored;
  private final boolean watched;

  private Barriers(Set<String> ignored, boolean watched) {
    this.ignored = ignored;
    this.watched = watched;
  }

  /** Lets every barrier have its effect. */
  public static Barriers all() {
    return new Barriers(Set.of(), true);
  }

  /** Lets every barrier have its effect, without noting where it is. */
  public static Barriers unwatched() {
    return new Barriers(Set.of(), false);
  }

  /**
   * Takes the effect away from some places.
   *
   * @param sites keys of {@link #passed} of an earlier run
   */
  public static Barriers without(Set<String> sites) {
    return new Barriers(Set.copyOf(sites), true);
  }

  /**
   * Notes that a barrier is passed.
   *
   * @param kind what it does
   * @param file to which kind of file
   * @return whether it has an effect
   */
  public boolean pass(String kind, String file) {
    if (!watched) {
      return true;
    }
    // Segments of a log are files of one kind.
    String site = "%s %s %s".formatted(kind, file.replaceAll("[0-9]+", "*"), caller());
    passed.merge(site, 1, Integer::sum);
    return !ignored.contains(site);
  }

  /** The innermost frame of the program, and the one from which its class was called. */
  private static String caller() {
    return WALKER.walk(
        frames -> {
          List<StackFrame> program =
              frames.filter(frame -> isProduction(frame.getClassName())).limit(20).toList();
          if (program.isEmpty()) {
            return "-";
          }
          StackFrame inner = program.getFirst();
          return program.stream()
              .filter(frame -> !topLevel(frame).equals(topLevel(inner)))
              .findFirst()
              .map(outer -> describe(inner) + " < " + describe(outer))
              .orElse(describe(inner));
        });
  }

  private static String describe(StackFrame frame) {
    return "%s.%s:%d".formatted(topLevel(frame), frame.getMethodName(), frame.getLineNumber());
  }

  private static String topLevel(StackFrame frame) {
    String name = frame.getClassName();
    int nested = name.indexOf('$');
    return name.substring(name.lastIndexOf('.') + 1, nested < 0 ? name.length() : nested);
  }

  private static boolean isProduction(String className) {
    return className.startsWith("io.pmstore.")
        && !className.startsWith("io.pmstore.crash.")
        && !className.startsWith("io.pmstore.core.crash."); // the tests of core
  }

  /** The places that were passed (barrier, file and place), and how often. */
  public Map<String, Integer> passed() {
    return passed;
  }
}
