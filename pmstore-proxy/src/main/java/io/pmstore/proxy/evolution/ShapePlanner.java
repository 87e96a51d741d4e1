package io.pmstore.proxy.evolution;

import io.pmstore.EvolutionReport.Kind;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.Origin;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Plans how today's class continues the newest shape that a store has of it: the origin of each
 * property's value, and what is refused. Changes nothing.
 */
public final class ShapePlanner {
  private final Catalogue catalogue;
  private final ProgramClass today;
  private final KnownClasses classes;
  private final Functions functions;
  private final PlanBuilder plan = new PlanBuilder();

  private ShapePlanner(
      Catalogue catalogue, ProgramClass today, KnownClasses classes, Functions functions) {
    this.catalogue = catalogue;
    this.today = today;
    this.classes = classes;
    this.functions = functions;
  }

  public static Plan<Shape> plan(
      Catalogue catalogue, ProgramClass today, KnownClasses classes, Functions functions) {
    return new ShapePlanner(catalogue, today, classes, functions).plan();
  }

  private Plan<Shape> plan() {
    String what = kind(today.type().isRecord()) + " " + today.type().getName();
    StoredName found = StoredName.of(catalogue, today.type(), today.formerClassNames(), classes);
    if (found.newest() == null) {
      match(List.of()).refusals().forEach(refusal -> plan.refuse("property " + refusal));
      inOrderOfNames().forEach(i -> plan.add(Kind.ADDED, "", today.shape().properties().get(i)));
      return plan.build(what, today.shape(), "", Verdict.NEW);
    }
    String storedName = found.newest().className();
    if (!(found.newest() instanceof Shape stored)) {
      plan.refuse("the store has it as the enum " + found.newest() + "; make it an enum again");
      return plan.build(what, today.shape(), storedName, Verdict.CHANGED);
    }
    if (!found.refusal().isEmpty()) {
      plan.refuse(found.refusal());
    }
    boolean wasRecord = stored.superclassName().equals(Shape.RECORD);
    if (!stored.superclassName().isEmpty() && wasRecord != today.type().isRecord()) {
      plan.refuse(
          "it is a %s in the store, and a %s in the program: make it a %s again, and give the %s another name"
              .formatted(kind(wasRecord), kind(!wasRecord), kind(wasRecord), kind(!wasRecord)));
    }
    NameMatch match = match(stored.properties());
    Shape next = today.shape().after(stored.id(), origins(stored, match));
    if (plan.isRefused()) {
      if (found.refusal().isEmpty() && match.refusals().isEmpty()) {
        refuseNewer(stored);
      }
      return plan.build(what, next, storedName, Verdict.CHANGED);
    }
    refuseRemovedAgain(stored);
    boolean isSame = storedName.equals(next.className()) && stored.hasLayoutOf(next);
    Shape current = isSame ? stored : next;
    requireFunctions(current);
    return plan.build(what, current, storedName, isSame ? Verdict.UNCHANGED : Verdict.CHANGED);
  }

  private static String kind(boolean isRecord) {
    return isRecord ? "record" : "class";
  }

  private List<Integer> inOrderOfNames() {
    List<Property> properties = today.shape().properties();
    return IntStream.range(0, properties.size())
        .boxed()
        .sorted(Comparator.comparing(i -> properties.get(i).name()))
        .toList();
  }

  private NameMatch match(List<Property> stored) {
    return new NameMatch(
        stored.stream().map(Property::name).toList(),
        today.shape().properties().stream().map(Property::name).toList(),
        today.formerNames());
  }

  private List<Origin> origins(Shape stored, NameMatch match) {
    List<Property> properties = today.shape().properties();
    Origin[] origins = new Origin[properties.size()];
    List<Property> added = new ArrayList<>();
    for (int i : inOrderOfNames()) {
      Property to = properties.get(i);
      int old = match.storedOf(i);
      String refusal = match.refusal(i);
      origins[i] = Origin.INITIAL;
      if (refusal != null) {
        plan.refuse("property " + refusal);
        plan.add(Kind.REFUSED, old < 0 ? "" : stored.properties().get(old), to);
      } else if (old >= 0) {
        origins[i] = origin(stored, old, i);
      } else if (hasFunction(stored, to)) {
        origins[i] = Origin.FUNCTION;
        plan.add(Kind.MIGRATED, "", to);
      } else {
        added.add(to);
        plan.add(Kind.ADDED, "", to);
      }
    }
    for (int old = 0; old < stored.properties().size(); old++) {
      if (!match.isTaken(old)) {
        gone(stored.properties().get(old), added);
      }
    }
    return List.of(origins);
  }

