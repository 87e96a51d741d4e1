package io.pmstore.core.catalogue;

import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** An entry of the catalogue. Immutable: a change of a class adds a new entry. */
public sealed interface CatalogueEntry permits Shape, EnumType, Upgraded, ValueType, OwnHash {
  /**
   * Decodes an entry.
   *
   * @param bytes from {@link io.pmstore.core.heap.Directory#catalogueEntries}
   * @param earlier returns the entry with a lower id, or null if that entry is damaged
   * @throws io.pmstore.StoreDamagedException if the bytes are no entry, or do not fit the
   *     predecessor
   * @throws io.pmstore.StoreFormatException if the entry has a later version
   */
  static CatalogueEntry decode(
      int id, byte[] bytes, IntFunction<@Nullable CatalogueEntry> earlier) {
    CatalogueEntry entry = CatalogueLayout.decode(id, bytes);
    Lineage.check(entry, earlier);
    return entry;
  }

  /**
   * Returns the id by which objects and cells name the entry. Ids start at 1, in the order of
   * addition; 0 means that the entry is in no catalogue yet.
   */
  int id();

  /** Returns the binary name of the class. */
  String className();

  /** Returns the same entry with another id. */
  CatalogueEntry withId(int id);
}
