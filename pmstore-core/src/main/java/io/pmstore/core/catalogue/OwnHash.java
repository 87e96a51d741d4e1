package io.pmstore.core.catalogue;

/**
 * A mark that objects of a class, or values of a record, are or were keys of hash maps or elements
 * of hash sets under hash codes that code of the class has decided: its {@code hashCode}, or the
 * constructor of a record that has changed its components when it was upgraded. Such a key keeps
 * its place when a later version of the class lacks that code.
 *
 * @param id its place in the catalogue; 0 while it is in none; no object names it
 * @param className the binary name of the class
 * @param shapeId the id of a shape of the class; the mark is for all shapes of its chain
 */
public record OwnHash(int id, String className, int shapeId) implements CatalogueEntry {
  @Override
  public OwnHash withId(int newId) {
    return new OwnHash(newId, className, shapeId);
  }

  @Override
  public String toString() {
    return className + " has hash codes of its own";
  }
}
