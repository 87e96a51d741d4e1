package io.pmstore.core.heap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.Durability;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.EngineKind;
import io.pmstore.core.engine.ParallelEngine;
import io.pmstore.core.space.ObjectLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a handle shows and does of an object that has an older shape than its class. */
class EvolvingObjectTest {
  private final ExecutorService other = Executors.newSingleThreadExecutor();
  private final ParallelEngine engine = new ParallelEngine();
  private final List<Heap> opened = new ArrayList<>();

  @AfterEach
  void close() {
    other.close();
    opened.forEach(Heap::close);
  }

  /** A heap whose objects have a shape today. */
  private Heap open(Engine on, Layout current) {
    Heap heap = new Heap(on, Durability.SYNC, h -> new EvolvingLayer(h, current));
    opened.add(heap);
    return heap;
  }

  private Heap open(Layout current) {
    return open(engine, current);
  }

  private static long create(Heap heap, Layout layout, long number) {
    return heap.transaction(() -> layout.create(heap, number));
  }

  /** Runs on another thread, and waits for it. */
  private void elsewhere(Runnable action) {
    try {
      other.submit(action).get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static long committedHeader(Heap heap, long object) {
    return heap.memory().getLong(object);
  }

  private static void assertReadsEverywhere(Heap heap, HeapObject object, Layout now, long number) {
    assertEquals(number, now.read(object));
    assertEquals(number, heap.transaction(() -> now.read(object)));
    assertEquals(number, heap.snapshot(() -> now.read(object)));
    String text = EvolvingLayer.text(number);
    assertEquals(text, object.getObject(8, 0));
    assertEquals(text, heap.transaction(() -> object.getObject(8, 0)));
    assertEquals(text, heap.snapshot(() -> object.getObject(8, 0)));
  }

  // ---- every engine

  @ParameterizedTest
  @EnumSource(
      names = {"LLPL", "TIERED"},
      mode = EnumSource.Mode.EXCLUDE) // in their modules
  void chainsOfShapesAreReadUpgradedAndOpenedAgain(EngineKind kind, @TempDir Path directory) {
    List<Layout> chain =
        List.of(Layout.PERMUTED, Layout.LARGER, Layout.LARGER_PERMUTED, Layout.LARGEST);
    boolean isKept = kind != EngineKind.MEMORY && kind != EngineKind.PARALLEL;
    Heap heap = open(kind.open(directory), Layout.FIRST);
    long untouched = create(heap, Layout.FIRST, -5);
    long home = create(heap, Layout.FIRST, 100);
    long number = 100;
    for (Layout now : chain) {
      if (isKept) {
        heap.close();
        heap = open(kind.open(directory), now);
      } else {
        heap = open(heap.engine, now);
      }
      HeapObject object = heap.evolving(home, now.shapeId());
      assertTrue(object.isEvolving());
      assertReadsEverywhere(heap, object, now, number);
      assertTrue(object.isEvolving(), "a read upgrades nothing");
      now.write(object, ++number);
      assertEquals(home, object.identity());
      assertReadsEverywhere(heap, object, now, number);
      assertFalse(object.isEvolving());
      assertEquals(now.shapeId(), heap.shapeId(object.address()));
      assertReadsEverywhere(heap, heap.evolving(home, now.shapeId()), now, number);
      assertReadsEverywhere(heap, heap.evolving(untouched, now.shapeId()), now, -5);
    }
  }

  // ---- what is in the heap

  @Test
  void anUpgradeInPlaceKeepsSizeAndPlace() {
    Heap heap = open(Layout.PERMUTED);
    long home = create(heap, Layout.FIRST, 7);
    HeapObject object = heap.evolving(home, Layout.PERMUTED.shapeId());
    object.putInt(Layout.PERMUTED.offset(Layout.Field.INT), 12);
    assertEquals(
        ObjectLayout.header(Layout.PERMUTED.shapeId(), 0, Layout.FIRST.size()),
        committedHeader(heap, home));
    assertEquals(home, object.address());
    assertFalse(object.isEvolving());
    Layout.PERMUTED.write(object, Layout.Field.INT, 7);
    assertEquals(7, Layout.PERMUTED.read(object));
  }

  @Test
  void aMovedObjectLeavesAForwarderThatIsRedirectedWhenItMovesAgain() {
    Heap heap = open(Layout.LARGER);
    long home = create(heap, Layout.FIRST, 7);
    HeapObject object = heap.evolving(home, Layout.LARGER.shapeId());
    Layout.LARGER.write(object, 8);
    long body = object.address();
    long forwarder = ObjectLayout.header(Layout.FORWARDER, 0, Layout.FIRST.size());
    assertNotEquals(home, body);
    assertEquals(forwarder, committedHeader(heap, home));
    assertEquals(body, heap.getLong(home, ForwarderLayout.BODY_OFFSET));
    assertEquals(body, heap.bodies().body(home));
    assertEquals(
        ObjectLayout.header(Layout.LARGER.shapeId(), ObjectLayout.FLAG_BODY, Layout.LARGER.size()),
        committedHeader(heap, body));

    Heap later = open(Layout.LARGEST);
    HeapObject again = later.evolving(home, Layout.LARGEST.shapeId());
    assertEquals(body, again.address());
    Layout.LARGEST.write(again, 9);
    assertNotEquals(body, again.address());
    assertEquals(forwarder, committedHeader(heap, home));
    assertEquals(again.address(), heap.getLong(home, ForwarderLayout.BODY_OFFSET));
    assertEquals(home, again.identity());
    assertEquals(9, Layout.LARGEST.read(again));
  }

  @Test
  void anObjectMovesOnlyWhenTheForwardersShapeIsKnown() {
    Heap heap = new Heap(engine, Durability.SYNC, _ -> new NoObjects());
    opened.add(heap);
    long home = create(heap, Layout.FIRST, 7);
    assertThrows(
        IllegalStateException.class,
        () -> heap.transaction(() -> heap.bodies().move(home, Layout.LARGER.shapeId(), 72)));
  }

  // ---- transactions

  @Test
  void aRolledBackUpgradeLeavesTheObjectAsItWas() {
    for (Layout now : List.of(Layout.PERMUTED, Layout.LARGER)) {
      Heap heap = open(now);
      long home = create(heap, Layout.FIRST, 7);
      HeapObject object = heap.evolving(home, now.shapeId());
      assertThrows(
          ArithmeticException.class,
          () ->
              heap.transaction(
                  () -> {
                    now.write(object, 8);
                    assertEquals(8, now.read(object));
                    throw new ArithmeticException();
                  }));
      assertTrue(object.isEvolving());
      assertEquals(
          ObjectLayout.header(Layout.FIRST.shapeId(), 0, Layout.FIRST.size()),
          committedHeader(heap, home));
      assertReadsEverywhere(heap, object, now, 7);
      now.write(object, 9);
      assertReadsEverywhere(heap, object, now, 9);
    }
  }

  @Test
  void ofTwoTransactionsThatUpgradeAnObjectTheLaterRunsAgain() {
    for (Layout now : List.of(Layout.PERMUTED, Layout.LARGER)) {
      Heap heap = open(now);
      long home = create(heap, Layout.FIRST, 7);
      HeapObject object = heap.evolving(home, now.shapeId());
      int[] runs = {0};
      heap.transaction(
          () -> {
            now.write(object, Layout.Field.INT, 20);
            if (runs[0]++ == 0) {
              elsewhere(() -> now.write(object, Layout.Field.SHORT, 30));
            }
            return true;
          });
      assertEquals(2, runs[0]);
      assertEquals(Layout.Field.INT.bitsOf(20), now.read(object, Layout.Field.INT));
      assertEquals(Layout.Field.SHORT.bitsOf(30), now.read(object, Layout.Field.SHORT));
      assertEquals(7, now.read(object, Layout.Field.LONG));
    }
  }

  @Test
  void aTransactionThatBeganBeforeAnUpgradeSeesOneState() {
    for (Layout now : List.of(Layout.PERMUTED, Layout.LARGER)) {
      Heap heap = open(now);
      HeapObject a = heap.evolving(create(heap, Layout.FIRST, 1), now.shapeId());
      HeapObject b = heap.evolving(create(heap, Layout.FIRST, 1), now.shapeId());
      int[] runs = {0};
      List<Long> seen =
          heap.transaction(
              () -> {
                long first = now.read(a);
                if (runs[0]++ == 0) {
                  elsewhere(
                      () -> {
                        heap.transaction(
                            () -> {
                              now.write(a, 2);
                              now.write(b, 2);
                              return true;
                            });
                        now.read(b);
                      });
                  assertFalse(b.isEvolving());
                }
                return List.of(first, now.read(b));
              });
      assertEquals(List.of(2L, 2L), seen);
      assertEquals(2, runs[0]);
    }
  }

  // ---- snapshots

  @Test
  void aSnapshotShowsWhatWasThereAndNoHandleSettlesMeanwhile() {
    for (Layout now : List.of(Layout.PERMUTED, Layout.LARGER)) {
      Heap heap = open(now);
      HeapObject object = heap.evolving(create(heap, Layout.FIRST, 7), now.shapeId());
      heap.snapshot(
          () -> {
            assertEquals(7, now.read(object));
            elsewhere(
                () -> {
                  now.write(object, 8);
                  assertEquals(8, now.read(object));
                  heap.snapshot(
                      () -> {
                        assertEquals(8, now.read(object));
                        return true;
                      });
                  HeapObject another = heap.evolving(object.identity(), now.shapeId());
                  assertTrue(another.isEvolving());
                  assertEquals(8, now.read(another));
                });
            assertTrue(object.isEvolving());
            assertEquals(7, now.read(object));
            assertEquals(EvolvingLayer.text(7), object.getObject(8, 0));
            assertThrows(IllegalStateException.class, () -> now.write(object, Layout.Field.INT, 9));
            return true;
          });
      assertTrue(object.isEvolving());
      assertEquals(8, now.read(object));
      assertFalse(object.isEvolving());
      assertEquals(8L, heap.<Long, RuntimeException>snapshot(() -> now.read(object)));
    }
  }

  @Test
  void aSnapshotOfACurrentObjectReadsIt() {
    Heap heap = open(Layout.LARGER);
    long home = create(heap, Layout.FIRST, 7);
    Layout.LARGER.write(heap.evolving(home, Layout.LARGER.shapeId()), 8);
    HeapObject[] object = new HeapObject[1];
    heap.snapshot(
        () -> {
          object[0] = heap.evolving(home, Layout.LARGER.shapeId());
          assertTrue(object[0].isEvolving());
          assertEquals(8, Layout.LARGER.read(object[0]));
          elsewhere(() -> Layout.LARGER.write(object[0], 9));
          assertEquals(8, Layout.LARGER.read(object[0]));
          return true;
        });
    assertEquals(9, Layout.LARGER.read(object[0]));
    assertFalse(object[0].isEvolving());
  }

  // ---- handles

  @Test
  void aHandleOfACurrentObjectIsSettledAtOnce() {
    Heap heap = open(Layout.LARGER);
    long home = create(heap, Layout.LARGER, 7);
    HeapObject object = heap.evolving(home, Layout.LARGER.shapeId());
    assertFalse(object.isEvolving());
    assertEquals(home, object.identity());
    assertEquals(home, object.address());
    HeapObject made = heap.transaction(() -> heap.newObject(Layout.LARGER.shapeId(), 72));
    assertEquals(made.address(), made.identity());
    assertTrue(made.isCurrent(Layout.FIRST.shapeId()), "it has had one shape only");
  }
}
