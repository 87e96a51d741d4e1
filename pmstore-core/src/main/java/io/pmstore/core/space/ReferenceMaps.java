package io.pmstore.core.space;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where the objects of a store hold references, by shape. Safe for use by any number of threads: a
 * shape's map is added before the first object of the shape is made or read.
 */
public final class ReferenceMaps {
  private volatile @Nullable ReferenceMap[] byShape = new ReferenceMap[64];
  private volatile @Nullable ReferenceMap[] byKind = new ReferenceMap[ObjectLayout.KINDS];
  private volatile boolean empty = true;
  private volatile int rowKind = -1;
  private volatile int rowFrom;

  /** Makes maps of which none is known yet. */
  public ReferenceMaps() {}

  /**
   * Adds the map of a shape.
   *
   * @param shapeId the shape, not 0
   * @param map its references
   */
  public synchronized void add(int shapeId, ReferenceMap map) {
    byShape = with(byShape, shapeId, map);
    empty = false;
  }

  /**
   * Adds the map of one of the heap's own kinds of objects.
   *
   * @param kind the kind, as {@link ObjectLayout#kind} gives it
   * @param map its references
   */
  public synchronized void addKind(int kind, ReferenceMap map) {
    byKind = with(byKind, kind, map);
  }

  /**
   * Says which of the heap's own kinds has references only, from an offset on to its end.
   *
   * @param kind the kind
   * @param from the offset
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

  /**
   * Says whether there is nothing to be counted, since no shape is known.
   *
   * @return true until {@link #add} is called
   */
  public boolean isEmpty() {
    return empty;
  }

  /**
   * The map of an object.
   *
   * @param header the object's header word
   * @return its references; null if its shape is not known here
   */
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
