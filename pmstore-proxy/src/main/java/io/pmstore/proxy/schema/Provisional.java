package io.pmstore.proxy.schema;

import io.pmstore.core.catalogue.Catalogue;
import org.jspecify.annotations.Nullable;

/**
 * The validity of a plan for a store that lacks a part of it and could not be changed: a shape of
 * id 0, or constants without numbers. The plan is valid until the catalogue gains an entry, or can
 * gain one, as when a replica begins to lead. Immutable.
 */
public final class Provisional {
  private final Catalogue catalogue;
  private final int entries;

  /** Notes what the catalogue has now. What is planned afterwards stands on it. */
  public Provisional(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.entries = catalogue.size();
  }

  /**
   * Returns true if something stands.
   *
   * @param until how long it stands; null if for ever
   */
  public static boolean stands(@Nullable Provisional until) {
    return until == null || until.stands();
  }

  private boolean stands() {
    return catalogue.isReadOnly() && catalogue.size() == entries;
  }
}
