package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.TimedRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The steps of a scale.
 *
 * @param records how many are loaded
 * @param firstWarmUp how long the first workload of a store runs before it is measured, at least
 * @param warmUp how long each that follows does
 * @param run how long it is measured
 * @param workloads what each store runs, in its order
 */
record YcsbPlan(
    long records,
    Duration firstWarmUp,
    Duration warmUp,
    TimedRun run,
    Map<Deployment, List<Workload>> workloads) {
  private static final int FEW = 200;
  private static final int QUICK_RECORDS = 20_000;
  private static final int FULL_RECORDS = 200_000;
  private static final int MANY_THREADS = 16;

  /** Those whose limit is to make strings of bytes. */
  static final List<Workload> READING = List.of(Workload.C, Workload.E);

  private static final List<Workload> CORE =
      Stream.concat(Workload.ON_FIRST_LOAD.stream(), Stream.of(Workload.E)).toList();
  private static final List<Workload> ALL =
      Stream.of(Workload.ON_FIRST_LOAD, Workload.MIXES, List.of(Workload.E))
          .flatMap(List::stream)
          .toList();

  static YcsbPlan of(Scale scale) {
    return switch (scale) {
      case SMOKE ->
          new YcsbPlan(
              FEW,
              Duration.ZERO,
              Duration.ZERO,
              new TimedRun(Duration.ofMillis(20), 2),
              everywhere(scale, Deployment.some()));
      case QUICK ->
          new YcsbPlan(
              QUICK_RECORDS,
              Duration.ofSeconds(1),
              Duration.ofMillis(300),
              new TimedRun(Duration.ofMillis(700), 4),
              quick());
      case FULL ->
          new YcsbPlan(
              FULL_RECORDS,
              Duration.ofSeconds(5),
              Duration.ofSeconds(2),
              new TimedRun(Duration.ofSeconds(20), 10),
              everywhere(scale, Deployment.all()));
    };
  }

  /** How long a workload runs before it is measured; scans, as the first, are new to the JVM. */
  Duration warmUp(Workload workload, boolean first) {
    return first || workload == Workload.E ? firstWarmUp : warmUp;
  }

  private static Map<Deployment, List<Workload>> everywhere(
      Scale scale, List<Deployment> deployments) {
    Map<Deployment, List<Workload>> all = new LinkedHashMap<>();
    for (Deployment deployment : deployments) {
      List<Workload> chosen = new ArrayList<>(ALL);
      if (scale == Scale.SMOKE && deployment.kind() == StoreKind.POSTGRES) {
        chosen.remove(Workload.E); // its store of its own would take seconds to start
      }
      if (scale == Scale.FULL && !deployment.stored()) {
        // Nothing slows these down there: they would fill the memory of the JVM.
        chosen.removeAll(List.of(Workload.INSERT_ZIPFIAN, Workload.INSERT_LATEST));
      }
      all.put(deployment, chosen);
    }
    all.put(Deployment.asBytes(), READING);
    return all;
  }

  private static Map<Deployment, List<Workload>> quick() {
    String sync = Subject.SYNC;
    Map<Deployment, List<Workload>> chosen = new LinkedHashMap<>();
    chosen.put(Deployment.inMemory(1), List.of(Workload.A, Workload.C));
    chosen.put(Deployment.asBytes(), READING);
    for (StoreKind kind : List.of(StoreKind.PMSTORE, StoreKind.SQLITE)) {
      chosen.put(new Deployment(kind, Subject.PMEM, sync, 1), CORE);
      chosen.put(new Deployment(kind, Subject.FILE, sync, 1), ALL);
      chosen.put(new Deployment(kind, Subject.FILE, sync, MANY_THREADS), List.of(Workload.A));
    }
    chosen.put(new Deployment(StoreKind.PMSTORE_LLPL, Subject.PMEM, sync, 1), List.of(Workload.A));
    chosen.put(new Deployment(StoreKind.POSTGRES, Subject.FILE, sync, 1), List.of(Workload.A));
    return chosen;
  }
}
