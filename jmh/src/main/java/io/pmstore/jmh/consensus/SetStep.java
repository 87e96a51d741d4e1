package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.results.LatencyCurve;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.TimedRun;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.jmh.workload.Worker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Sets keys at random, by one thread and by several. Beside the contender runs a group whose state
 * machine does nothing, in the same processes, and they take turns, so that both meet the same
 * machine. All threads warm both groups up, because a JVM compiles what has run often. Recorded,
 * with a sample for each turn:
 *
 * <ul>
 *   <li>{@code throughput}, {@code p50}, {@code p90}, {@code p99};
 *   <li>{@code idle p50}, {@code idle throughput}: those of the group beside;
 *   <li>{@code p50 ratio}: of each pair of turns; the report shows their median.
 * </ul>
 */
final class SetStep implements Step {
  private static final List<String> KINDS = List.of("set");
  private static final double NANOS_PER_MICRO = 1e3;

  private final Place place;
  private final Contender contender;
  private final String medium;
  private final ConsensusPlan plan;

  SetStep(Place place, Contender contender, String medium, ConsensusPlan plan) {
    this.place = place;
    this.contender = contender;
    this.medium = medium;
    this.plan = plan;
  }

  @Override
  public String name() {
    return "%s/set/%s/%s/%s/%s"
        .formatted(
            ConsensusSuite.NAME, place.label(), contender.label(), medium, contender.durability());
  }

  @Override
  public Duration estimate() {
    return Duration.ofMillis(place == Place.LOCAL ? 5_000 : 8_000)
        .plus(
            place == Place.LOCAL
                ? WarmUp.usual(plan.warmUp(place))
                : plan.warmUp(place).multipliedBy(3).dividedBy(2))
        .plus(plan.turn().multipliedBy(2L * plan.turns() * plan.threads().size()));
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = missing(medium);
    if (missing != null) {
      context.omit(missing);
      return;
    }
    boolean alone = contender == Contender.IDLE;
    List<Contender> groups = alone ? List.of(contender) : List.of(Contender.IDLE, contender);
    try (Caller caller =
        place.open(groups, context.directory(medium), medium, plan.regionBytes())) {
      Keys keys = new Keys(plan.keys());
      for (Contender group : groups) {
        caller.fill(group, keys);
      }
      SplittableRandom random = new SplittableRandom(context.seed());
      Map<Contender, Turns> turns = new LinkedHashMap<>();
      int most = plan.threads().getLast();
      groups.forEach(group -> turns.put(group, new Turns(caller, group, keys, most, random)));
      warmUp(turns.values(), plan.warmUp(place));
      for (int threads : plan.threads()) {
        groups.forEach(group -> turns.put(group, new Turns(caller, group, keys, threads, random)));
        warmUp(turns.values(), plan.warmUp(place).dividedBy(4));
        measure(List.copyOf(turns.values()));
        record(context, threads, turns);
      }
    }
  }

  /** Returns what a medium needs and this machine lacks, or null. */
  static @Nullable String missing(String medium) {
    return new Deployment(StoreKind.PMSTORE, medium, Subject.SYNC, 1).missing();
  }

  private static void warmUp(Collection<Turns> groups, Duration needed)
      throws InterruptedException {
    if (needed.isPositive()) {
      WarmUp warmUp = new WarmUp(needed);
      do {
        for (Turns group : groups) {
          new TimedRun(warmUp.round(), 1).run(group.workers, KINDS);
        }
      } while (!warmUp.isOver());
    }
  }

  private void measure(List<Turns> groups) throws InterruptedException {
    for (int turn = 0; turn < plan.turns(); turn++) {
      for (Turns group : turn % 2 == 0 ? groups : groups.reversed()) {
        group.take(plan.turn());
      }
    }
  }

  /** A group's turns, and what they have measured. */
  private static final class Turns {
    final List<Worker> workers = new ArrayList<>();
    final List<Double> throughput = new ArrayList<>();
    final List<Histogram> latencies = new ArrayList<>();

    Turns(Caller caller, Contender group, Keys keys, int threads, SplittableRandom random) {
      for (int i = 0; i < threads; i++) {
        workers.add(new Setter(caller.member(group), keys, random.split()));
      }
    }

    void take(Duration duration) throws InterruptedException {
      RunFigures figures = new TimedRun(duration, 1).run(workers, KINDS);
      throughput.addAll(figures.throughput());
      latencies.add(figures.allLatencies());
    }

    List<Double> micros(double percentile) {
      return latencies.stream()
          .map(nanos -> nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO)
          .toList();
    }

    Histogram all() {
      Histogram all = new Histogram(latencies.getFirst());
      latencies.subList(1, latencies.size()).forEach(all::add);
      return all;
    }
  }

  private void record(StepContext context, int threads, Map<Contender, Turns> turns) {
    Subject subject =
        new Subject(
            ConsensusSuite.NAME,
            "set " + place.label(),
            contender.label(),
            medium,
            contender.durability(),
            threads,
            plan.keys());
    Turns ours = Objects.requireNonNull(turns.get(contender));
    context.record(new Measurement(subject, "throughput", "ops/s", ours.throughput));
    context.record(new Measurement(subject, "p50", "us", ours.micros(50)));
    context.record(new Measurement(subject, "p90", "us", ours.micros(90)));
    context.record(new Measurement(subject, "p99", "us", ours.micros(99)));
    context.record(LatencyCurve.of(subject, ours.all()));
    if (contender != Contender.IDLE) {
      Turns idle = Objects.requireNonNull(turns.get(Contender.IDLE));
      context.record(new Measurement(subject, "idle throughput", "ops/s", idle.throughput));
      context.record(new Measurement(subject, "idle p50", "us", idle.micros(50)));
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < plan.turns(); i++) {
        ratios.add(ours.micros(50).get(i) / idle.micros(50).get(i));
      }
      context.record(new Measurement(subject, "p50 ratio", "x", ratios));
    }
  }
}
