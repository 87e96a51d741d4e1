package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.consensus.cluster.Group;
import io.pmstore.jmh.consensus.cluster.Member;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A replica that missed writes; and one that missed none. The contenders take turns, each time with
 * a new group. Recorded:
 *
 * <ul>
 *   <li>{@code recovery}, ms: from the start of opening the replica until it has applied all that
 *       the leader had;
 *   <li>{@code start}, ms: the same, when it is closed and opened once more.
 * </ul>
 */
final class RecoveryStep implements Step {
  private static final int THREADS = 20;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final int MILLIS_EACH = 8_000;

  private final List<Contender> contenders;
  private final String medium;
  private final ConsensusPlan plan;

  RecoveryStep(List<Contender> contenders, String medium, ConsensusPlan plan) {
    this.contenders = contenders;
    this.medium = medium;
    this.plan = plan;
  }

  @Override
  public String name() {
    return ConsensusSuite.NAME + "/recovery/" + medium;
  }

  @Override
  public Duration estimate() {
    return Duration.ofMillis(
        (long) contenders.size()
            * plan.recoveries()
            * (plan.missed() < 1_000 ? 5_000 : MILLIS_EACH));
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = SetStep.missing(medium);
    if (missing != null) {
      context.omit(missing);
      return;
    }
    SplittableRandom random = new SplittableRandom(context.seed());
    Map<Contender, List<Double>> recoveries = new EnumMap<>(Contender.class);
    Map<Contender, List<Double>> starts = new EnumMap<>(Contender.class);
    Path root = context.directory(medium);
    for (int round = 0; round < plan.recoveries(); round++) {
      for (Contender each : round % 2 == 0 ? contenders : contenders.reversed()) {
        Path directory = root.resolve(each + "-" + round);
        try (Group group = new Group(each, directory, medium, plan.regionBytes())) {
          measure(
              each,
              group,
              random.split(),
              recoveries.computeIfAbsent(each, none -> new ArrayList<>()),
              starts.computeIfAbsent(each, none -> new ArrayList<>()));
        }
        Directories.delete(directory);
      }
    }
    for (Contender each : contenders) {
      Subject subject =
          new Subject(
              ConsensusSuite.NAME,
              "replica",
              each.label(),
              medium,
              each.durability(),
              1,
              plan.keys());
      context.record(
          measurement(subject, "recovery", Objects.requireNonNull(recoveries.get(each))));
      context.record(measurement(subject, "start", Objects.requireNonNull(starts.get(each))));
    }
  }

  private static Measurement measurement(Subject subject, String metric, List<Double> samples) {
    return new Measurement(subject, metric, "ms", samples);
  }

  private void measure(
      Contender contender,
      Group group,
      SplittableRandom random,
      List<Double> recoveries,
      List<Double> starts)
      throws Exception {
    Keys keys = new Keys(plan.keys());
    String leader = group.leader();
    Member member = group.member(leader);
    for (var part : keys.parts()) {
      member.setAll(part);
    }
    String away = Group.IDS.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
    group.awaitApplied(away, member.applied());
    group.close(away);
    String last = write(member, keys, random);
    recoveries.add(open(group, away, member));
    group.close(away);
    starts.add(open(group, away, member));
    if (contender != Contender.IDLE) {
      // What it has is what the others have.
      Optional<String> expected = member.get(last);
      Optional<String> found = group.member(away).getHere(last);
      if (!found.equals(expected) || expected.isEmpty()) {
        throw new IllegalStateException(
            "after its recovery a replica of %s has another value of %s"
                .formatted(contender, last));
      }
    }
  }

  static double open(Group group, String id, Member leader)
      throws IOException, InterruptedException {
    long wanted = leader.applied();
    long begin = System.nanoTime();
    group.open(id);
    group.awaitApplied(id, wanted);
    return (System.nanoTime() - begin) / NANOS_PER_MILLI;
  }

  /** Writes what the replica misses; returns one of the keys. */
  private String write(Member member, Keys keys, SplittableRandom random) throws Exception {
    String value = "v".repeat(plan.missedBytes() - 10);
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<String>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        SplittableRandom own = random.split();
        int from = thread;
        all.add(
            threads.submit(
                () -> {
                  String key = keys.key(0);
                  for (int i = from; i < plan.missed(); i += THREADS) {
                    key = keys.key(own.nextInt(keys.count()));
                    member.set(key, value + keys.key(i));
                  }
                  return key;
                }));
      }
      String last = "";
      for (Future<String> each : all) {
        last = each.get();
      }
      return last;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a write failed: " + e.getCause(), e.getCause());
    }
  }
}
