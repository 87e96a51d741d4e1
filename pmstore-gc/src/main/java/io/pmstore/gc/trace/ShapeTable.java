package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.Shape;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The shapes of a heap by id. Not thread-safe. */
public final class ShapeTable {
  private @Nullable TracedShape[] byId = new TracedShape[64];

  public void add(Shape shape) {
    if (shape.id() >= byId.length) {
      byId = Arrays.copyOf(byId, Math.max(shape.id() + 1, byId.length * 2));
    }
    byId[shape.id()] = new TracedShape(shape);
  }

  /** Returns the shape with an id, or null if the heap has none. Any number is accepted. */
  public @Nullable TracedShape find(int id) {
    return id >= 0 && id < byId.length ? byId[id] : null;
  }
}
