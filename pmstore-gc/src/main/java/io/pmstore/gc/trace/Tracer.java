package io.pmstore.gc.trace;

import static io.pmstore.core.heap.CoreLayout.FLAGS_LONG_BLOB;
import static io.pmstore.core.heap.CoreLayout.LONG_BLOB_PARTS_OFFSET;

import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.WordLayout;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Walks everything reachable, depth first, and marks it.
 *
 * <p>The stack holds the objects between the starting point and the current one, each with the slot
 * that the walk has reached, so the stack is the path. It has at most {@link #DEPTH_MAX} entries of
 * 16 bytes. Deeper objects are marked, recorded in a second bitmap, and walked when the stack is
 * empty. Each such round visits as many objects as the stack has entries, so the time stays linear.
 *
 * <p>Memory: a bit for every 16 bytes of the heap, in extents with reachable objects; 16 MiB for
 * the stack at its deepest; for deeper graphs another bit for every 8 bytes, in extents with
 * recorded objects, and some kilobytes for paths.
 *
 * <p>Nothing may change the heap during a walk. Not thread-safe.
 */
public final class Tracer {
  /** The most objects in a path before a part of the walk is postponed. */
  public static final int DEPTH_MAX = 1 << 20;

  private static final int PATHS_MAX = 1000;

  private final HeapMemory memory;
  private final ShapeTable shapes;
  private final TraceVisitor visitor;
  private final int depthMax;
  private final MarkBits marks;
  private final MarkBits postponed;
  private long postponedCount;
  private final Map<Long, TracePath> postponedPaths = new HashMap<>();

  private TracePath base = TracePath.of("");
  private long[] objects = new long[64];
  private TracedShape[] objectShapes = new TracedShape[64];
  private int[] cursors = new int[64];
  private int depth;

  /**
   * Prepares a walk.
   *
   * @param shapes its shapes; a shape may be added until the walk meets its first object
   * @param visitor decides where to go
   */
  public Tracer(HeapMemory memory, ShapeTable shapes, TraceVisitor visitor) {
    this(memory, shapes, visitor, DEPTH_MAX);
  }

  Tracer(HeapMemory memory, ShapeTable shapes, TraceVisitor visitor, int depthMax) {
    this.memory = memory;
    this.shapes = shapes;
    this.visitor = visitor;
    this.depthMax = depthMax;
    this.marks = MarkBits.marks();
    this.postponed = MarkBits.addresses();
  }

  /** Returns the marks of what was reached so far; the walk sets more. */
  public MarkBits marks() {
    return marks;
  }

  /**
   * Sets the starting point that {@link #place} reports from now on.
   *
   * @param start its name in paths
   */
  public void start(String start) {
    base = TracePath.of(start);
  }

  /**
   * Walks everything reachable from an object or blob, itself included, that was not reached
   * before.
   *
   * @param object its address, at the starting point; the visitor is not asked about it
   */
  public void trace(long object) {
    TracePath start = base;
    reach(object);
    walk();
    long from = 0;
    for (; postponedCount > 0; postponedCount--) {
      from = postponed.take(from);
      TracePath path = postponedPaths.remove(from);
      base = path != null ? path : start.then(1, i -> "(a path not kept)");
      push(from, shapeOf(from));
      walk();
    }
    postponedPaths.clear();
    base = start;
  }

  private TracedShape shapeOf(long object) {
    TracedShape shape = shapes.find(ObjectLayout.shapeId(memory.getLong(object)));
    if (shape == null) {
      throw new IllegalStateException("the heap changed during a walk, at address " + object);
    }
    return shape;
  }

  private void walk() {
    while (depth > 0) {
      int top = depth - 1;
      TracedShape shape = objectShapes[top];
      int slot = cursors[top];
      if (slot == shape.slots()) {
        depth = top;
        continue;
      }
      cursors[top] = slot + 1;
      long place = objects[top] + shape.offset(slot);
      long word = memory.getLong(place);
      if (shape.isCell(slot)) {
        long second = memory.getLong(place + CellLayout.C_OFFSET);
        if ((word | second) != 0 && visitor.cell(word, second) && CellLayout.holdsAddress(word)) {
          reach(second);
        }
      } else if (shape.isWord(slot)) {
        if (word != 0 && visitor.word(shape.kind(slot), word) && !WordLayout.isInline(word)) {
          reach(word);
        }
      } else if (word != 0 && visitor.reference(shape, word)) {
        reach(ReferenceMap.address(word));
      }
    }
  }

  /** Marks an object or blob. A new one that can refer to others goes on the stack. */
  private void reach(long object) {
    if (!marks.set(object)) {
      return;
    }
    long header = memory.getLong(object);
    int shapeId = ObjectLayout.shapeId(header);
    TracedShape shape = shapes.find(shapeId);
    visitor.reached(object, header, shape);
    if (shapeId == ObjectLayout.SHAPE_CORE) {
      if (ObjectLayout.kind(header) == FLAGS_LONG_BLOB) {
        reachParts(object, header);
      }
    } else if (shape != null && shape.slots() > 0) {
      if (depth < depthMax) {
        push(object, shape);
      } else {
        postpone(object);
      }
    }
  }

  private void reachParts(long blob, long header) {
    int parts = (ObjectLayout.size(header) - LONG_BLOB_PARTS_OFFSET) / Long.BYTES;
    for (int i = 0; i < parts; i++) {
      long part = memory.getLong(blob + LONG_BLOB_PARTS_OFFSET + (long) i * Long.BYTES);
      if (visitor.part(blob, i, part)) {
        reach(part);
      }
    }
  }

  private void push(long object, TracedShape shape) {
    if (depth == objects.length) {
      int longer = Math.min(depth * 2, depthMax);
      objects = Arrays.copyOf(objects, longer);
      objectShapes = Arrays.copyOf(objectShapes, longer);
      cursors = Arrays.copyOf(cursors, longer);
    }
    objects[depth] = object;
    objectShapes[depth] = shape;
    cursors[depth] = 0;
    depth++;
  }

  private void postpone(long object) {
    postponed.set(object);
    postponedCount++;
    if (postponedPaths.size() < PATHS_MAX) {
      postponedPaths.put(object, pathOf(depth));
    }
  }

  // ---- paths

  /** Returns the current place: the current object and slot, with the path to it. */
  public String place() {
    if (depth == 0) {
      return base.toString();
    }
    int top = depth - 1;
    TracedShape shape = objectShapes[top];
    return pathOf(top)
        .then(1, i -> named(shape, objects[top]) + "." + shape.name(cursors[top] - 1))
        .toString();
  }

  /**
   * Returns a place in an object that the slot at {@link #place} refers to.
   *
   * @param object the address of the object
   * @param property the name of a property
   */
  public String placeIn(long object, TracedShape shape, String property) {
    return pathOf(depth).then(1, i -> named(shape, object) + "." + property).toString();
  }

  private static String named(TracedShape shape, long object) {
    return shape.simpleName() + "@" + object;
  }

  /** Returns the path through the lowest objects of the stack, each left by its current slot. */
  private TracePath pathOf(int steps) {
    return base.then(steps, this::step);
  }

  private String step(int i) {
    TracedShape shape = objectShapes[i];
    return shape.isOwn() ? TracePath.NODE : shape.name(cursors[i] - 1);
  }
}
