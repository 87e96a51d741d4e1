package io.pmstore.jmh.ycsb;

import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.jmh.workload.Deployment;
import io.pmstore.jmh.workload.FileGrowth;
import io.pmstore.jmh.workload.ProcessWrites;
import io.pmstore.jmh.workload.RunFigures;
import io.pmstore.jmh.workload.Stalls;
import io.pmstore.jmh.workload.StoreKind;
import io.pmstore.jmh.workload.WarmUp;
import io.pmstore.jmh.ycsb.generators.Sequence;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The workloads of ETERNAL's evaluation, one after the other on one store, by one thread. What is
 * recorded beside what {@link RunFigures} has:
 *
 * <ul>
 *   <li>{@code slice}, ms: how long each sample of the throughput took;
 *   <li>{@code max}, us: the longest operation;
 *   <li>{@value #STALL}, us: the longest one without the pauses of the JVM, at least 200;
 *   <li>{@code written}, bytes for each operation: what the kernel counts as written by the process
 *       to disks;
 *   <li>{@code files}, bytes for each operation: by how much files grew in the store's directory;
 *   <li>{@code recovery}, ms: from the start of opening the store, after all workloads, to the
 *       first record read. The pools and the files are as a kill would leave them, but for the
 *       header.
 * </ul>
 */
final class PoolStep implements Step {
  private static final String STALL = "max without JVM pauses";
  private static final int CHECKED = 1_000;
  private static final int ROWS_PER_SECOND = 25_000;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_MICRO = 1e3;

  private final String suite;
  private final PoolEngine engine;
  private final PoolPlan plan;

  PoolStep(String suite, PoolEngine engine, PoolPlan plan) {
    this.suite = suite;
    this.engine = engine;
    this.plan = plan;
  }

  @Override
  public String name() {
    return suite + "/ycsb/" + engine.label();
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(1)
        .plusMillis(plan.records() * 1_000 / ROWS_PER_SECOND)
        .plus(WarmUp.usual(plan.warmUp()))
        .plus(plan.run().duration().multipliedBy(Workload.POOL_MIXES.size()));
  }

  private Subject subject(String workload) {
    return new Subject(
        suite, workload, engine.label(), Subject.PMEM, Subject.SYNC, 1, plan.records());
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = new Deployment(StoreKind.PMSTORE, Subject.PMEM, Subject.SYNC, 1).missing();
    if (missing != null) {
      context.omit(missing);
      return;
    }
    Path disk = context.directory(Subject.FILE);
    Path pools = context.directory(Subject.PMEM);
    SplittableRandom random = new SplittableRandom(context.seed());
    Sequence sequence = new Sequence(plan.records());
    try (FileGrowth growth = new FileGrowth(disk);
        YcsbStore store = open(disk, pools)) {
      RecordSource.load(store, plan.records(), random);
      growth.awaitQuiet(); // what loading has left to do is not measured
      Duration warmUp = plan.warmUp();
      for (Workload workload : Workload.POOL_MIXES) {
        measure(context, store, workload, warmUp, sequence, random.split(), growth);
        warmUp = Duration.ZERO;
      }
    }
    recover(context, disk, pools, sequence);
  }

  private YcsbStore open(Path disk, Path pools) {
    return new PmYcsbStore(engine.open(disk, pools, plan.poolBytes()), false);
  }

  private void measure(
      StepContext context,
      YcsbStore store,
      Workload workload,
      Duration warmUp,
      Sequence sequence,
      SplittableRandom random,
      FileGrowth growth)
      throws IOException, InterruptedException {
    List<YcsbWorker> worker = List.of(new YcsbWorker(store, workload, sequence, random));
    plan.run().warm(warmUp, worker, OperationKind.labels());
    long grown = growth.bytes();
    long written = ProcessWrites.bytes();
    RunFigures figures;
    long stallNanos;
    try (Stalls stalls = new Stalls()) {
      figures = plan.run().run(worker, OperationKind.labels());
      written = ProcessWrites.bytes() - written;
      grown = growth.bytes() - grown;
      stallNanos = stalls.longestNanos(); // writes a file, so after the bytes are counted
    }
    Subject subject = subject(workload.label());
    figures.record(context, subject, "ops/s");
    double operations = figures.operations();
    context.record(
        Measurement.of(
            subject, "max", "us", figures.allLatencies().getMaxValue() / NANOS_PER_MICRO));
    context.record(Measurement.of(subject, STALL, "us", stallNanos / NANOS_PER_MICRO));
    context.record(
        Measurement.of(
            subject,
            "slice",
            "ms",
            (double) plan.run().duration().toMillis() / plan.run().slices()));
    context.record(Measurement.of(subject, "written", "bytes", written / operations));
    context.record(Measurement.of(subject, "files", "bytes", grown / operations));
  }

  private void recover(StepContext context, Path disk, Path pools, Sequence sequence)
      throws Exception {
    long begin = System.nanoTime();
    try (YcsbStore store = open(disk, pools)) {
      require(store, 0);
      long nanos = System.nanoTime() - begin;
      for (long number = sequence.count() - 1;
          number >= Math.max(0, sequence.count() - CHECKED);
          number--) {
        require(store, number);
      }
      context.record(Measurement.of(subject("all"), "recovery", "ms", nanos / NANOS_PER_MILLI));
      context.record(
          Measurement.of(subject("all"), "records", "records", (double) sequence.count()));
    }
  }

  private static void require(YcsbStore store, long number) throws Exception {
    if (store.read(RecordSource.key(number)) == null) {
      throw YcsbStore.absent(RecordSource.key(number));
    }
  }
}