  private Origin origin(Shape stored, int old, int index) {
    Property from = stored.properties().get(old);
    Property to = today.shape().properties().get(index);
    Kind change = TypeChange.of(from, to, today.types().get(index), classes);
    if (change != Kind.NEEDS_MIGRATION) {
      boolean isRenamed = change == Kind.KEPT && !from.name().equals(to.name());
      plan.add(isRenamed ? Kind.RENAMED : change, from, to);
      return Origin.stored(old);
    }
    if (hasFunction(stored, to)) {
      plan.add(Kind.MIGRATED, from, to);
    } else {
      String function =
          "give a migration function for \"%s\" in the options, Migration.of(%s.class, \"%s\", ...)"
              .formatted(to.name(), today.type().getSimpleName(), to.name());
      boolean isOtherKind =
          from.typeName().equals(to.typeName())
              && from.kind() != to.kind()
              && !today.types().get(index).isInterface();
      if (!from.hasArgumentsOf(to) && !isOtherKind) {
        function +=
            "; where all that it holds fits the new type, the function may return old.get(\"%s\")"
                .formatted(from.name());
      }
      plan.needMigration(
          isOtherKind
              ? "property %s is of type %s, which was a class, a record or an enum in the store and is another of these now; give the type another name, and %s"
                  .formatted(to.name(), to.typeText(), function)
              : "property %s was of type %s in the store, and is of type %s in the class, which does not have all values of that: %s"
                  .formatted(to.name(), from.typeText(), to.typeText(), function));
      plan.add(Kind.NEEDS_MIGRATION, from, to);
    }
    return Origin.FUNCTION;
  }

  private void gone(Property old, List<Property> added) {
    if (today.removed().contains(old.name())) {
      plan.add(Kind.REMOVED, old, "");
      return;
    }
    StringBuilder reason = new StringBuilder();
    reason.append(
        "property %s of the store is not in the class: annotate the class with @Removed(\"%s\") if its values may go, or give the property back"
            .formatted(old.name(), old.name()));
    for (Property candidate : added) {
      if (candidate.kind() == old.kind() && candidate.typeName().equals(old.typeName())) {
        reason.append(
            "; if it is called %s now, annotate that with @FormerNames(\"%s\")"
                .formatted(candidate.name(), old.name()));
      }
    }
    plan.refuse(reason.toString());
    plan.add(Kind.REFUSED, old, "");
  }

  private boolean hasFunction(Shape stored, Property property) {
    Set<String> names = new LinkedHashSet<>(Set.of(today.type().getName()));
    names.addAll(today.formerClassNames());
    catalogue.lineage(stored).forEach(shape -> names.add(shape.className()));
    return functions.has(today.type(), names, property.name());
  }

  /** Refuses the class with that reason if the store has a newer shape of it than the program. */
  private void refuseNewer(Shape stored) {
    for (int id = stored.predecessor(); id != 0; ) {
      Shape older = catalogue.shape(id);
      if (older.hasLayoutOf(today.shape())) {
        plan.refuseFor(
            "the store has a newer shape of the class than this program, which a later program has"
                + " added: use that program, or one that came after it");
        return;
      }
      id = older.predecessor();
    }
  }

  /**
   * Refuses a removal that an older program may have confirmed for an earlier property of the same
   * name: its class is as it was between that one and the property that the store has now.
   */
  private void refuseRemovedAgain(Shape stored) {
    Set<String> again = new LinkedHashSet<>(names(stored));
    again.retainAll(today.removed());
    again.removeAll(names(today.shape()));
    boolean isOlder = false;
    Set<String> earlier = new HashSet<>();
    for (int id = stored.predecessor(); id != 0 && !again.isEmpty(); ) {
      Shape older = catalogue.shape(id);
      if (isOlder) {
        earlier.addAll(names(older));
      }
      isOlder |= older.hasLayoutOf(today.shape());
      id = older.predecessor();
    }
    again.retainAll(earlier);
    for (String name : again) {
      plan.refuse(
          "property %s was removed before, and a later program has added it again: if this is the earlier program, use the later one or a newer one; if the values of the new property may go, rename it first, with @FormerNames(\"%s\"), and remove it by its other name in a release after that"
              .formatted(name, name));
    }
  }

  private static Set<String> names(Shape shape) {
    return shape.properties().stream().map(Property::name).collect(Collectors.toSet());
  }

  /**
   * Checks the functions for all older shapes: objects of each of them have to be readable, not
   * only of the newest one.
   */
  private void requireFunctions(Shape current) {
    List<Shape> lineage = catalogue.lineage(current);
    Set<String> missing = new LinkedHashSet<>();
    for (int i = 1; i < lineage.size(); i++) {
      ShapeMapping mapping = ShapeMapping.of(lineage.subList(0, i + 1).reversed());
      for (int p = 0; p < current.properties().size(); p++) {
        if (mapping.source(p) instanceof Source.Function function
            && !hasFunction(current, function.to())) {
          missing.add(function.to().name());
        }
      }
    }
    for (String property : missing) {
      plan.needMigration(
          "property %s is made by a migration function for objects of an older shape, of which the store may have some left: give the function for \"%s\" in the options, or run store.upgrade() once with the program that had it"
              .formatted(property, property));
    }
  }
}
