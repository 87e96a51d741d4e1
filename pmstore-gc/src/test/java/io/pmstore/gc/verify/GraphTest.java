package io.pmstore.gc.verify;

import static io.pmstore.gc.TestHeap.use;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.VerificationReport;
import io.pmstore.VerificationReport.ClassUse;
import io.pmstore.VerificationReport.Fault;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.gc.Seed;
import io.pmstore.gc.TestHeap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole graphs: sums compared with an oracle, and large and deep graphs. */
class GraphTest {
  private final TestHeap store = new TestHeap();

  @AfterEach
  void close() {
    store.heap.close();
  }

  /** A class with slots in random order, and what its objects take. */
  private record Kind(Shape shape, long room) {}

  private record Node(long address, Kind kind, List<Node> targets) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Node node && node.address == address;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(address);
    }
  }

  private Kind newKind(Random random, int i) {
    List<Property> properties = new ArrayList<>();
    int offset = 8;
    for (int slot = random.nextInt(10); slot > 0; slot--) {
      SlotKind kind =
          switch (random.nextInt(4)) {
            case 0 -> SlotKind.LONG;
            case 1 -> SlotKind.CELL;
            default -> SlotKind.REFERENCE;
          };
      if (offset + kind.width() <= 128) {
        properties.add(new Property("p" + slot, kind, "", offset));
        offset += kind.width();
      }
    }
    // Up to 128 bytes an object takes its size, but 16 at least; large ones take whole chunks.
    int chunks = random.nextInt(20) == 0 ? 1 + random.nextInt(3) : 0;
    int size = chunks == 0 ? offset : chunks * 16384 - 8 * random.nextInt(10);
    Shape shape = store.catalogue.define(new Shape(0, "com.acme.Kind" + i, "", properties, size));
    return new Kind(shape, chunks == 0 ? Math.max(16, size) : chunks * 16384L);
  }

  private void fill(Random random, Node node, List<Node> all) {
    for (Property property : node.kind().shape().properties()) {
      Node target = all.get(random.nextInt(all.size()));
      switch (property.kind()) {
        case LONG -> store.heap.putLong(node.address(), property.offset(), target.address());
        case REFERENCE -> {
          if (random.nextInt(3) == 0) {
            store.heap.putLong(node.address(), property.offset(), target.address());
            node.targets().add(target);
          }
        }
        default -> {
          boolean refers = random.nextInt(3) == 0;
          store.putCell(
              node.address(),
              property.offset(),
              refers ? CellLayout.OBJECT : CellLayout.LONG,
              target.address());
          if (refers) {
            node.targets().add(target);
          }
        }
      }
    }
  }

  @Test
  void whatIsReachedIsWhatAnOracleReaches() {
    Random random = Seed.random("whatIsReachedIsWhatAnOracleReaches");
    List<Kind> kinds = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      kinds.add(newKind(random, i));
    }
    List<Node> all = new ArrayList<>();
    Set<Node> roots = new HashSet<>();
    for (int round = 0; round < 20; round++) {
      List<Node> added = new ArrayList<>();
      for (int i = random.nextInt(400); i >= 0; i--) {
        Kind kind = kinds.get(random.nextInt(kinds.size()));
        added.add(new Node(store.newObject(kind.shape()), kind, new ArrayList<>()));
      }
      all.addAll(added);
      added.forEach(node -> fill(random, node, all));
      Node root = all.get(random.nextInt(all.size()));
      if (roots.add(root)) {
        store.heap.directory().setRoot("root " + roots.size(), root.address());
      }
      compare(all, roots);
    }
  }

  private void compare(List<Node> all, Set<Node> roots) {
    Set<Node> reached = new HashSet<>();
    ArrayDeque<Node> queue = new ArrayDeque<>(roots);
    reached.addAll(roots);
    while (!queue.isEmpty()) {
      for (Node target : queue.poll().targets()) {
        if (reached.add(target)) {
          queue.add(target);
        }
      }
    }
    Map<String, ClassUse> expected = new HashMap<>();
    for (Node node : reached) {
      String name = node.kind().shape().className();
      expected.merge(
          name,
          new ClassUse(name, 1, node.kind().room()),
          (a, b) -> new ClassUse(name, a.objects() + b.objects(), a.bytes() + b.bytes()));
    }
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    report.classes().stream()
        .filter(use -> use.className().startsWith("com.acme."))
        .forEach(use -> assertEquals(expected.remove(use.className()), use));
    assertEquals(Map.of(), expected, "classes that the walk did not reach");
    assertEquals(all.size() - reached.size(), report.garbageObjects());
    long garbage =
        all.stream().mapToLong(n -> n.kind().room()).sum()
            - reached.stream().mapToLong(n -> n.kind().room()).sum();
    assertEquals(garbage, report.garbageBytes());
    assertEquals(roots.size(), use(report, "pmstore.root.entry").objects());
    assertEquals(12, use(report, "pmstore.catalogue.entry").objects());
    assertEquals(roots.size() + 12, use(report, "pmstore.blob").objects());
  }

  @Test
  void aChainOfAMillionObjectsAndMore() {
    int length = 1_300_000; // deeper than the walk's stack
    Shape shape = store.define("com.acme.Link", 2, 24);
    long[] last = {0};
    long firstAddress = 0;
    for (int made = 0; made < length; ) {
      int until = Math.min(length, made + 10_000);
      int from = made;
      store.heap.transaction(
          () -> {
            long at = last[0];
            for (int i = from; i < until; i++) {
              long link = store.heap.allocate(shape.id(), shape.size());
              if (at != 0) {
                store.heap.putLong(at, 8, link);
                store.heap.putLong(link, 16, at); // and back: circles everywhere
              }
              at = link;
            }
            store.heap.onCommit(endOf(last, at));
            return null;
          });
      if (firstAddress == 0) {
        firstAddress = last[0];
        while (store.heap.getLong(firstAddress, 16) != 0) {
          firstAddress = store.heap.getLong(firstAddress, 16);
        }
      }
      made = until;
    }
    store.heap.directory().setRoot("chain", firstAddress);
    long start = System.nanoTime();
    VerificationReport report = store.verify();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf("verified a chain of %,d objects in %.3f s%n", length, seconds);
    assertTrue(report.isSound(), report::toString);
    assertEquals(new ClassUse("com.acme.Link", length, 24L * length), use(report, "com.acme.Link"));
    assertEquals(0, report.garbageObjects());

    store.damage(last[0] + 8, 4096);
    String next = "r0 -> r0 -> r0 -> r0 -> r0";
    assertEquals(
        List.of(
            new Fault(
                "root \"chain\" -> %s -> (%d more) -> %s -> Link@%d.r0"
                    .formatted(next, length + 1 - 12, next, last[0]),
                "heap address 4096, which is in a part of the heap that holds no objects",
                "the address of an object or collection")),
        store.verify().faults());
  }

  private static Runnable endOf(long[] last, long address) {
    return () -> last[0] = address;
  }
}
