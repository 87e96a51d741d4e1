package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.FormerNames;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.OwnHash;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.bean.AbstractTypes;
import io.pmstore.proxy.bean.BeanClass;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.EnumPlanner;
import io.pmstore.proxy.evolution.Functions;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ShapePlanner;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plans what a store would do with the classes of the program, without changing it. */
public final class DryRun {
  private final Catalogue catalogue;
  private final Functions functions;
  private final Predicate<Class<?>> hasCodec;
  private final Supplier<BitSet> used;
  private @Nullable BitSet known; // what it returned
  private final ClassFinder finder = new ClassFinder();
  private final Set<String> seen = new HashSet<>();

  private DryRun(
      Catalogue catalogue,
      Functions functions,
      Predicate<Class<?>> hasCodec,
      Supplier<BitSet> used) {
    this.catalogue = catalogue;
    this.hasCodec = hasCodec;
    this.functions = functions;
    this.used = used;
  }

  /**
   * Plans for classes and all that they refer to.
   *
   * @param hasCodec returns true if a class is registered as a value type
   * @param used returns the ids of the shapes of which the store has objects; it is called only
   *     where that decides
   */
  public static EvolutionReport of(
      Catalogue catalogue,
      Functions functions,
      Predicate<Class<?>> hasCodec,
      Supplier<BitSet> used,
      List<Class<?>> classes) {
    return new DryRun(catalogue, functions, hasCodec, used).report(classes);
  }

  private EvolutionReport report(List<Class<?>> given) {
    given.forEach(finder::learn);
    Set<Class<?>> all = new LinkedHashSet<>(given);
    all.addAll(finder.learnt());
    List<ClassChange> changes = new ArrayList<>();
    for (Class<?> type : all) {
      ClassChange change = change(type);
      seen.add(change.className());
      seen.add(change.storedName());
      if (!AbstractTypes.isAbstract(type) || change.verdict() != Verdict.NEW) {
        changes.add(change);
      }
    }
    for (String name : unseen()) {
      try {
        Class<?> type = finder.lookUp(name);
        if (type != null && AbstractTypes.isAbstract(type)) {
          if (nameOfObjects(type) != null && all.add(type)) {
            changes.add(change(type));
          }
          seen.add(name);
        }
      } catch (ClassRefusedException | LinkageError e) {
        // No one class is known to have the name: it stays unseen.
      }
    }
    changes.sort(Comparator.comparing(ClassChange::className));
    return new EvolutionReport(changes, unseen());
  }

  private ClassChange change(Class<?> type) {
    try {
      if (type.isEnum()) {
        return EnumPlanner.plan(catalogue, type, finder).change();
      }
      if (AbstractTypes.isAbstract(type)) {
        String name = nameOfObjects(type);
        if (name != null) {
          return refused(
              type,
              name,
              StoreSchema.nowAbstract(type, name)
                  + ". Objects that are garbage count until store.gc() has freed them");
        }
        if (names(type).stream().anyMatch(each -> catalogue.find(each) instanceof Shape)) {
          // it had objects once
          return new ClassChange(type.getName(), "", Verdict.NEW, List.of(), "");
        }
      }
      ProgramClass today = programClass(type);
      today.checkTypes(hasCodec);
      return ShapePlanner.plan(catalogue, today, finder, functions).change();
    } catch (ClassRefusedException e) {
      return refused(type, "", String.valueOf(e.getMessage()));
    } catch (LinkageError | TypeNotPresentException e) {
      return refused(type, "", ClassCheck.notLinked(type, e));
    }
  }

  private static ClassChange refused(Class<?> type, String storedName, String message) {
    return new ClassChange(type.getName(), storedName, Verdict.REFUSED, List.of(), message);
  }

  /** Returns the name under which the store has objects of an abstract class, or null. */
  private @Nullable String nameOfObjects(Class<?> type) {
    for (String name : names(type)) {
      boolean isOfIts =
          catalogue.find(name) instanceof Shape stored
              && catalogue.newest(stored).className().equals(name)
              && finder.lookUpOfObjects(name) == type
              && hasObjects(stored);
      if (isOfIts) {
        return name;
      }
    }
    return null;
  }

  /** Returns the former names of a class, and its name. */
  private static List<String> names(Class<?> type) {
    FormerNames former = type.getAnnotation(FormerNames.class);
    List<String> names = new ArrayList<>(former == null ? List.of() : List.of(former.value()));
    names.add(type.getName());
    return names;
  }

  private boolean hasObjects(Shape newest) {
    BitSet shapes = known != null ? known : used.get();
    known = shapes;
    return catalogue.lineage(newest).stream().anyMatch(shape -> shapes.get(shape.id()));
  }

  private static ProgramClass programClass(Class<?> type) {
    if (type.isRecord()) {
      return ProgramClass.of(RecordClass.of(type));
    }
    BeanClass bean = PersistentClasses.examined(type);
    return ProgramClass.of(bean.type(), bean.shape(), bean.properties());
  }

  /** Returns the program's classes in the store that were not planned for. */
  private List<String> unseen() {
    Set<String> names = new TreeSet<>();
    for (CatalogueEntry entry : catalogue.entries()) {
      switch (entry) {
        case Shape shape -> names.add(catalogue.newest(shape).className());
        case EnumType type -> names.add(catalogue.newest(type).className());
        case Upgraded _,
            ValueType _,
            OwnHash _ -> {} // these are no classes whose objects are stored
      }
    }
    names.removeIf(
        name ->
            seen.contains(name)
                || name.startsWith("pmstore.")
                || name.startsWith("[")
                || RecordClass.isLikeRecord(name));
    return List.copyOf(names);
  }
}
