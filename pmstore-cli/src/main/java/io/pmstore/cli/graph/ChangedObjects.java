package io.pmstore.cli.graph;

import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.engine.StoredCommits.ChangeVisitor;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Counts by class the objects that a commit changed. Classes are those of the objects that are at
 * the same addresses now. Where only changed bytes are known, each object with one of them counts.
 */
public final class ChangedObjects implements ChangeVisitor {
  private static final String OTHER = "(counters, space)";
  private static final String FREED = "(freed)";

  private final Heap heap;
  private final Catalogue catalogue;
  private final Map<String, Integer> counts = new TreeMap<>();
  private final Set<Long> seen = new HashSet<>();
  private final NavigableSet<Long> changedBytes = new TreeSet<>(); // first addresses
  private int length; // of each of them

  public ChangedObjects(Heap heap, Catalogue catalogue) {
    this.heap = heap;
    this.catalogue = catalogue;
  }

  @Override
  public void object(long address) {
    if (seen.add(address)) {
      add(heap.read(() -> heap.isAllocated(address)) ? name(header(address)) : OTHER);
    }
  }

  @Override
  public void freed(long address) {
    if (seen.add(address)) {
      add(FREED);
    }
  }

  @Override
  public void bytes(long address, int bytes) {
    changedBytes.add(address);
    length = bytes;
  }

  /** Returns how many objects of each class were changed. */
  public Map<String, Integer> counts() {
    long chunk = -1;
    for (long address : changedBytes) {
      if ((address & -ExtentLayout.CHUNK_SIZE) != chunk) {
        chunk = address & -ExtentLayout.CHUNK_SIZE;
        countIn(chunk);
      }
    }
    changedBytes.clear();
    return counts;
  }

  private void countIn(long chunk) {
    long begin = beginOfRun(chunk);
    boolean[] found = new boolean[1];
    heap.reclamation()
        .forEachAllocated(
            begin,
            (address, header, bytes) -> {
              if (isChanged(address, bytes) && seen.add(address)) {
                found[0] = true;
                add(name(header));
              }
            });
    if (!found[0] && seen.add(begin)) {
      add(OTHER);
    }
  }

  /** Returns the chunk where a large object begins that has a chunk, or that chunk. */
  private long beginOfRun(long chunk) {
    long first = chunk & -HeapMemory.EXTENT_SIZE;
    for (long at = chunk; at > first; at -= ExtentLayout.CHUNK_SIZE) {
      long descriptor = heap.memory().getLong(ExtentLayout.descriptorAddress(at));
      int kind = ExtentLayout.kind(descriptor);
      if (kind == ExtentLayout.KIND_RUN) {
        long chunks = ExtentLayout.runChunks(descriptor);
        return at + (chunks << ExtentLayout.CHUNK_SHIFT) > chunk ? at : chunk;
      }
      if (kind != ExtentLayout.KIND_FREE) {
        return chunk;
      }
    }
    return chunk;
  }

  private boolean isChanged(long address, int bytes) {
    Long last = changedBytes.lower(address + bytes);
    return last != null && last + length > address;
  }

  private void add(String name) {
    counts.merge(name, 1, Integer::sum);
  }

  private long header(long object) {
    return heap.memory().getLong(object);
  }

  private String name(long header) {
    int shape = ObjectLayout.shapeId(header);
    if (shape == ObjectLayout.SHAPE_CORE) {
      return "pmstore's own";
    }
    return shape > 0 && shape <= catalogue.entries().size()
        ? catalogue.entries().get(shape - 1).className()
        : OTHER;
  }
}
