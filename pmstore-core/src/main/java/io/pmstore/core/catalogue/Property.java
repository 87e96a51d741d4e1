package io.pmstore.core.catalogue;

import java.lang.constant.ClassDesc;

/**
 * A property of a shape.
 *
 * @param kind how the object stores it
 * @param typeName the binary name of its declared type; empty if it has no class
 * @param offset where it starts in the object, in bytes; 0 until it is laid out
 */
public record Property(String name, SlotKind kind, String typeName, int offset) {

  /** Creates a property that is not laid out yet. */
  public Property(String name, SlotKind kind, String typeName) {
    this(name, kind, typeName, 0);
  }

  /** Returns the same property at an offset in bytes. */
  public Property at(int newOffset) {
    return new Property(name, kind, typeName, newOffset);
  }

  /** Returns the declared type as source code has it, such as {@code int[]}. */
  public String typeText() {
    int dimensions = typeName.lastIndexOf('[') + 1;
    if (dimensions == 0) {
      return typeName.isEmpty() ? kind.name() : typeName;
    }
    String element = typeName.substring(dimensions);
    return (element.startsWith("L")
            ? element.substring(1, element.length() - 1)
            : ClassDesc.ofDescriptor(element).displayName())
        + "[]".repeat(dimensions);
  }

  @Override
  public String toString() {
    return typeText() + " " + name;
  }
}
