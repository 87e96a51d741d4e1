package io.pmstore.model.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.model.probe.SimulatedMemory.Numbers;
import io.pmstore.model.probe.SimulatedMemory.Part;
import io.pmstore.model.profile.Level;
import io.pmstore.model.profile.Profile;
import io.pmstore.model.profile.Quantity;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The probe finds the numbers of memories whose numbers are known. */
class ProbeTest {
  private static final Sampling SAMPLING = new Sampling(12, 60, 0.1);
  private static final long MIB = 1 << 20;

  /** Two caches and a TLB. */
  private static final Numbers DRAM =
      new Numbers(
          32 * MIB,
          1.5,
          List.of(new Part(512, 4), new Part(16_384, 70)),
          List.of(new Part(512, 12)),
          6,
          95,
          30,
          210,
          3_000,
          9,
          20,
          7,
          4,
          0.03);

  /** Another one: three caches, of which the last is a buffer of the device; two TLBs. */
  private static final Numbers OPTANE =
      new Numbers(
          64 * MIB,
          1.2,
          List.of(new Part(768, 3), new Part(8_192, 12), new Part(131_072, 250)),
          List.of(new Part(64, 5), new Part(2_048, 35)),
          10,
          300,
          60,
          400,
          5_000,
          2.5,
          7.45,
          2.3,
          8,
          0.05);

  private static Profile probe(Numbers numbers) throws Exception {
    long seed = Long.getLong("pmstore.seed", new SplittableRandom().nextLong());
    System.out.printf("ProbeTest: -Dpmstore.seed=%d%n", seed);
    return new Probe(new SimulatedMemory(numbers, seed), SAMPLING, what -> {}).run("simulated");
  }

  private static void assertNear(double expected, double found, double tolerance, String what) {
    assertEquals(1, found / expected, tolerance, what + ": " + found + " for " + expected);
  }

  private static void assertFound(Numbers numbers, Profile profile) {
    List<Level> caches = levels(profile, Level.Kind.CACHE);
    List<Level> tlbs = levels(profile, Level.Kind.TLB);
    assertEquals(numbers.caches().size(), caches.size(), () -> "caches: " + profile.levels());
    assertEquals(numbers.tlbs().size(), tlbs.size(), () -> "TLBs: " + profile.levels());
    for (int i = 0; i < caches.size(); i++) {
      assertNear(numbers.caches().get(i).units() * 64.0, caches.get(i).bytes(), 0.3, "a cache");
    }
    for (int i = 0; i < tlbs.size(); i++) {
      assertNear(numbers.tlbs().get(i).units() * 4096.0, tlbs.get(i).bytes(), 0.3, "a TLB");
    }
    double all = numbers.baseNanos();
    for (Part part : numbers.caches()) {
      all += part.missNanos();
    }
    for (Part part : numbers.tlbs()) {
      all += part.missNanos();
    }
    assertNear(all, value(profile, Quantity.READ_LATENCY), 0.1, "read latency");
    assertNear(numbers.writeNanos(), value(profile, Quantity.WRITE_LATENCY), 0.1, "write latency");
    assertNear(numbers.parallelism(), value(profile, Quantity.PARALLELISM), 0.1, "parallelism");
    assertNear(numbers.readGigabytes(), value(profile, Quantity.READ_BANDWIDTH), 0.1, "reading");
    assertNear(numbers.writeGigabytes(), value(profile, Quantity.WRITE_BANDWIDTH), 0.1, "writing");
    assertNear(
        numbers.appendNanos() + numbers.barrierNanos(),
        value(profile, Quantity.BARRIER_LATENCY),
        0.1,
        "barrier");
    assertNear(numbers.handOffNanos(), value(profile, Quantity.HAND_OFF), 0.1, "hand-off");
  }

  private static double value(Profile profile, Quantity quantity) {
    return profile.require(quantity, "the test");
  }

  private static List<Level> levels(Profile profile, Level.Kind kind) {
    return profile.levels().stream().filter(level -> level.kind() == kind).toList();
  }

  @Test
  void findsCachesAndTlbs() throws Exception {
    assertFound(DRAM, probe(DRAM));
  }

  @Test
  void findsBuffersOfADevice() throws Exception {
    assertFound(OPTANE, probe(OPTANE));
  }

  @Test
  void tellsThatTheMachineIsTooNoisy() {
    Numbers noisy =
        new Numbers(32 * MIB, 1, List.of(), List.of(), 1, 1, 1, 1, 1, 1, 1, 1, 1, /* noise= */ 30);
    NoisyMachineException thrown = assertThrows(NoisyMachineException.class, () -> probe(noisy));
    assertTrue(thrown.getMessage().contains("--interval"), thrown.getMessage());
  }
}
