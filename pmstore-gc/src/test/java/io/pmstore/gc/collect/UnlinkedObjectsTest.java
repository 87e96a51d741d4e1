package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.JavaGarbage;
import io.pmstore.gc.trace.MarkBits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class UnlinkedObjectsTest {
  private final Map<Long, Object> javaObjects = new HashMap<>();
  private final List<Long> freed = new ArrayList<>();
  private final List<Long> positions = new ArrayList<>();
  private long snapshot = Long.MAX_VALUE; // what was unlinked behind it cannot be freed
  private final UnlinkedObjects unlinked = new UnlinkedObjects(javaObjects::get, this::free);

  private boolean free(long[] objects, int count, long since) {
    if (since > snapshot) {
      return false;
    }
    Arrays.stream(objects, 0, count).forEach(freed::add);
    positions.add(since);
    return true;
  }

  private Progress stepAll(UnlinkedObjects all) {
    Progress progress = all.step();
    while (progress == Progress.MORE) {
      progress = all.step();
    }
    return progress;
  }

  @Test
  void whatNoJavaObjectStandsForIsFreedInBatches() {
    for (int i = 1; i <= 1000; i++) {
      assertEquals(i == UnlinkedObjects.BATCH, unlinked.add(i * 8L, i));
    }
    assertEquals(Progress.DONE, stepAll(unlinked));
    assertEquals(LongStream.rangeClosed(1, 1000).map(i -> i * 8).boxed().toList(), freed);
    assertEquals(List.of(256L, 512L, 768L, 1000L), positions);
  }

  @Test
  void whatASnapshotMayShowIsTriedAgain() {
    snapshot = 5;
    unlinked.add(8, 4);
    assertEquals(Progress.DONE, stepAll(unlinked));
    unlinked.add(16, 6);
    assertEquals(Progress.WAITS, stepAll(unlinked));
    assertEquals(Progress.WAITS, stepAll(unlinked));
    assertEquals(List.of(8L), freed);
    snapshot = 6;
    assertEquals(Progress.DONE, stepAll(unlinked));
    assertEquals(List.of(8L, 16L), freed);
  }

  @Test
  void whatAJavaObjectStandsForIsFreedWhenThatIsCollected() {
    javaObjects.put(8L, new Object());
    for (int i = 0; i < 3; i++) {
      unlinked.add(8, i); // unlinked, linked and unlinked again
      assertEquals(Progress.DONE, stepAll(unlinked));
    }
    assertEquals(List.of(), freed);
    javaObjects.clear();
    JavaGarbage.collectUntil(
        "the object whose Java object is gone is freed",
        () -> {
          stepAll(unlinked);
          return !freed.isEmpty();
        });
    assertEquals(List.of(8L), freed);
    assertEquals(List.of(2L), positions, "the last commit that unlinked it");
  }

  @Test
  void aLaterJavaObjectIsWaitedForInsteadOfAnEarlierOne() {
    javaObjects.put(8L, new Object());
    unlinked.add(8, 1);
    stepAll(unlinked);
    Object later = new Object();
    javaObjects.put(8L, later); // it was linked meanwhile, and read again
    unlinked.add(8, 2);
    stepAll(unlinked);
    javaObjects.put(16L, new Object());
    unlinked.add(16, 3);
    stepAll(unlinked);
    javaObjects.remove(16L);
    JavaGarbage.collectUntil(
        "the other one is freed",
        () -> {
          stepAll(unlinked);
          return !freed.isEmpty();
        });
    assertEquals(List.of(16L), freed);
    assertEquals(later, javaObjects.get(8L));
  }

  @Test
  void whatIsTooMuchIsLeftToACollection() {
    UnlinkedObjects few = new UnlinkedObjects(javaObjects::get, this::free, 3);
    for (int i = 1; i <= 3; i++) {
      few.add(i * 8L, i);
    }
    assertFalse(few.isOverflowed());
    few.add(32, 4);
    assertTrue(few.isOverflowed());
    stepAll(few);
    assertEquals(List.of(8L, 16L, 24L), freed);
    few.collectionBegins();
    few.add(40, 5);
    assertFalse(few.isOverflowed(), "there is room again");
    stepAll(few);
    assertEquals(40L, freed.getLast());
  }

  @Test
  void whatCannotBeFreedIsLeftToACollection() {
    UnlinkedObjects failing =
        new UnlinkedObjects(
            javaObjects::get,
            (objects, count, since) -> {
              throw new IllegalStateException("no");
            });
    failing.add(8, 1);
    assertThrows(IllegalStateException.class, failing::step);
    assertTrue(failing.isOverflowed());
    assertEquals(Progress.DONE, failing.step(), "it is not tried for ever");
  }

  @Test
  void besideASweepWhatIsNotMarkedIsLeftToTheSweep() {
    MarkBits marks = MarkBits.marks();
    LongStream.of(16, 48, 80).forEach(marks::set);
    snapshot = 0;
    unlinked.add(16, 1);
    unlinked.add(32, 1);
    assertEquals(Progress.WAITS, unlinked.step()); // both in the batch
    unlinked.add(48, 1);
    unlinked.add(64, 1); // both in the inbox
    unlinked.beginSweep(marks);
    snapshot = 1;
    assertEquals(Progress.DONE, stepAll(unlinked));
    assertEquals(List.of(16L, 48L), freed);
    unlinked.add(80, 1);
    unlinked.add(96, 1);
    unlinked.endSweep();
    assertEquals(Progress.DONE, stepAll(unlinked));
    assertEquals(List.of(16L, 48L, 80L), freed);
  }
}
