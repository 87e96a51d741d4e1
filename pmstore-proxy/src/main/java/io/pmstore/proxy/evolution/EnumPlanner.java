package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.Kind;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.EnumType;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Plans the numbers of the constants of today's enum in a store. Changes nothing. */
public final class EnumPlanner {
  private EnumPlanner() {}

  /**
   * Plans for one enum. A constant keeps its number, a new one gets the next number, and the name
   * of a removed one stays at its number.
   */
  public static Plan<EnumType> plan(Catalogue catalogue, Class<?> enumClass, KnownClasses classes) {
    String className = enumClass.getName();
    String what = "enum " + className;
    List<String> names = new ArrayList<>();
    List<Set<String>> formerNames = new ArrayList<>();
    for (Field field : enumClass.getDeclaredFields()) {
      if (field.isEnumConstant()) {
        names.add(field.getName());
        Set<String> former = new LinkedHashSet<>(Annotated.formerNames(field));
        former.remove(field.getName());
        formerNames.add(former);
      }
    }
    PlanBuilder plan = new PlanBuilder();
    StoredName found =
        StoredName.of(catalogue, enumClass, Annotated.formerNames(enumClass), classes);
    if (found.newest() == null) {
      names.forEach(name -> plan.add(Kind.ADDED, "", name));
      new NameMatch(List.of(), names, formerNames)
          .refusals()
          .forEach(refusal -> plan.refuse("constant " + refusal));
      return plan.build(what, new EnumType(0, className, names), "", Verdict.NEW);
    }
    String storedName = found.newest().className();
    if (!(found.newest() instanceof EnumType stored)) {
      plan.refuse("the store has it as a class, " + found.newest() + "; give it another name");
      return plan.build(what, new EnumType(0, className, names), storedName, Verdict.CHANGED);
    }
    if (!found.refusal().isEmpty()) {
      plan.refuse(found.refusal());
    }
    NameMatch match = new NameMatch(stored.constants(), names, formerNames);
    List<String> numbered = numbers(plan, stored, enumClass, names, match);
    if (plan.isRefused() && found.refusal().isEmpty() && match.refusals().isEmpty()) {
      refuseNewer(plan, catalogue, stored, new HashSet<>(names), Annotated.removed(enumClass));
    }
    boolean isSame = numbered.equals(stored.constants()) && storedName.equals(className);
    EnumType next = isSame ? stored : new EnumType(0, className, numbered, stored.id());
    return plan.build(what, next, storedName, isSame ? Verdict.UNCHANGED : Verdict.CHANGED);
  }

  /**
   * Refuses the enum for a reason that makes all others misleading if the program is older than the
   * store: its constants are those of an older entry.
   */
  private static void refuseNewer(
      PlanBuilder plan,
      Catalogue catalogue,
      EnumType stored,
      Set<String> names,
      Set<String> removed) {
    for (int id = stored.predecessor(); id != 0; ) {
      EnumType older = catalogue.enumType(id);
      Set<String> missing = new HashSet<>(older.constants());
      boolean hasNoOther = missing.containsAll(names);
      missing.removeAll(names);
      Set<String> later = new LinkedHashSet<>(stored.constants());
      later.removeAll(names);
      later.removeAll(removed);
      if (hasNoOther && removed.containsAll(missing) && !later.isEmpty()) {
        plan.refuseFor(
            "the store has constants of the enum that a later program has added or renamed, %s: use that program or a newer one. If this is the newer one, and no object has these constants any more, name them in @Removed on the enum"
                .formatted(String.join(" and ", later)));
        return;
      }
      id = older.predecessor();
    }
  }

  private static List<String> numbers(
      PlanBuilder plan, EnumType stored, Class<?> enumClass, List<String> names, NameMatch match) {
    List<String> numbered = new ArrayList<>(stored.constants());
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      int number = match.storedOf(i);
      String before = number < 0 ? "" : stored.constants().get(number);
      String refusal = match.refusal(i);
      if (refusal != null) {
        plan.refuse("constant " + refusal);
        plan.add(Kind.REFUSED, before, name);
      } else if (number < 0) {
        numbered.add(name);
        plan.add(Kind.ADDED, "", name);
      } else {
        numbered.set(number, name);
        plan.add(before.equals(name) ? Kind.KEPT : Kind.RENAMED, before, name);
      }
    }
    Set<String> removed = Annotated.removed(enumClass);
    for (int number = 0; number < stored.constants().size(); number++) {
      String gone = stored.constants().get(number);
      if (match.isTaken(number)) {
        continue;
      }
      boolean isConfirmed = removed.contains(gone);
      plan.add(isConfirmed ? Kind.REMOVED : Kind.REFUSED, gone, "");
      if (!isConfirmed) {
        plan.refuse(
            "constant %s of the store is not in the enum: annotate the enum with @Removed(\"%s\") if no object has it any more, annotate the constant that it is now with @FormerNames(\"%s\"), or give it back"
                .formatted(gone, gone, gone));
      }
    }
    return numbered;
  }
}
