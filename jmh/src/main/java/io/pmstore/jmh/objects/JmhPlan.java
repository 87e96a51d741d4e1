package io.pmstore.jmh.objects;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Which benchmarks of a class run, and how.
 *
 * @param rungs a regular expression for the names of methods
 * @param params values of parameters; others have their defaults
 * @param forks for the estimate: how many JVMs that makes, one for each method with each value of
 *     each parameter; more for one that takes longer than others
 */
record JmhPlan(Class<?> benchmark, String rungs, Map<String, List<String>> params, int forks) {
  JmhPlan {
    params = Map.copyOf(params);
  }

  /** All of a class, with all values of its parameters. */
  static JmhPlan all(Class<?> benchmark, int forks) {
    return new JmhPlan(benchmark, ".*", Map.of(), forks);
  }

  /** The class's name without "Benchmark". */
  String name() {
    return nameOf(benchmark.getSimpleName());
  }

  /** The only value of the parameter {@code storage}; null if it has several, or is not given. */
  @Nullable String storage() {
    List<String> values = params.getOrDefault("storage", List.of());
    return values.size() == 1 ? values.getFirst() : null;
  }

  static String nameOf(String simpleName) {
    return simpleName.replaceFirst("Benchmark$", "");
  }

  ChainedOptionsBuilder options() {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("^" + benchmark.getName().replace(".", "\\.") + "\\.(" + rungs + ")$")
            .shouldFailOnError(true);
    params.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    return options;
  }
}
