package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The shapes of a heap by their ids. Not safe for several threads. */
public final class ShapeTable {
  private @Nullable TracedShape[] byId = new TracedShape[64];

  /** Makes an empty table. */
  public ShapeTable() {}

  /**
   * Adds a shape.
   *
   * @param shape a shape with its id
   */
  public void add(Shape shape) {
    if (shape.id() >= byId.length) {
      byId = Arrays.copyOf(byId, Math.max(shape.id() + 1, byId.length * 2));
    }
    byId[shape.id()] = new TracedShape(shape);
  }

  /**
   * Finds a shape.
   *
   * @param id any number
   * @return the shape, or null if the heap has no shape of this id
   */
  public @Nullable TracedShape find(int id) {
    return id >= 0 && id < byId.length ? byId[id] : null;
  }
}
