package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Kind;
import io.pmstore.EvolutionReport.PropertyChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.CatalogueEntry;
import java.util.ArrayList;
import java.util.List;

/** Collects the changes of the parts of a class, and the reasons to refuse the class. */
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

  /** Refuses the class for a reason that makes all others misleading. */
  void refuseFor(String reason) {
    refusals.clear();
    migrations.clear();
    refusals.add(reason);
  }

  /** Refuses the class until a migration function is given. */
  void needMigration(String reason) {
    migrations.add(reason);
  }

  boolean isRefused() {
    return !refusals.isEmpty() || !migrations.isEmpty();
  }

  /**
   * Builds the plan.
   *
   * @param what the class, for the start of a message
   * @param entry the catalogue entry for the class
   * @param storedName the name that the store has for the class, or the empty string
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
