package io.pmstore.model.predict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.model.predict.Workload.Misses;
import io.pmstore.model.predict.Workload.Operation;
import io.pmstore.model.profile.Figure;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.ProfileException;
import io.pmstore.model.profile.ProfileFile;
import io.pmstore.model.profile.Quantity;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PredictorTest {
  private static final double SECOND = 1e9;

  static List<String> shipped() {
    return WorkloadFile.shipped();
  }

  private static Profile profile(Profile.Kind kind, Map<Quantity, Double> values) {
    Map<Quantity, Figure> figures = new EnumMap<>(Quantity.class);
    values.forEach((q, v) -> figures.put(q, new Figure(v, v, v, q.unit(), null)));
    return new Profile(
        "made up",
        kind,
        List.of("made up"),
        Map.of(),
        List.of(),
        figures,
        List.of(
            new Level("cache", Level.Kind.CACHE, 1 << 20, 5),
            new Level("memory", Level.Kind.MEMORY, 1 << 30, 105)),
        List.of());
  }

  private static final Map<Quantity, Double> MEMORY =
      Map.of(
          Quantity.READ_LATENCY, 105.0,
          Quantity.READ_BANDWIDTH, 64.0,
          Quantity.WRITE_BANDWIDTH, 2.0,
          Quantity.PARALLELISM, 10.0,
          Quantity.BARRIER_LATENCY, 200.0,
          Quantity.PROCESSORS, 4.0);

  private static Workload workload(double processor, double misses, double log, double barriers) {
    return new Workload(
        "made up",
        "operations",
        "nothing",
        List.of(
            new Operation(
                "all",
                1,
                processor,
                20,
                2,
                10,
                List.of(
                    new Misses(Level.Kind.CACHE, 1 << 18, 2 * misses),
                    new Misses(Level.Kind.CACHE, 1 << 20, misses)),
                log,
                barriers,
                barriers)),
        List.of());
  }

  @Test
  void aReadWaitsForItsLines() {
    Prediction one =
        new Predictor(workload(1_000, 3, 0, 0), profile(Profile.Kind.MEMORY, MEMORY)).predict(1);
    double nanos = 1_000 + 3 * 100 + 3 * 64 / 64.0;
    assertEquals(nanos, one.latencyNanos(), 1e-6);
    assertEquals(SECOND / nanos, one.perSecond(), 1e-3);
    assertEquals(Limit.PROCESSOR, one.limit());
    assertTrue(one.low() < one.perSecond() && one.perSecond() < one.high());
    Prediction eight =
        new Predictor(workload(1_000, 3, 0, 0), profile(Profile.Kind.MEMORY, MEMORY)).predict(8);
    assertEquals(4 * SECOND / nanos, eight.perSecond(), 1e-3, "four processors");
  }

  @Test
  void waitingIsTheLimitWhereTheMemoryIsSlow() {
    Prediction one =
        new Predictor(workload(100, 8, 0, 0), profile(Profile.Kind.MEMORY, MEMORY)).predict(1);
    assertEquals(Limit.LATENCY, one.limit());
  }

  @Test
  void theLogIsBoundByTheBandwidth() {
    Prediction four =
        new Predictor(workload(100, 0, 10_000, 1), profile(Profile.Kind.MEMORY, MEMORY)).predict(4);
    assertEquals(2.0 / 10_000 * SECOND, four.perSecond(), 1);
    assertEquals(Limit.BANDWIDTH, four.limit());
  }

  @Test
  void aDiskIsBoundByItsBarrier() {
    Map<Quantity, Double> figures = new EnumMap<>(MEMORY);
    figures.put(Quantity.BARRIER_LATENCY, 100_000.0);
    figures.put(Quantity.APPEND_LATENCY, 1_000.0);
    Workload commits = workload(4_000, 0, 100, 1);
    Prediction one = new Predictor(commits, profile(Profile.Kind.DISK, figures)).predict(1);
    assertEquals(SECOND / 104_000, one.perSecond(), 10);
    assertEquals(Limit.BARRIER, one.limit());
    ProfileException thrown =
        assertThrows(
            ProfileException.class,
            () -> new Predictor(commits, profile(Profile.Kind.DISK, figures)).predict(2));
    assertTrue(thrown.getMessage().contains("handOff"), thrown.getMessage());
  }

  @Test
  void missesAreInterpolated() {
    Operation one = workload(1, 4, 0, 0).operations().getFirst();
    assertEquals(8, Predictor.misses(one, Level.Kind.CACHE, 1 << 10));
    assertEquals(6, Predictor.misses(one, Level.Kind.CACHE, 1 << 19), 1e-9);
    assertEquals(4, Predictor.misses(one, Level.Kind.CACHE, 1 << 30));
  }

  @Test
  void anOperationThatWaitsLongerThanItTookIsRefused() {
    Operation one = workload(1, 8, 0, 0).operations().getFirst();
    Profile profile = profile(Profile.Kind.MEMORY, MEMORY);
    assertEquals(200, Predictor.processorNanos(one, profile, 1_000), 1e-9);
    assertThrows(ProfileException.class, () -> Predictor.processorNanos(one, profile, 700));
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void theShippedWorkloadsArePredictedOnTheShippedProfiles(String name) throws Exception {
    Workload workload = WorkloadFile.read(name);
    for (String profile : ProfileFile.shipped()) {
      double before = 0;
      for (int threads : List.of(1, 2, 16)) {
        Prediction one = new Predictor(workload, ProfileFile.read(profile)).predict(threads);
        assertTrue(one.perSecond() > before, one::toString);
        before = one.perSecond() * 0.9;
      }
    }
  }

  @Test
  void aSlowerMemoryIsSlower() throws Exception {
    Workload reads = WorkloadFile.read("ycsb-c");
    double dram =
        new Predictor(reads, ProfileFile.read("ddr4-2666-6-channels")).predict(1).perSecond();
    double optane = new Predictor(reads, ProfileFile.read("optane-dcpmm")).predict(1).perSecond();
    assertTrue(optane < dram, optane + " and " + dram);
  }
}
