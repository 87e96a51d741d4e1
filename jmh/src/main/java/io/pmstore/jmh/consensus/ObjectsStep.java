package io.pmstore.jmh.consensus;

import io.pmstore.PmStore;
import io.pmstore.jmh.consensus.cluster.Contender;
import io.pmstore.jmh.consensus.cluster.Group;
import io.pmstore.jmh.consensus.cluster.Member;
import io.pmstore.jmh.opening.Item;
import io.pmstore.jmh.opening.Items;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Opening a replica of many objects, beside one whose state machine does nothing, applies its log
 * again and whose log has as many entries and bytes; they take turns. Recorded: {@code start}, ms,
 * from the start of opening until the replica has applied all that the leader had.
 */
final class ObjectsStep implements Step {
  private static final int BATCH = 1_000;
  private static final int OBJECTS_PER_SECOND = 30_000;

  private final String medium;
  private final ConsensusPlan plan;

  ObjectsStep(String medium, ConsensusPlan plan) {
    this.medium = medium;
    this.plan = plan;
  }

  @Override
  public String name() {
    return ConsensusSuite.NAME + "/objects/" + medium;
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(8L + plan.objects() / OBJECTS_PER_SECOND + 2L * plan.restarts());
  }

  @Override
  public void run(StepContext context) throws Exception {
    Path root = context.directory(medium);
    Path ours = root.resolve("pmstore");
    try (Group pmstore = new Group(Contender.PMSTORE, ours, medium, 0);
        Group idle = new Group(Contender.IDLE, root.resolve("idle"), medium, plan.regionBytes())) {
      Member leader = pmstore.member(pmstore.leader());
      int entries = (int) Math.ceilDiv(plan.objects(), (long) BATCH);
      fill(leader.store().orElseThrow());
      String of = "x".repeat((int) (logBytes(ours.resolve("n1").resolve("raft")) / entries));
      Member idleLeader = idle.member(idle.leader());
      for (int i = 0; i < entries; i++) {
        idleLeader.setAll(Map.of("key", of));
      }
      List<Double> started = new ArrayList<>();
      List<Double> idleStarted = new ArrayList<>();
      for (int i = 0; i < plan.restarts(); i++) {
        started.add(reopen(pmstore));
        idleStarted.add(reopen(idle));
      }
      record(context, Contender.PMSTORE, started);
      record(context, Contender.IDLE, idleStarted);
    }
  }

  private void fill(PmStore store) {
    for (int from = 0; from < plan.objects(); from += BATCH) {
      int to = Math.min(plan.objects(), from + BATCH);
      int first = from;
      store.transaction(
          () -> {
            Items root = store.root(Items.class);
            for (int i = first; i < to; i++) {
              Item item = store.create(Item.class);
              item.setBid(i);
              item.setOlder(root.getNewest());
              root.setNewest(item);
            }
          });
    }
  }

  private static long logBytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long bytes = 0;
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(each);
      }
      return bytes;
    }
  }

  private static double reopen(Group group) throws IOException, InterruptedException {
    String leader = group.leader();
    String away = Group.IDS.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
    group.awaitApplied(away, group.member(leader).applied());
    group.close(away);
    return RecoveryStep.open(group, away, group.member(leader));
  }

  private void record(StepContext context, Contender contender, List<Double> millis) {
    context.record(
        new Measurement(
            new Subject(
                ConsensusSuite.NAME,
                "many objects",
                contender.label(),
                medium,
                contender.durability(),
                1,
                plan.objects()),
            "start",
            "ms",
            millis));
  }
}
