package io.pmstore.core.catalogue;

/**
 * A mark that every object of a class has been upgraded to some shape or a later one, so earlier
 * shapes need not be readable any more.
 *
 * @param id its place in the catalogue; 0 while it is in none; no object names it
 * @param className the binary name of the class
 * @param shapeId the id of the oldest shape that objects may still have
 */
public record Upgraded(int id, String className, int shapeId) implements CatalogueEntry {
  @Override
  public Upgraded withId(int newId) {
    return new Upgraded(newId, className, shapeId);
  }

  @Override
  public String toString() {
    return className + " upgraded to shape " + shapeId;
  }
}
