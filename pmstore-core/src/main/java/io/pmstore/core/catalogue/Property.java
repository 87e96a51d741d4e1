package io.pmstore.core.catalogue;

import java.lang.constant.ClassDesc;

/**
 * A property of a shape.
 *
 * @param kind how the object stores it
 * @param typeName the binary name of its declared type; empty if it has no class
 * @param arguments the type arguments of what it holds, in angle brackets, such as {@code
 *     <java.lang.String,int[]>}; empty if it has none, and in stores that do not record them
 * @param offset where it starts in the object, in bytes; 0 until it is laid out
 */
public record Property(String name, SlotKind kind, String typeName, String arguments, int offset) {

  /** Creates a property without type arguments. */
  public Property(String name, SlotKind kind, String typeName, int offset) {
    this(name, kind, typeName, "", offset);
  }

  /** Creates a property without type arguments that is not laid out yet. */
  public Property(String name, SlotKind kind, String typeName) {
    this(name, kind, typeName, 0);
  }

  /** Creates a property from its {@link #declared} type. */
  public static Property ofDeclared(String name, SlotKind kind, String declared, int offset) {
    int arguments = declared.indexOf('<');
    return arguments < 0
        ? new Property(name, kind, declared, offset)
        : new Property(
            name, kind, declared.substring(0, arguments), declared.substring(arguments), offset);
  }

  /** Returns the same property at an offset in bytes. */
  public Property at(int newOffset) {
    return new Property(name, kind, typeName, arguments, newOffset);
  }

  /** Returns the binary name of the declared type, followed by the type arguments. */
  public String declared() {
    return typeName + arguments;
  }

  /**
   * Returns true if the type arguments of two properties are equal, or not known of one of them.
   */
  public boolean hasArgumentsOf(Property other) {
    return arguments.equals(other.arguments) || arguments.isEmpty() || other.arguments.isEmpty();
  }

  boolean hasLayoutOf(Property other) {
    return name.equals(other.name)
        && kind == other.kind
        && typeName.equals(other.typeName)
        && offset == other.offset
        && hasArgumentsOf(other);
  }

  /** Returns the declared type as source code has it, such as {@code int[]}. */
  public String typeText() {
    int dimensions = typeName.lastIndexOf('[') + 1;
    if (dimensions == 0) {
      return typeName.isEmpty() ? kind.name() : declared();
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
