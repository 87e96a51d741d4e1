package io.pmstore.jmh.intset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.jmh.bench.StepRecorder;
import io.pmstore.jmh.results.Measurement;
import io.pmstore.jmh.results.Results;
import io.pmstore.jmh.suite.Scale;
import io.pmstore.jmh.suite.Step;
import io.pmstore.oms.targets.NativeLibraries;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IntsetSuiteTest {
  @TempDir Path directory;

  @Test
  void everyStructureIsMeasuredInEverySetting() throws Exception {
    Map<String, List<Long>> sizes = new TreeMap<>();
    boolean llpl = NativeLibraries.missingForLlpl() == null;
    for (Step step : new IntsetSuite().steps(Scale.SMOKE)) {
      Results recorded = StepRecorder.run(step, Scale.SMOKE, 4, directory, directory);
      assertEquals(List.of(), recorded.latencies());
      assertEquals(step.name().contains("llpl") && !llpl, !recorded.omissions().isEmpty());
      for (Measurement m : recorded.measurements()) {
        assertEquals(2, m.samples().size());
        m.samples().forEach(sample -> assertTrue(sample > 1, m::toString));
        assertEquals("throughput", m.metric());
        sizes
            .computeIfAbsent(
                m.subject().workload()
                    + "/"
                    + m.subject().target()
                    + "/"
                    + m.subject().medium()
                    + "/"
                    + m.subject().durability(),
                k -> new ArrayList<>())
            .add(m.subject().size());
      }
    }
    Map<String, List<Long>> expected = new TreeMap<>();
    for (String structure : List.of("list", "hash", "skip list")) {
      expected.put(structure + "/java/memory/none", List.of(16L));
      expected.put(structure + "/pmstore/pmem/sync", List.of(16L));
      expected.put(structure + "/pmstore/file/sync", List.of(16L));
      if (llpl) {
        expected.put(structure + "/pmstore-llpl/pmem/sync", List.of(16L));
      }
    }
    assertEquals(expected, sizes);
  }

  @Test
  void quickHasTheSizesOfTheStudyAndItsShareOfTheTime() {
    IntsetPlan quick = IntsetPlan.of(Scale.QUICK);
    assertEquals(List.of(4, 6, 8, 10, 12), quick.bits(Structure.LIST));
    assertEquals(List.of(4, 6, 8, 10, 12, 14, 16), quick.bits(Structure.HASH));
    assertEquals(13, IntsetPlan.of(Scale.FULL).bits(Structure.SKIP_LIST).size());
    assertEquals(10, IntsetPlan.of(Scale.FULL).samples());
    Duration all =
        new IntsetSuite()
            .steps(Scale.QUICK).stream().map(Step::estimate).reduce(Duration.ZERO, Duration::plus);
    assertTrue(all.toSeconds() <= 105, all::toString);
  }

  @Test
  void theMixIsTheStudys() {
    int size = 1 << 10;
    long[] keys = Mix.keys(size, new SplittableRandom(1));
    TreeSet<Long> model = new TreeSet<>();
    for (long key : keys) {
      assertTrue(key >= 0 && key < 2 * size && model.add(key), "key " + key);
    }
    long[] kinds = new long[3];
    IntSet counting =
        new IntSet() {
          @Override
          public boolean contains(long key) {
            kinds[0]++;
            return model.contains(key);
          }

          @Override
          public boolean add(long key) {
            kinds[1]++;
            return model.add(key);
          }

          @Override
          public boolean remove(long key) {
            kinds[2]++;
            return model.remove(key);
          }
        };
    Mix mix = new Mix(counting, size, new SplittableRandom(2));
    mix.run(Duration.ofMillis(100).toNanos());
    double all = kinds[0] + kinds[1] + kinds[2];
    assertEquals(0.5, kinds[0] / all, 0.03);
    assertEquals(0.25, kinds[1] / all, 0.03);
    assertEquals(0.25, kinds[2] / all, 0.03);
    assertEquals(0.5, mix.hits() / all, 0.05);
    assertEquals(size, model.size(), 0.15 * size);
    assertTrue(model.first() < size / 8 && model.last() > 2 * size - size / 8, "all keys are used");
  }
}
