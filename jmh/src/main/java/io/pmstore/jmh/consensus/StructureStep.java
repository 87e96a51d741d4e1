package io.pmstore.jmh.consensus;

import io.pmstore.jmh.consensus.versions.Structure;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Subject;
import io.pmstore.jmh.suite.Step;
import io.pmstore.jmh.suite.StepContext;
import io.pmstore.oms.run.Directories;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The structures alone, without Ratis, on one thread: keys are inserted, read and deleted in random
 * order. Recorded, in ns for each operation: {@code insert}, {@code read}, {@code delete}. The
 * structures take turns, each time with a new one; some turns before warm up.
 */
final class StructureStep implements Step {
  private final int together;
  private final ConsensusPlan plan;

  /**
   * Creates the step.
   *
   * @param together how many changes are made durable together
   */
  StructureStep(int together, ConsensusPlan plan) {
    this.together = together;
    this.plan = plan;
  }

  private interface Maker {
    BareMap make(Path directory) throws IOException;
  }

  private Map<String, Maker> makers() {
    Map<String, Maker> makers = new LinkedHashMap<>();
    makers.put("list", at -> BareMap.versions(at, Structure.LIST, together, plan.regionBytes()));
    makers.put("tree", at -> BareMap.versions(at, Structure.TREE, together, plan.regionBytes()));
    makers.put("pmstore sorted map", at -> BareMap.pmstore(at, true));
    makers.put("pmstore hash map", at -> BareMap.pmstore(at, false));
    return makers;
  }

  @Override
  public String name() {
    return ConsensusSuite.NAME + "/structures/" + together;
  }

  @Override
  public Duration estimate() {
    return Duration.ofSeconds(1).plusMillis(plan.structureKeys() / 25L * rounds());
  }

  private int rounds() {
    return plan.warmUp().isPositive() ? 2 * plan.turns() : 1;
  }

  @Override
  public void run(StepContext context) throws Exception {
    String missing = SetStep.missing(Subject.PMEM);
    if (missing != null) {
      context.omit(missing);
      return;
    }
    Map<String, Maker> makers = makers();
    Map<String, List<double[]>> figures = new LinkedHashMap<>();
    Path root = context.directory(Subject.PMEM);
    List<String> keys = new ArrayList<>();
    Keys source = new Keys(plan.structureKeys());
    for (int i = 0; i < source.count(); i++) {
      keys.add(source.key(i));
    }
    Random random = new Random(context.seed());
    for (int round = 0; round < rounds(); round++) {
      for (Map.Entry<String, Maker> each : makers.entrySet()) {
        Path directory = root.resolve(each.getKey().replace(' ', '-'));
        try (BareMap map = each.getValue().make(directory)) {
          double[] nanos = measure(map, keys, random);
          if (round >= rounds() / 2) {
            figures.computeIfAbsent(each.getKey(), none -> new ArrayList<>()).add(nanos);
          }
        }
        Directories.delete(directory);
      }
    }
    figures.forEach((target, all) -> record(context, target, all));
  }

  private double[] measure(BareMap map, List<String> keys, Random random) throws IOException {
    List<List<String>> parts = parts(keys, random);
    long begin = System.nanoTime();
    for (List<String> part : parts) {
      map.insert(part);
    }
    long inserted = System.nanoTime();
    parts = parts(keys, random);
    long beforeReads = System.nanoTime();
    for (List<String> part : parts) {
      for (String key : part) {
        if (map.read(key) == null) {
          throw new IllegalStateException("there is no " + key);
        }
      }
    }
    long read = System.nanoTime();
    parts = parts(keys, random);
    long beforeDeletes = System.nanoTime();
    for (List<String> part : parts) {
      map.delete(part);
    }
    long deleted = System.nanoTime();
    if (map.read(keys.getFirst()) != null) {
      throw new IllegalStateException("there still is " + keys.getFirst());
    }
    double count = keys.size();
    return new double[] {
      (inserted - begin) / count, (read - beforeReads) / count, (deleted - beforeDeletes) / count
    };
  }

  private List<List<String>> parts(List<String> keys, Random random) {
    List<String> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, random);
    List<List<String>> parts = new ArrayList<>();
    for (int from = 0; from < shuffled.size(); from += together) {
      parts.add(List.copyOf(shuffled.subList(from, Math.min(shuffled.size(), from + together))));
    }
    return parts;
  }

  private void record(StepContext context, String target, List<double[]> all) {
    Subject subject =
        new Subject(
            ConsensusSuite.NAME,
            "structure",
            target,
            Subject.PMEM,
            together == 1 ? Subject.SYNC : Subject.RELAXED,
            1,
            plan.structureKeys());
    List<String> metrics = List.of("insert", "read", "delete");
    for (int i = 0; i < metrics.size(); i++) {
      int metric = i;
      context.record(
          new Measurement(
              subject, metrics.get(i), "ns", all.stream().map(one -> one[metric]).toList()));
    }
  }
}
