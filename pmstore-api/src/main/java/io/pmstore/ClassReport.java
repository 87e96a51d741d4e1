package io.pmstore;

import java.util.ArrayList;
import java.util.List;

/**
 * The faults of classes: the result of {@link PmStore#check(Class...)}. Immutable.
 *
 * <p>A test with this report fails on a class that a store would refuse, before a program opens a
 * store:
 *
 * <pre>{@code
 * @Test
 * void classesCanBeKept() {
 *   PmStore.check(Exchange.class, LimitOrder.class).assertAccepted();
 * }
 * }</pre>
 *
 * @param refusals one sentence for each fault, with the class, the member, its line if it has one,
 *     and what to do
 * @param warnings one sentence, in the same form, for each piece of code that the store accepts but
 *     that may not do what its author wants
 */
public record ClassReport(List<String> refusals, List<String> warnings) {
  /** Copies the lists. */
  public ClassReport {
    refusals = List.copyOf(refusals);
    warnings = List.copyOf(warnings);
  }

  /**
   * Returns true if a store accepts all of the classes.
   *
   * @return true if there are no refusals, whatever warnings there are
   */
  public boolean isAccepted() {
    return refusals.isEmpty();
  }

  /**
   * Throws if a store refuses one of the classes.
   *
   * @throws AssertionError if there are refusals; its message is the whole report
   */
  public void assertAccepted() {
    if (!isAccepted()) {
      throw new AssertionError(toString());
    }
  }

  /**
   * Returns the report as text.
   *
   * @return a line for each refusal and each warning
   */
  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    refusals.forEach(refusal -> lines.add("refused: " + refusal));
    warnings.forEach(warning -> lines.add("warning: " + warning));
    return lines.isEmpty() ? "all classes can be kept in a store" : String.join("\n", lines);
  }
}
