package io.pmstore.jmh.objects;

import io.pmstore.Storage;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * The figures of a JMH benchmark. A sample is the score of an iteration; percentiles of sampled
 * times are those of all iterations.
 *
 * <p>The workload is the class's name without "Benchmark", with what parameters choose that are no
 * size; the target is the method, without its number of threads.
 */
final class JmhFigures {
  static final String SUITE = "objects";

  private static final List<String> SIZES =
      List.of("objects", "bookSize", "storedObjects", "recoveredObjects", "scatteredObjects");
  private static final List<String> CHOICES = List.of("graph", "kind");

  /** The benchmarks that end in durable commits. */
  private static final Pattern SYNC =
      Pattern.compile(
          "((File|Pmem)Commit(Rate)?|PmemLatency|AllocationCommit)\\..*"
              + "|MapPut\\.(transactionEach|oldKeys)"
              + "|Setter\\.(heapOutside|setterOutside|llplInside|llplOutside)");

  /** The benchmarks whose commits are acknowledged before they are durable. */
  private static final Pattern RELAXED = Pattern.compile("Metrics\\..*");

  /** The benchmarks that use no store. */
  private static final Pattern PLAIN = Pattern.compile(".*\\.plain.*");

  /** The benchmarks on an ordinary file that have no parameter for it. */
  private static final Pattern FILE =
      Pattern.compile("File.*|Metrics\\..*|.*\\.rawSegment|Recovery\\..*Cold");

  private static final List<String> PERCENTILES = List.of("50", "99", "99.9");

  private JmhFigures() {}

  /** The figures of a benchmark with one value of each parameter. */
  static List<Measurement> of(RunResult result) {
    Subject subject = subject(result.getParams());
    boolean throughput = result.getParams().getMode() == Mode.Throughput;
    String unit = unit(result.getPrimaryResult().getScoreUnit());
    List<Double> samples = new ArrayList<>();
    for (BenchmarkResult fork : result.getBenchmarkResults()) {
      for (IterationResult iteration : fork.getIterationResults()) {
        samples.add(iteration.getPrimaryResult().getScore());
      }
    }
    List<Measurement> figures = new ArrayList<>();
    figures.add(new Measurement(subject, throughput ? "throughput" : "time", unit, samples));
    if (result.getParams().getMode() == Mode.SampleTime) {
      Statistics all = result.getPrimaryResult().getStatistics();
      for (String percentile : PERCENTILES) {
        double score = all.getPercentile(Double.parseDouble(percentile));
        figures.add(Measurement.of(subject, "p" + percentile, unit, score));
      }
    }
    return figures;
  }

  /** Turns {@code ns/op} into {@code ns}; {@code ops/s} stays. */
  static String unit(String scoreUnit) {
    return scoreUnit.replaceFirst("/op$", "");
  }

  private static Subject subject(BenchmarkParams params) {
    String[] path = params.getBenchmark().split("\\.", -1);
    String name = JmhPlan.nameOf(path[path.length - 2]);
    String method = path[path.length - 1];
    String rung = name + "." + method;
    StringBuilder workload = new StringBuilder(name);
    for (String choice : CHOICES) {
      String value = params.getParam(choice);
      if (value != null) {
        workload.append(' ').append(value.toLowerCase(Locale.ROOT));
      }
    }
    return new Subject(
        SUITE,
        workload.toString(),
        method.replaceFirst("On\\d+Threads?$", ""),
        medium(rung, params.getParam("storage")),
        durability(rung),
        params.getThreads(),
        size(params));
  }

  private static String durability(String rung) {
    if (RELAXED.matcher(rung).matches()) {
      return Subject.RELAXED;
    }
    return SYNC.matcher(rung).matches() ? Subject.SYNC : Subject.NONE;
  }

  static String medium(String rung, @Nullable String storage) {
    if (PLAIN.matcher(rung).matches()) {
      return Subject.MEMORY;
    }
    boolean file =
        storage == null ? FILE.matcher(rung).matches() : storage.equals(Storage.FILE.name());
    return file ? Subject.FILE : Subject.PMEM;
  }

  private static long size(BenchmarkParams params) {
    for (String name : SIZES) {
      String value = params.getParam(name);
      if (value != null) {
        return Long.parseLong(value);
      }
    }
    return 0;
  }
}
