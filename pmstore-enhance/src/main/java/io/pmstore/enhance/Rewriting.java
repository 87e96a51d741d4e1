package io.pmstore.enhance;

/**
 * What the rewriting of all methods of one class shares.
 *
 * @param universe the classes that the enhancer sees
 * @param faults gets what cannot be kept
 * @param in the class
 * @param isEnhanced whether it is enhanced, or only uses such classes
 * @param storesElements {@link Universe#storesElements} of the class
 * @param changesCollections {@link Universe#changesCollections} of the class
 * @param givesToReflection {@link Universe#givesToReflection} of the class
 */
record Rewriting(
    Universe universe,
    Faults faults,
    ClassFacts in,
    boolean isEnhanced,
    boolean storesElements,
    boolean changesCollections,
    boolean givesToReflection) {

  static Rewriting of(Universe universe, Faults faults, ClassFacts in) {
    return new Rewriting(
        universe,
        faults,
        in,
        universe.isEnhanced(in),
        universe.storesElements(in),
        universe.changesCollections(in),
        universe.givesToReflection(in));
  }
}
