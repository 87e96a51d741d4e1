package io.pmstore.core.catalogue;

/**
 * A property of a shape.
 *
 * @param name its name
 * @param kind how it lies in the object
 * @param typeName the binary name of its declared type; empty where no class is behind it
 * @param offset where it starts in the object, in bytes; 0 while it has no place yet
 */
public record Property(String name, SlotKind kind, String typeName, int offset) {

  /**
   * A property that has no place yet.
   *
   * @param name its name
   * @param kind how it lies in the object
   * @param typeName the binary name of its declared type
   */
  public Property(String name, SlotKind kind, String typeName) {
    this(name, kind, typeName, 0);
  }

  /**
   * The same property at a place.
   *
   * @param newOffset where it starts in the object, in bytes
   * @return the property
   */
  public Property at(int newOffset) {
    return new Property(name, kind, typeName, newOffset);
  }

  @Override
  public String toString() {
    return (typeName.isEmpty() ? kind.name() : typeName) + " " + name;
  }
}
