package io.pmstore.core.catalogue;

import java.util.List;

/**
 * The numbers of an enum's constants. A constant keeps its number for ever, whatever order the
 * class declares and however it is renamed; one that was removed keeps its name at its number, so
 * that it has it again if it returns.
 *
 * @param id what cells name the type by; 0 while it is in no catalogue
 * @param className the binary name of the enum class
 * @param constants the names of the constants; the place in this list is the constant's number
 * @param predecessor the id of the entry that this one replaces, possibly of another class name; 0
 *     for the first one
 */
public record EnumType(int id, String className, List<String> constants, int predecessor)
    implements CatalogueEntry {
  /** Copies the names. */
  public EnumType {
    constants = List.copyOf(constants);
  }

  /**
   * The first entry of an enum.
   *
   * @param id what cells name the type by; 0 while it is in no catalogue
   * @param className the binary name of the enum class
   * @param constants the names of the constants
   */
  public EnumType(int id, String className, List<String> constants) {
    this(id, className, constants, 0);
  }

  @Override
  public EnumType withId(int newId) {
    return new EnumType(newId, className, constants, predecessor);
  }

  @Override
  public String toString() {
    return className + " " + constants;
  }
}
