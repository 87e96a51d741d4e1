package io.pmstore.proxy.layer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pmstore.core.heap.CoreLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Reclamation;
import io.pmstore.core.heap.ReferenceReader;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.tx.LinkListener;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongConsumer;

/** Frees garbage when a test asks for it and nothing else runs. */
final class SimpleCollector implements LinkListener {
  private static final int BATCH = 256;

  private final Heap heap;
  private final Reclamation reclamation;
  private final ReferenceReader references;
  private final Queue<Long> unlinked = new ConcurrentLinkedQueue<>();

  SimpleCollector(Heap heap) {
    this.heap = heap;
    this.reclamation = heap.reclamation();
    this.references = reclamation.references();
    reclamation.listener(this);
  }

  @Override
  public void unlinked(long object, long position) {
    unlinked.add(object);
  }

  /** Takes what another one of the same store has not freed. */
  void takeOver(SimpleCollector other) {
    unlinked.addAll(other.unlinked);
  }

  /** Frees what commits have left unlinked, but for what has a Java object. */
  void freeUnlinked() {
    long before;
    do {
      before = reclamation.freed().objects();
      List<Long> objects = new ArrayList<>();
      for (Long object = unlinked.poll(); object != null; object = unlinked.poll()) {
        objects.add(object);
      }
      free(objects, reclamation::freeUnlinked);
    } while (reclamation.freed().objects() > before);
  }

  /** Frees what neither the roots nor Java objects reach. */
  void collect() {
    Set<Long> reached = new HashSet<>();
    Deque<Long> untraced = new ArrayDeque<>();
    LongConsumer reach =
        object -> {
          if (reached.add(object)) {
            untraced.add(object);
          }
        };
    reach.accept(CoreLayout.SUPERBLOCK);
    heap.layer().forEachPinned(reach);
    while (!untraced.isEmpty()) {
      references.forEach(untraced.remove(), reach);
    }
    Set<Long> garbage = new HashSet<>(allocated().keySet());
    garbage.removeAll(reached);
    free(List.copyOf(garbage), reclamation::freeUnreached);
  }

  private interface Freeing {
    boolean free(long[] objects, int count, long since);
  }

  private void free(List<Long> objects, Freeing freeing) {
    for (int from = 0; from < objects.size(); from += BATCH) {
      List<Long> batch = objects.subList(from, Math.min(objects.size(), from + BATCH));
      long[] addresses = batch.stream().mapToLong(Long::longValue).toArray();
      assertTrue(
          freeing.free(addresses, addresses.length, reclamation.position()), "a snapshot is open");
    }
  }

  /** All objects, with the bytes of their places. */
  Map<Long, Integer> allocated() {
    Map<Long, Integer> objects = new HashMap<>();
    forEachAllocated((object, header, bytes) -> objects.put(object, bytes));
    return objects;
  }

  /** The bytes that are in use. */
  long used() {
    long[] used = new long[1];
    forEachAllocated((object, header, bytes) -> used[0] += bytes);
    return used[0];
  }

  private void forEachAllocated(Reclamation.SpaceVisitor visitor) {
    HeapMemory memory = heap.memory();
    for (long chunk = 0; chunk < memory.size(); chunk += ExtentLayout.CHUNK_SIZE) {
      reclamation.forEachAllocated(chunk, visitor);
    }
  }
}
