package io.pmstore.gc.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.GcReport;
import io.pmstore.GcReport.Cause;
import io.pmstore.VerificationReport;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.engine.MemoryEngine;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.NoObjects;
import io.pmstore.gc.TestHeap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A heap of nodes with a collector that a test drives step by step, and with Java objects that pin
 * nodes as long as the test says so.
 */
final class CollectedHeap {
  /** How many references a node has. */
  static final int REFERENCES = 3;

  /** How many references the root has. */
  static final int ROOT_REFERENCES = 20;

  private static final int ID_OFFSET = 8 + 8 * REFERENCES;

  /** The Java objects of a heap: those that a test says there are. */
  private static final class JavaObjects extends NoObjects {
    final Map<Long, Object> objects = new HashMap<>();

    @Override
    public @Nullable Object pinning(long address) {
      return objects.get(address);
    }

    @Override
    public void forEachPinned(LongConsumer visitor) {
      objects.keySet().forEach(visitor::accept);
      visitor.accept(8L << 20); // perhaps others: this is none
    }
  }

  private final JavaObjects javaObjects = new JavaObjects();
  final TestHeap store = new TestHeap(new MemoryEngine(), javaObjects);
  final Heap heap = store.heap;
  final UnlinkedObjects unlinked =
      new UnlinkedObjects(javaObjects::pinning, heap.reclamation()::freeUnlinked);
  final CollectionTrigger trigger = new CollectionTrigger();
  final LinkDispatcher links = new LinkDispatcher(unlinked, trigger, () -> {});

  private final Shape nodeShape = store.define("com.acme.Node", REFERENCES, ID_OFFSET + 8);
  private final Shape rootShape = store.define("com.acme.Root", ROOT_REFERENCES, 168);

  /** The root object, which is always there. */
  final long root;

  CollectedHeap() {
    heap.reclamation().listener(links);
    root =
        heap.transaction(
            () -> {
              long made = heap.allocate(rootShape.id(), rootShape.size());
              heap.directory().setRoot("root", made);
              return made;
            });
  }

  // ---- nodes, inside transactions

  /** Makes a node; it is freed by its own transaction unless that links or holds it. */
  long newNode(long id) {
    long node = heap.allocate(nodeShape.id(), nodeShape.size());
    heap.putLong(node, ID_OFFSET, id);
    return node;
  }

  /** Makes a node that has a Java object. */
  long newPinnedNode(long id) {
    long node = heap.newObject(nodeShape.id(), nodeShape.size()).identity();
    heap.putLong(node, ID_OFFSET, id);
    javaObjects.objects.put(node, new Object());
    return node;
  }

  long id(long node) {
    return heap.getLong(node, ID_OFFSET);
  }

  long get(long object, int i) {
    return heap.getLong(object, 8 + 8 * i);
  }

  void set(long object, int i, long to) {
    heap.putLong(object, 8 + 8 * i, to);
  }

  /** Gives a node that was read in the current transaction or snapshot a Java object. */
  void hold(long node) {
    assertTrue(heap.mayBePinned(node), "it was read and nobody writes");
    if (javaObjects.objects.putIfAbsent(node, new Object()) == null) {
      heap.becamePinned(node);
    }
  }

  /** Takes the Java object of a node away, as if it had been collected. */
  void drop(long node) {
    javaObjects.objects.remove(node);
  }

  // ---- collection

  Cycle cycle() {
    return new Cycle(heap, links, unlinked, Cause.REQUESTED, "");
  }

  /** Runs a collection, or the rest of one, to its end. */
  static GcReport finish(Cycle cycle) {
    Progress progress = cycle.step();
    while (progress == Progress.MORE) {
      progress = cycle.step();
    }
    assertEquals(Progress.DONE, progress, "nobody is to be waited for");
    return cycle.report();
  }

  /** Frees unlinked objects as far as it goes. */
  void freeUnlinked() {
    while (unlinked.step() == Progress.MORE) {
      // bounded steps
    }
  }

  /** Verifies the heap; returns what is not reached from the roots. */
  long garbage() {
    VerificationReport report = store.verify();
    assertTrue(report.isSound(), report::toString);
    return report.garbageObjects();
  }
}
