package io.pmstore.jmh.tpcb;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.TimedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The steps of a scale. Only {@link Scale#FULL} has as many accounts in a branch as the standard.
 *
 * @param size of the bank
 * @param warmUp how long each store runs before it is measured, at least
 * @param run how long it is measured
 */
record TpcbPlan(TpcbSize size, Duration warmUp, TimedRun run, List<Deployment> deployments) {
  private static final int BRANCHES = 16;
  private static final int STANDARD_ACCOUNTS = 100_000;
  private static final int QUICK_ACCOUNTS = 1_000;
  private static final int MANY_THREADS = 16;

  static TpcbPlan of(Scale scale) {
    return switch (scale) {
      case SMOKE ->
          new TpcbPlan(
              new TpcbSize(2, 50),
              Duration.ZERO,
              new TimedRun(Duration.ofMillis(50), 2),
              Deployment.some());
      case QUICK ->
          new TpcbPlan(
              new TpcbSize(BRANCHES, QUICK_ACCOUNTS),
              Duration.ofSeconds(1),
              new TimedRun(Duration.ofMillis(1200), 4),
              quick());
      case FULL ->
          new TpcbPlan(
              new TpcbSize(BRANCHES, STANDARD_ACCOUNTS),
              Duration.ofSeconds(5),
              new TimedRun(Duration.ofSeconds(30), 10),
              Deployment.all());
    };
  }

  private static List<Deployment> quick() {
    String sync = Subject.SYNC;
    List<Deployment> chosen = new ArrayList<>();
    chosen.add(Deployment.inMemory(1));
    for (StoreKind kind : List.of(StoreKind.PMSTORE, StoreKind.SQLITE)) {
      chosen.add(new Deployment(kind, Subject.PMEM, sync, 1));
      chosen.add(new Deployment(kind, Subject.FILE, sync, 1));
      chosen.add(new Deployment(kind, Subject.FILE, sync, MANY_THREADS));
    }
    chosen.add(new Deployment(StoreKind.PMSTORE_LLPL, Subject.PMEM, sync, 1));
    chosen.add(new Deployment(StoreKind.POSTGRES, Subject.FILE, sync, 1));
    return chosen;
  }
}
