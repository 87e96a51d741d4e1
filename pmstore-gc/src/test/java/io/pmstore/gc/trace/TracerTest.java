package io.pmstore.gc.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.gc.Seed;
import io.pmstore.gc.TestHeap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TracerTest {
  private final TestHeap store = new TestHeap();

  @AfterEach
  void close() {
    store.heap.close();
  }

  /** Goes everywhere, and notes what was reached and where from. */
  private static final class Notes implements TraceVisitor {
    final Map<Long, Integer> reached = new HashMap<>();
    final List<String> places = new ArrayList<>();
    @Nullable Tracer tracer;

    @Override
    public boolean reference(TracedShape holder, long reference) {
      if (tracer != null) {
        places.add(tracer.place());
      }
      return true;
    }

    @Override
    public boolean word(SlotKind kind, long word) {
      throw new AssertionError("no object has a word");
    }

    @Override
    public boolean cell(long first, long second) {
      return true;
    }

    @Override
    public boolean part(long blob, int index, long part) {
      return true;
    }

    @Override
    public void reached(long object, long header, @Nullable TracedShape shape) {
      reached.merge(object, 1, Integer::sum);
    }
  }

  private Tracer tracer(Notes notes, int depthMax, Shape... known) {
    ShapeTable shapes = new ShapeTable();
    for (Shape shape : known) {
      shapes.add(shape);
    }
    return new Tracer(store.heap.memory(), shapes, notes, depthMax);
  }

  @Test
  void aWalkWithAShallowStackReachesTheSame() {
    Random random = Seed.random("aWalkWithAShallowStackReachesTheSame");
    for (int round = 0; round < 20; round++) {
      Shape shape = store.define("com.acme.Node", 3, 32);
      List<Long> all = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        all.add(store.newObject(shape));
      }
      for (long object : all) {
        for (int slot = 8; slot < 32; slot += 8) {
          if (random.nextInt(5) < 2) {
            store.heap.putLong(object, slot, all.get(random.nextInt(all.size())));
          }
        }
      }
      Notes deep = new Notes();
      tracer(deep, Tracer.DEPTH_MAX, shape).trace(all.getFirst());
      for (int depthMax : new int[] {1, 2, 7, 100}) {
        Notes shallow = new Notes();
        Tracer tracer = tracer(shallow, depthMax, shape);
        tracer.trace(all.getFirst());
        assertEquals(deep.reached, shallow.reached, "depth " + depthMax);
        assertEquals(deep.reached.size(), tracer.marks().count());
      }
      assertEquals(Set.of(1), new HashSet<>(deep.reached.values()), "each is reached once");
    }
  }

  @Test
  void pathsGoOnWhereTheStackEnds() {
    Shape shape = store.define("com.acme.Link", 1, 16);
    long[] links = new long[7];
    for (int i = links.length - 1; i >= 0; i--) {
      links[i] = store.newObject(shape);
      store.heap.putLong(links[i], 8, i + 1 < links.length ? links[i + 1] : 0);
    }
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < links.length - 1; i++) {
      expected.add("start -> " + "r0 -> ".repeat(i) + "Link@" + links[i] + ".r0");
    }
    for (int depthMax : new int[] {1, 2, 3, 100}) {
      Notes notes = new Notes();
      notes.tracer = tracer(notes, depthMax, shape);
      notes.tracer.start("start");
      notes.tracer.trace(links[0]);
      assertEquals(expected, notes.places, "depth " + depthMax);
    }
  }

  @Test
  void whatWasReachedBeforeIsNotWalkedAgain() {
    Shape shape = store.define("com.acme.Link", 1, 16);
    long first = store.newObject(shape);
    long second = store.newObject(shape);
    store.heap.putLong(second, 8, first);
    Notes notes = new Notes();
    Tracer tracer = tracer(notes, 10, shape);
    tracer.trace(first);
    assertFalse(tracer.marks().get(second));
    tracer.trace(second);
    tracer.trace(second);
    assertEquals(Map.of(first, 1, second, 1), notes.reached);
  }

  @Test
  void bitsAreIndependentOfEachOther() {
    Random random = Seed.random("bitsAreIndependentOfEachOther");
    MarkBits bits = MarkBits.addresses();
    Set<Long> expected = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      long address = random.nextInt(8 << 20) * 8L;
      assertEquals(expected.add(address), bits.set(address));
      long other = random.nextInt(8 << 20) * 8L;
      assertEquals(expected.contains(other), bits.get(other));
    }
    assertEquals(expected.size(), bits.count());
    long from = random.nextInt(64 << 20);
    while (!expected.isEmpty()) {
      from = bits.take(from);
      assertTrue(expected.remove(from), "taken but not set: " + from);
    }
    long end = from;
    assertThrows(IllegalStateException.class, () -> bits.take(end));
  }
}
