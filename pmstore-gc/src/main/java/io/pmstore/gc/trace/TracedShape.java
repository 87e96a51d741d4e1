package io.pmstore.gc.trace;

import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.SlotKind;
import java.util.List;

/** The slots of a shape that can hold addresses: its references and its cells. Immutable. */
public final class TracedShape {
  private final Shape shape;
  private final int[] offsets;
  private final boolean[] cells;
  private final String[] names;

  /**
   * Picks the slots out of a shape.
   *
   * @param shape a shape of the catalogue
   */
  TracedShape(Shape shape) {
    this.shape = shape;
    List<Property> slots =
        shape.properties().stream()
            .filter(p -> p.kind() == SlotKind.REFERENCE || p.kind() == SlotKind.CELL)
            .toList();
    offsets = slots.stream().mapToInt(Property::offset).toArray();
    names = slots.stream().map(Property::name).toArray(String[]::new);
    cells = new boolean[slots.size()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = slots.get(i).kind() == SlotKind.CELL;
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
    return offsets.length;
  }

  int offset(int slot) {
    return offsets[slot];
  }

  boolean isCell(int slot) {
    return cells[slot];
  }

  String name(int slot) {
    return names[slot];
  }
}
