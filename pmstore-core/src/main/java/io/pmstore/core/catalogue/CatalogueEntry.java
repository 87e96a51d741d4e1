package io.pmstore.core.catalogue;

/** One entry of the catalogue. Immutable: what changes gets a new entry. */
public sealed interface CatalogueEntry permits Shape, EnumType {
  /**
   * What objects and cells name the entry by.
   *
   * @return the id, from 1 on in the order in which entries were added; 0 while it is in no catalogue
   */
  int id();

  /**
   * The class that the entry describes.
   *
   * @return its binary name
   */
  String className();

  /**
   * The same entry with its place in a catalogue.
   *
   * @param id its id
   * @return the entry
   */
  CatalogueEntry withId(int id);
}
