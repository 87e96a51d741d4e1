package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.EvolutionReport;
import io.pmstore.EvolutionReport.ClassChange;
import io.pmstore.EvolutionReport.Verdict;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.CatalogueEntry;
import io.pmstore.core.catalogue.EnumType;
import io.pmstore.core.catalogue.OwnHash;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.core.catalogue.Upgraded;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.EnumPlanner;
import io.pmstore.proxy.evolution.Functions;
import io.pmstore.proxy.evolution.ProgramClass;
import io.pmstore.proxy.evolution.ReachableClasses;
import io.pmstore.proxy.evolution.ShapePlanner;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Plans what a store would do with the classes of the program, without changing it. */
public final class DryRun {
  private final Catalogue catalogue;
  private final Functions functions;
  private final Predicate<Class<?>> hasCodec;
  private final ClassFinder finder = new ClassFinder();
  private final Set<String> seen = new HashSet<>();

  private DryRun(Catalogue catalogue, Functions functions, Predicate<Class<?>> hasCodec) {
    this.catalogue = catalogue;
    this.hasCodec = hasCodec;
    this.functions = functions;
  }

  /**
   * Plans for classes and all that they refer to.
   *
   * @param hasCodec returns true if a class is registered as a value type
   */
  public static EvolutionReport of(
      Catalogue catalogue,
      Functions functions,
      Predicate<Class<?>> hasCodec,
      List<Class<?>> classes) {
    return new DryRun(catalogue, functions, hasCodec).report(classes);
  }

  private EvolutionReport report(List<Class<?>> given) {
    Set<Class<?>> all = new LinkedHashSet<>(given);
    for (Class<?> type : given) {
      finder.learn(type);
      Set<Class<?>> followed = new HashSet<>();
      ReachableClasses.visit(
          type,
          reached -> {
            all.add(reached);
            return followed.add(reached);
          });
    }
    List<ClassChange> changes = new ArrayList<>();
    for (Class<?> type : all) {
      ClassChange change = change(type);
      seen.add(change.className());
      seen.add(change.storedName());
      boolean isOnlyInherited =
          Modifier.isAbstract(type.getModifiers()) && !type.isInterface() && !type.isEnum();
      if (!isOnlyInherited || change.verdict() != Verdict.NEW) {
        changes.add(change);
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
      ProgramClass today = programClass(type);
      today.checkTypes(hasCodec);
      return ShapePlanner.plan(catalogue, today, finder, functions).change();
    } catch (ClassRefusedException e) {
      return new ClassChange(
          type.getName(), "", Verdict.REFUSED, List.of(), String.valueOf(e.getMessage()));
    }
  }

  private static ProgramClass programClass(Class<?> type) {
    if (type.isRecord()) {
      return ProgramClass.of(RecordClass.of(type));
    }
    PersistentClass persistent = PersistentClasses.of(type);
    return ProgramClass.of(persistent.type(), persistent.shape(), persistent.properties());
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
