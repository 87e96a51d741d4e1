package io.pmstore.core.catalogue;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One entry of the catalogue. Immutable: what changes gets a new entry. */
public sealed interface CatalogueEntry permits Shape, EnumType, Upgraded {
  /**
   * Decodes an entry.
   *
   * @param id its id
   * @param bytes what {@link io.pmstore.core.heap.Heap#catalogueEntries} returns for it
   * @param earlier gives the entry of a lower id, or null if that one is damaged
   * @return the entry
   * @throws io.pmstore.StoreDamagedException if the bytes are not those of an entry, or do not fit
   *     those of the entry that it follows
   * @throws io.pmstore.StoreFormatException if they are of a later version
   */
  static CatalogueEntry decode(
      int id, byte[] bytes, IntFunction<@Nullable CatalogueEntry> earlier) {
    CatalogueEntry entry = CatalogueLayout.decode(id, bytes);
    Lineage.check(entry, earlier);
    return entry;
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
