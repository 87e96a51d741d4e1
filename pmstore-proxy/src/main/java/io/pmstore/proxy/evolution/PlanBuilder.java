package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Kind;
import io.pmstore.EvolutionReport.PropertyChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.CatalogueEntry;
import java.util.ArrayList;
import java.util.List;

/** Collects what becomes of the parts of a class, and why the class is refused if it is. */
final class PlanBuilder {
  private final List<PropertyChange> changes = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();
  private final List<String> migrations = new ArrayList<>();

  void add(Kind kind, Object before, Object after) {
    changes.add(new PropertyChange(kind, before.toString(), after.toString()));
  }

  /** Refuses the class. */
  void refuse(String reason) {
    refusals.add(reason);
  }

  /** Refuses the class for a reason that makes any other mislead. */
  void refuseFor(String reason) {
    refusals.clear();
    migrations.clear();
    refusals.add(reason);
  }

  /** Refuses the class until a function is given. */
  void needMigration(String reason) {
    migrations.add(reason);
  }

  boolean isRefused() {
    return !refusals.isEmpty() || !migrations.isEmpty();
  }

  /**
   * Finishes the plan.
   *
   * @param what the class, to begin a message with
   * @param entry what the class is to have in the catalogue
   * @param storedName the name that the store has it under, or the empty string
   * @param verdict the verdict if nothing refuses the class
   */
  <E extends CatalogueEntry> Plan<E> build(
      String what, E entry, String storedName, Verdict verdict) {
    ClassChange accepted = new ClassChange(entry.className(), storedName, verdict, changes, "");
    if (!isRefused()) {
      return new Plan<>(entry, accepted);
    }
    List<String> reasons = new ArrayList<>(refusals);
    reasons.addAll(migrations);
    String message =
        "%s does not fit what this store has of it:\n  %s\n%s"
            .formatted(what, String.join("\n  ", reasons), accepted.sideBySide());
    Verdict refused = refusals.isEmpty() ? Verdict.NEEDS_MIGRATION : Verdict.REFUSED;
    return new Plan<>(
        entry, new ClassChange(entry.className(), storedName, refused, changes, message));
  }
}
