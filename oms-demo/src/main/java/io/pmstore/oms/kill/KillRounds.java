package io.pmstore.oms.kill;

import io.pmstore.oms.flow.OrderFlow;
import io.pmstore.oms.run.Directories;
import io.pmstore.oms.run.ExpectedOrders;
import io.pmstore.oms.targets.OmsService;
import io.pmstore.oms.targets.OmsTarget;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Kills the service again and again on one store: each round goes on where the last one was killed.
 * When the flow is used up, the next round begins with a new store.
 */
public final class KillRounds {
  /** The share of the flow that the rounds together are meant to use up at most. */
  private static final double FLOW_SHARE = 0.8;

  private final KillSettings settings;
  private final OrderFlow flow;
  private final ExpectedOrders expected;
  private final PrintStream out;

  /**
   * Prepares the rounds.
   *
   * @param settings how the target is killed
   * @param flow the flow in the settings' file
   * @param out where a line for each round goes
   */
  public KillRounds(KillSettings settings, OrderFlow flow, PrintStream out) {
    this.settings = settings;
    this.flow = flow;
    this.expected = new ExpectedOrders(flow);
    this.out = out;
  }

  /**
   * Runs all rounds; stops at the first that lost something or left it half there, and then leaves
   * the store for inspection.
   *
   * @return true if every acknowledged report of every round was found and nothing was half there
   * @throws IOException if a child or a directory fails
   * @throws InterruptedException if the calling thread is interrupted
   */
  public boolean run() throws IOException, InterruptedException {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(settings.seed());
    int acknowledgementsMax =
        Math.max(1, (int) (2 * FLOW_SHARE * flow.events().size() / settings.rounds()));
    Map<Long, Integer> acknowledged = new HashMap<>();
    int stores = 1;
    for (int round = 1; round <= settings.rounds(); round++) {
      Path directory = settings.target().directory().resolve("store-" + stores);
      KillMoment moment = KillMoment.draw(random, acknowledgementsMax);
      ChildRun.End end = ChildRun.run(settings, directory, moment, acknowledged);
      KillAudit.Result result = audit(directory, acknowledged);
      out.printf(
          "round %d/%d %s %s: %s%s%n",
          round,
          settings.rounds(),
          settings.kind().label(),
          settings.target().medium().label(),
          result,
          describe(moment, end));
      out.flush();
      if (!result.kept()) {
        result.shown().forEach(finding -> out.println("  " + finding));
        out.println("  the store is left in " + directory);
        return false;
      }
      // What was in flight and is there now must stay there: from here on it counts as
      // acknowledged.
      acknowledged.putAll(result.reportsByOrder());
      if (end == ChildRun.End.FINISHED_BEFORE) {
        Directories.delete(directory);
        acknowledged.clear();
        stores++;
      }
    }
    return true;
  }

  KillAudit.Result audit(Path directory, Map<Long, Integer> acknowledged) {
    KillAudit audit = new KillAudit(expected, acknowledged, settings.target().threads());
    try (OmsTarget target = settings.kind().create(settings.target().in(directory));
        OmsService service = target.open()) {
      service.scan(audit);
    }
    return audit.result();
  }

  private static String describe(KillMoment moment, ChildRun.End end) {
    if (end == ChildRun.End.FINISHED_BEFORE) {
      return " (the flow ended before the kill; the next round begins a new store)";
    }
    return moment.acknowledgements() == 0
        ? " (killed %d ms after it began to open)".formatted(moment.delayNanos() / 1_000_000)
        : "";
  }
}
