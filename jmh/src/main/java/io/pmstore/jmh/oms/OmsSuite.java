package io.pmstore.jmh.oms;

import static io.pmstore.jmh.results.Subject.FILE;
import static io.pmstore.jmh.results.Subject.PMEM;
import static io.pmstore.jmh.results.Subject.RELAXED;
import static io.pmstore.jmh.results.Subject.SYNC;

import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.Suite;
import io.pmstore.oms.targets.TargetKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order management system on all stores, beside the bare limits: a barrier for each report, and
 * a map in Java's heap.
 */
public final class OmsSuite implements Suite {
  private static final int FEW = 6;
  private static final int MANY = 1_000;
  private static final List<String> MEDIA = List.of(FILE, PMEM);
  private static final List<TargetKind> WITH_RELAXED =
      List.of(TargetKind.PMSTORE, TargetKind.SQLITE, TargetKind.POSTGRES);
  // The tiered engine has a suite of its own.
  private static final List<TargetKind> COMPARED =
      Arrays.stream(TargetKind.values()).filter(kind -> kind != TargetKind.PMSTORE_TIERED).toList();

  private static final List<TargetKind> FOUND = List.of(TargetKind.PMSTORE, TargetKind.SQLITE);

  @Override
  public String name() {
    return OmsCase.SUITE;
  }

  @Override
  public List<Step> steps(Scale scale) {
    return switch (scale) {
      case SMOKE -> smoke();
      case QUICK -> quick();
      case FULL -> full();
    };
  }

  /**
   * Makes steps of another suite: some targets with the flow of 6 updates for each order, with one
   * thread, durable when acknowledged; on each medium, but in a quick run on persistent memory.
   *
   * @param suite its name
   */
  public static List<Step> compared(String suite, Scale scale, List<TargetKind> targets) {
    List<Step> steps = new ArrayList<>();
    for (String medium : scale == Scale.QUICK ? List.of(PMEM) : MEDIA) {
      for (TargetKind target : targets) {
        steps.add(new FlowStep(new OmsCase(suite, FEW, target, medium, SYNC, 1), scale));
      }
    }
    return steps;
  }

  private static List<Step> smoke() {
    Steps steps = new Steps(Scale.SMOKE);
    for (String medium : MEDIA) {
      for (TargetKind kind : COMPARED) {
        // The server takes seconds to start, wherever its files are.
        if (kind != TargetKind.POSTGRES || medium.equals(FILE)) {
          steps.flow(FEW, kind, medium, SYNC, 2);
        }
      }
      steps.barrier(List.of(FEW, MANY), medium, 2);
      FOUND.forEach(kind -> steps.find(kind, medium, 2));
    }
    steps.flow(FEW, TargetKind.PMSTORE, FILE, RELAXED, 1);
    steps.hashMap(FEW, 1);
    steps.hashMap(FEW, 2);
    return steps.all;
  }

  private static List<Step> quick() {
    Steps steps = new Steps(Scale.QUICK);
    for (String medium : MEDIA) {
      for (int threads : List.of(1, 16)) {
        if (threads == 1 || medium.equals(FILE)) {
          steps.barrier(threads == 1 ? List.of(FEW, MANY) : List.of(FEW), medium, threads);
        }
        for (TargetKind kind : COMPARED) {
          if (threads == 1 || isMeasuredMore(kind, medium)) {
            steps.flow(FEW, kind, medium, SYNC, threads);
          }
        }
      }
      for (TargetKind kind : COMPARED) {
        if (isMeasuredMore(kind, medium)) {
          steps.flow(MANY, kind, medium, SYNC, 1);
        }
      }
      FOUND.forEach(kind -> steps.find(kind, medium, 1));
    }
    WITH_RELAXED.forEach(kind -> steps.flow(FEW, kind, FILE, RELAXED, 1));
    steps.hashMap(FEW, 1);
    steps.hashMap(FEW, 16);
    steps.hashMap(MANY, 1);
    return steps.all;
  }

  /**
   * Returns true if a quick run has more than one figure of a target: every step of a PMDK
   * transaction is a sync on a file, and a server hardly feels the medium.
   */
  private static boolean isMeasuredMore(TargetKind kind, String medium) {
    return medium.equals(PMEM) ? kind != TargetKind.POSTGRES : !kind.usesLlpl();
  }

  private static List<Step> full() {
    Steps steps = new Steps(Scale.FULL);
    for (int threads : List.of(1, 2, 4, 16)) {
      for (String medium : MEDIA) {
        steps.barrier(List.of(FEW, MANY), medium, threads);
        for (int ratio : List.of(FEW, MANY)) {
          for (TargetKind kind : COMPARED) {
            steps.flow(ratio, kind, medium, SYNC, threads);
          }
          WITH_RELAXED.forEach(kind -> steps.flow(ratio, kind, medium, RELAXED, threads));
        }
        FOUND.forEach(kind -> steps.find(kind, medium, threads));
      }
      steps.hashMap(FEW, threads);
      steps.hashMap(MANY, threads);
    }
    return steps.all;
  }

  /** Collects the steps of a scale. */
  private static final class Steps {
    private final Scale scale;
    private final List<Step> all = new ArrayList<>();

    Steps(Scale scale) {
      this.scale = scale;
    }

    void flow(int ratio, TargetKind kind, String medium, String durability, int threads) {
      all.add(new FlowStep(new OmsCase(ratio, kind, medium, durability, threads), scale));
    }

    void hashMap(int ratio, int threads) {
      all.add(new FlowStep(OmsCase.inMemory(ratio, threads), scale));
    }

    void barrier(List<Integer> ratios, String medium, int threads) {
      all.add(new BarrierStep(ratios, medium, threads, scale));
    }

    void find(TargetKind kind, String medium, int threads) {
      all.add(new FindStep(new OmsCase(FEW, kind, medium, SYNC, threads), scale));
    }
  }
}
