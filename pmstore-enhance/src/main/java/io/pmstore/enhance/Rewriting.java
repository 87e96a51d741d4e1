package io.pmstore.enhance;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
 * @param changesDates {@link Universe#changesDates} of the class
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
    boolean changesDates,
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
        universe.changesDates(in),
        universe.changesCollections(in),
        universe.givesToReflection(in));
  }

  /** Returns true if the class may change values of persistent fields in place. */
  boolean changesValues() {
    return storesElements || changesDates;
  }

  /** Returns which operands of a call may be such values that the call may change. */
  List<Integer> changedOperands(int opcode, String owner, String name, String descriptor) {
    Set<Integer> found = new LinkedHashSet<>();
    if (storesElements) {
      found.addAll(JdkCalls.arraysStoredInto(opcode, owner, name, descriptor));
    }
    if (changesDates) {
      found.addAll(JdkCalls.datesChanged(opcode, owner, name, descriptor));
    }
    return List.copyOf(found);
  }
}
