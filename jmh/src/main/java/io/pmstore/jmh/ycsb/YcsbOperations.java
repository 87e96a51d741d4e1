package io.pmstore.jmh.ycsb;

import io.pmstore.PmStore;
import io.pmstore.jmh.workload.Worker;
import io.pmstore.jmh.ycsb.generators.Sequence;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** A YCSB workload as a stream of operations on a store of pmstore, for other programs. */
public final class YcsbOperations {
  private YcsbOperations() {}

  /** The names of the kinds, in the order of the numbers that {@link Worker#prepare} returns. */
  public static List<String> kinds() {
    return OperationKind.labels();
  }

  /**
   * Loads records, and returns a worker on them.
   *
   * @param store empty; the caller closes it
   * @param letter of the core workload, {@code a} to {@code f}
   * @param records how many are loaded
   */
  public static Worker load(PmStore store, String letter, long records, long seed)
      throws Exception {
    Workload workload =
        Arrays.stream(Workload.values())
            .filter(one -> one.label().equalsIgnoreCase(letter))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no YCSB workload '%s'; there are %s"
                            .formatted(
                                letter,
                                Arrays.stream(Workload.values())
                                    .map(Workload::label)
                                    .collect(Collectors.joining(", ")))));
    SplittableRandom random = new SplittableRandom(seed);
    YcsbStore target = new PmYcsbStore(store, workload == Workload.E);
    RecordSource.load(target, records, random);
    return new YcsbWorker(target, workload, new Sequence(records), random);
  }
}
