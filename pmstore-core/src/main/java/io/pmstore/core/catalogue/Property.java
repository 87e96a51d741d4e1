package io.pmstore.core.catalogue;

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

  @Override
  public String toString() {
    return (typeName.isEmpty() ? kind.name() : typeName) + " " + name;
  }
}
