package io.pmstore.core.catalogue;

import java.util.List;

/**
 * The numbers of an enum's constants. A constant keeps its number for ever, whatever order the
 * class declares; the entries of one class agree in all numbers that they share.
 *
 * @param id what cells name the type by; 0 while it is in no catalogue
 * @param className the binary name of the enum class
 * @param constants the names of the constants; the place in this list is the constant's number
 */
public record EnumType(int id, String className, List<String> constants) implements CatalogueEntry {
  /** Copies the names. */
  public EnumType {
    constants = List.copyOf(constants);
  }

  @Override
  public EnumType withId(int newId) {
    return new EnumType(newId, className, constants);
  }

  @Override
  public String toString() {
    return className + " " + constants;
  }
}
