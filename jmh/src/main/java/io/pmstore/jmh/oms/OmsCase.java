package io.pmstore.jmh.oms;

import io.pmstore.jmh.results.Subject;
import io.pmstore.oms.targets.HashMapTarget;
import io.pmstore.oms.targets.Medium;
import io.pmstore.oms.targets.OmsTarget;
import io.pmstore.oms.targets.TargetFactory;
import io.pmstore.oms.targets.TargetKind;
import io.pmstore.oms.targets.TargetSettings;
import java.nio.file.Path;

/**
 * What a step of the suite measures.
 *
 * @param suite whose step it is
 * @param ratio updates for each order
 * @param medium {@code file}, {@code pmem}, or {@code memory} for {@link #HASH_MAP}
 * @param durability {@code sync}, {@code relaxed}, or {@code none} for {@link #HASH_MAP}
 * @param threads how many threads apply the flow
 */
record OmsCase(
    String suite, int ratio, TargetFactory target, String medium, String durability, int threads) {
  static final String SUITE = "oms";

  /** The service over a map in Java's heap. */
  static final TargetFactory HASH_MAP =
      new TargetFactory() {
        @Override
        public String label() {
          return "hashmap";
        }

        @Override
        public OmsTarget create(TargetSettings settings) {
          return new HashMapTarget(settings);
        }
      };

  /** A case of the suite of this package. */
  OmsCase(int ratio, TargetFactory target, String medium, String durability, int threads) {
    this(SUITE, ratio, target, medium, durability, threads);
  }

  static OmsCase inMemory(int ratio, int threads) {
    return new OmsCase(ratio, HASH_MAP, Subject.MEMORY, Subject.NONE, threads);
  }

  static String workload(int ratio) {
    return "ratio " + ratio;
  }

  /** The same with reports that are acknowledged before they are durable, where there is such. */
  OmsCase relaxed() {
    return new OmsCase(suite, ratio, target, medium, Subject.RELAXED, threads);
  }

  /** Returns true if the target uses PMDK. */
  boolean usesLlpl() {
    return target instanceof TargetKind kind && kind.usesLlpl();
  }

  Subject subject() {
    return subject(workload(ratio), 0);
  }

  Subject subject(String workload, int orders) {
    return new Subject(suite, workload, target.label(), medium, durability, threads, orders);
  }

  String stepName() {
    return name(suite, workload(ratio), target.label(), medium, durability, threads);
  }

  static String name(
      String workload, String target, String medium, String durability, int threads) {
    return name(SUITE, workload, target, medium, durability, threads);
  }

  private static String name(
      String suite, String workload, String target, String medium, String durability, int threads) {
    return String.join("/", suite, workload, target, medium, durability, Integer.toString(threads));
  }

  /** How the target is opened in a directory for so many reports. */
  TargetSettings settings(Path directory, long orders) {
    return new TargetSettings(
        directory,
        medium.equals(Subject.PMEM) ? Medium.PMEM : Medium.FILE,
        durability.equals(Subject.RELAXED),
        threads,
        TargetSettings.llplPoolBytes(orders, orders * (ratio + 1L)),
        null);
  }
}
