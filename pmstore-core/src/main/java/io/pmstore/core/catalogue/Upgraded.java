package io.pmstore.core.catalogue;

/**
 * Says that no object of a class has a shape from before some shape any more, so that nobody has to
 * know how those are read.
 *
 * @param id its place in the catalogue; 0 while it is in none. Nothing names it
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
