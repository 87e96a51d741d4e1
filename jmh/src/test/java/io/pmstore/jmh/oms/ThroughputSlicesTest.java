package io.pmstore.jmh.oms;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pmstore.jmh.oms.ThroughputSlices.Look;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Samples of throughput out of looks at a counter. */
final class ThroughputSlicesTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void betweenTwoLooksTheCounterGrowsEvenly() {
    List<Look> looks = List.of(new Look(0, 0), new Look(SECOND, 100), new Look(3 * SECOND, 500));
    assertEquals(
        List.of(100.0, 200.0, 200.0, 50.0),
        ThroughputSlices.perSecond(looks, 4, new Look(4 * SECOND, 550)));
  }

  @Test
  void theMeanIsThatOfTheRunWhateverWasSeen() {
    List<Look> looks = List.of(new Look(7, 0), new Look(SECOND / 3, 70), new Look(9 * SECOND, 999));
    for (int slices = 1; slices <= 5; slices++) {
      double mean =
          ThroughputSlices.perSecond(looks, slices, new Look(2 * SECOND, 100)).stream()
              .mapToDouble(Double::doubleValue)
              .average()
              .orElseThrow();
      assertEquals(50, mean, 1e-9);
    }
    assertEquals(
        List.of(50.0), ThroughputSlices.perSecond(List.of(), 1, new Look(2 * SECOND, 100)));
  }
}
