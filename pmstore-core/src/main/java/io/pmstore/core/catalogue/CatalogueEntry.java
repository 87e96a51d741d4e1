package io.pmstore.core.catalogue;

/** One entry of the catalogue. Immutable: what changes gets a new entry. */
public sealed interface CatalogueEntry permits Shape, EnumType {
  /**
   * Decodes an entry.
   *
   * @param id its id
   * @param bytes what {@link io.pmstore.core.heap.Heap#catalogueEntries} returns for it
   * @return the entry
   * @throws io.pmstore.StoreDamagedException if the bytes are not those of an entry
   * @throws io.pmstore.StoreFormatException if they are of a later version
   */
  static CatalogueEntry decode(int id, byte[] bytes) {
    return CatalogueLayout.decode(id, bytes);
  }

  /**
   * What objects and cells name the entry by.
   *
   * @return the id, from 1 on in the order in which entries were added; 0 while it is in no
   *     catalogue
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
