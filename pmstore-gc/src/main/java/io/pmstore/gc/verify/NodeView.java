package io.pmstore.gc.verify;

import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.gc.trace.ShapeTable;
import io.pmstore.gc.trace.TracedShape;

/**
 * Reads the bytes of nodes of collections. Callers use the other methods only for addresses for
 * which {@link #is} or {@link #kind} has found a node.
 */
final class NodeView {
  private final HeapMemory memory;
  private final SpaceMap space;
  private final ShapeTable shapes;

  NodeView(HeapMemory memory, SpaceMap space, ShapeTable shapes) {
    this.memory = memory;
    this.space = space;
    this.shapes = shapes;
  }

  /** Returns the name of the shape of the whole object at an address; empty if there is none. */
  String kind(long address) {
    int room = space.room(address);
    if (room == 0) {
      return "";
    }
    long header = memory.getLong(address);
    TracedShape shape = shapes.find(ObjectLayout.shapeId(header));
    if (shape == null) {
      return "";
    }
    boolean isWhole =
        ObjectLayout.size(header) >= shape.shape().size() && ObjectLayout.size(header) <= room;
    return isWhole ? shape.shape().className() : "";
  }

  boolean is(long address, String kind) {
    return kind(address).equals(kind);
  }

  String describe(long address) {
    String kind = kind(address);
    return kind.isEmpty()
        ? address == 0 ? "0" : space.describe(address)
        : "%s at heap address %d".formatted(kind, address);
  }

  long getLong(long object, int offset) {
    return memory.getLong(object + offset);
  }

  int getInt(long object, int offset) {
    return memory.getInt(object + offset);
  }

  /** Returns true if some words are all zeros. */
  boolean isZero(long object, int offset, int bytes) {
    for (int at = offset; at < offset + bytes; at += Long.BYTES) {
      if (getLong(object, at) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the most objects that the heap can have: no walk takes more steps. */
  long objectsMax() {
    return memory.size() / (2 * Long.BYTES);
  }
}
