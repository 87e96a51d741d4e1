package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.space.ReferenceMap;

/** The slots of a shape that can hold addresses: its references and its cells. Immutable. */
public final class TracedShape {
  private final Shape shape;
  private final ReferenceMap references;
  private final String[] names;

  /**
   * Picks the slots out of a shape.
   *
   * @param shape a shape of the catalogue
   */
  TracedShape(Shape shape) {
    this.shape = shape;
    references = shape.references();
    names = new String[references.count()];
    for (Property property : shape.properties()) {
      int slot = references.placeOf(property.offset() / Long.BYTES);
      if (slot >= 0 && references.offset(slot) == property.offset()) {
        names[slot] = property.name();
      }
    }
  }

  /**
   * The whole shape.
   *
   * @return the shape as the catalogue has it
   */
  public Shape shape() {
    return shape;
  }

  /**
   * What objects of the shape are called in a path: the class name without its package, or the
   * whole name if they are the store's own.
   *
   * @return the name
   */
  public String simpleName() {
    String name = shape.className();
    return isOwn() ? name : name.substring(name.lastIndexOf('.') + 1);
  }

  /** Whether objects of the shape are the store's own: collections and their nodes. */
  boolean isOwn() {
    return shape.className().startsWith("pmstore.");
  }

  int slots() {
    return references.count();
  }

  int offset(int slot) {
    return references.offset(slot);
  }

  boolean isCell(int slot) {
    return references.isCell(slot);
  }

  String name(int slot) {
    return names[slot];
  }
}
