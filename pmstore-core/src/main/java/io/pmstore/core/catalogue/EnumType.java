package io.pmstore.core.catalogue;

import java.util.List;

/**
 * The numbers of an enum's constants. A constant keeps its number for ever, even if the class
 * reorders or renames its constants. A removed constant's name keeps its number, so the constant
 * gets it back if it returns.
 *
 * @param id the id by which cells name the type; 0 while it is in no catalogue
 * @param className the binary name of the enum class
 * @param constants the names of the constants, by number
 * @param predecessor the id of the entry that this one replaces, possibly with another class name;
 *     0 for the first one
 */
public record EnumType(int id, String className, List<String> constants, int predecessor)
    implements CatalogueEntry {
  /** Copies the names. */
  public EnumType {
    constants = List.copyOf(constants);
  }

  /** Creates the first entry of an enum. */
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
