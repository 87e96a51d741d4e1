package io.pmstore.enhance;

import org.jspecify.annotations.Nullable;

/**
 * The state that the rewriting of all methods of one class shares.
 *
 * @param universe the classes that the enhancer sees
 * @param faults collects the faults of the class
 * @param in the class
 * @param isEnhanced whether the class is enhanced; if not, it only uses enhanced classes
 * @param arrayCalls the methods that the rewriting adds to the class; null if it may add none
 * @param storesElements {@link Universe#storesElements} of the class
 * @param changesCollections {@link Universe#changesCollections} of the class
 * @param givesToReflection {@link Universe#givesToReflection} of the class
 */
record Rewriting(
    Universe universe,
    Faults faults,
    ClassFacts in,
    boolean isEnhanced,
    @Nullable ArrayCalls arrayCalls,
    boolean storesElements,
    boolean changesCollections,
    boolean givesToReflection) {

  static Rewriting of(Universe universe, Faults faults, ClassFacts in, boolean mayHaveMoreMethods) {
    return new Rewriting(
        universe,
        faults,
        in,
        universe.isEnhanced(in),
        mayHaveMoreMethods ? new ArrayCalls() : null,
        universe.storesElements(in),
        universe.changesCollections(in),
        universe.givesToReflection(in));
  }
}
