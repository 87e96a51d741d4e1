package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.space.ReferenceMap;

/** The slots of a shape that can hold addresses: its references, words and cells. Immutable. */
public final class TracedShape {
  private final Shape shape;
  private final ReferenceMap references;
  private final String[] names;
  private final SlotKind[] kinds;

  /** Selects the slots of a shape of the catalogue. */
  TracedShape(Shape shape) {
    this.shape = shape;
    references = shape.references();
    names = new String[references.count()];
    kinds = new SlotKind[references.count()];
    for (Property property : shape.properties()) {
      int slot = references.placeOf(property.offset() / Long.BYTES);
      if (slot >= 0 && references.offset(slot) == property.offset()) {
        names[slot] = property.name();
        kinds[slot] = property.kind();
      }
    }
  }

  /** Returns the whole shape. */
  public Shape shape() {
    return shape;
  }

  /**
   * Returns the name of objects of the shape in paths: the class name without its package, or the
   * whole name of a shape of the store's own.
   */
  public String simpleName() {
    String name = shape.className();
    return isOwn() ? name : name.substring(name.lastIndexOf('.') + 1);
  }

  /** Returns true if objects of the shape are the store's own: collections and their nodes. */
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

  boolean isWord(int slot) {
    return references.isWord(slot);
  }

  SlotKind kind(int slot) {
    return kinds[slot];
  }

  String name(int slot) {
    return names[slot];
  }
}
