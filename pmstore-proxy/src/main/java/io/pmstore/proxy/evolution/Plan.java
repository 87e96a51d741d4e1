package io.pmstore.proxy.evolution;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.CatalogueEntry;

/**
 * What is to be done so that a store can keep a class as it is today.
 *
 * @param <E> a shape or an enum type
 * @param entry what the class is to have in the catalogue: if nothing has changed what it has there
 *     already; otherwise what is to be added, with id 0
 * @param change the same to be read
 */
public record Plan<E extends CatalogueEntry>(E entry, ClassChange change) {
  /**
   * What the class is to have in the catalogue.
   *
   * @return the entry
   * @throws ClassRefusedException if the class is refused
   */
  public E require() {
    if (change.verdict() == Verdict.REFUSED || change.verdict() == Verdict.NEEDS_MIGRATION) {
      throw new ClassRefusedException(change.message());
    }
    return entry;
  }
}
