package io.pmstore.proxy.evolution;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.CatalogueEntry;

/**
 * The steps by which a store can keep a class in its present form.
 *
 * @param <E> a shape or an enum type
 * @param entry the catalogue entry for the class: the present one if nothing has changed, or else
 *     one to add, with id 0
 * @param change the same as a report
 */
public record Plan<E extends CatalogueEntry>(E entry, ClassChange change) {
  /**
   * Returns the catalogue entry for the class.
   *
   * @throws ClassRefusedException if the class is refused
   */
  public E require() {
    if (change.verdict() == Verdict.REFUSED || change.verdict() == Verdict.NEEDS_MIGRATION) {
      throw new ClassRefusedException(change.message());
    }
    return entry;
  }
}
