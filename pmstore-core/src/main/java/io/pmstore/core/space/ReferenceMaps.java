package io.pmstore.core.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The reference maps of a store, by shape. Thread-safe: a shape's map is added before the first
 * object of the shape is made or read.
 */
public final class ReferenceMaps {
  private volatile @Nullable ReferenceMap[] byShape = new ReferenceMap[64];
  private volatile @Nullable ReferenceMap[] byKind = new ReferenceMap[ObjectLayout.KINDS];
  private volatile boolean empty = true;
  private volatile int rowKind = -1;
  private volatile int rowFrom;

  /** Adds the map of a shape; the id is not 0. */
  public synchronized void add(int shapeId, ReferenceMap map) {
    byShape = with(byShape, shapeId, map);
    empty = false;
  }

  /** Adds the map of one of the heap's own kinds, as in {@link ObjectLayout#kind}. */
  public synchronized void addKind(int kind, ReferenceMap map) {
    byKind = with(byKind, kind, map);
  }

  /**
   * Sets the one kind of the heap's own objects that has only references from an offset to its end.
   */
  public synchronized void addRows(int kind, int from) {
    rowFrom = from;
    rowKind = kind;
  }

  private static @Nullable ReferenceMap[] with(
      @Nullable ReferenceMap[] maps, int i, ReferenceMap map) {
    @Nullable ReferenceMap[] copy =
        Arrays.copyOf(maps, i < maps.length ? maps.length : Math.max(i + 1, maps.length * 2));
    copy[i] = map;
    return copy;
  }

  /** Returns true until the first shape is added: there is nothing to count yet. */
  public boolean isEmpty() {
    return empty;
  }

  /** Returns the map for an object's header, or null if its shape is unknown. */
  public @Nullable ReferenceMap find(long header) {
    int shapeId = ObjectLayout.shapeId(header);
    if (shapeId != ObjectLayout.SHAPE_CORE) {
      @Nullable ReferenceMap[] maps = byShape;
      return shapeId > 0 && shapeId < maps.length ? maps[shapeId] : null;
    }
    int kind = ObjectLayout.kind(header);
    return kind == rowKind ? ReferenceMap.row(rowFrom, ObjectLayout.size(header)) : byKind[kind];
  }
}
