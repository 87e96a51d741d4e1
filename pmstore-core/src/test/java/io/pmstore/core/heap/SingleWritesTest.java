package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes outside transactions are refused, or told of where they come in bursts. */
class SingleWritesTest {
  private final List<String> warnings = new ArrayList<>();
  private long nanos;

  @Test
  void aBurstIsToldOfOnceForEachPlace() {
    SingleWrites writes = new SingleWrites(true, warnings::add, () -> nanos);
    for (int i = 1; i < SingleWrites.BURST; i++) {
      writes.begin();
    }
    assertEquals(List.of(), warnings);
    for (int i = 0; i < 3 * SingleWrites.BURST; i++) {
      writes.begin();
    }
    assertEquals(1, warnings.size(), () -> "" + warnings);
    assertTrue(warnings.getFirst().startsWith("100 writes"), warnings.getFirst());
    assertTrue(warnings.getFirst().contains("store.transaction"), warnings.getFirst());
  }

  @Test
  void slowWritesAreNoBurst() {
    SingleWrites writes = new SingleWrites(true, warnings::add, () -> nanos);
    for (int i = 1; i < SingleWrites.BURST; i++) {
      writes.begin();
    }
    nanos = 1_000_000_000;
    writes.begin();
    assertEquals(List.of(), warnings);
  }

  @Test
  void whereThereAreToBeNoneEachIsRefused() {
    SingleWrites writes = new SingleWrites(false, warnings::add, () -> nanos);
    String message = assertThrows(IllegalStateException.class, writes::begin).getMessage();
    assertTrue(message.contains("writesOutsideTransactions(false)"), message);
  }
}
