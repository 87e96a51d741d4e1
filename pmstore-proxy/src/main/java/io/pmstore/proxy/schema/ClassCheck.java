package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.ClassReport;
import io.pmstore.Persistent;
import io.pmstore.proxy.bean.ClassFaults;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.evolution.ReachableClasses;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Checks classes, and all that they refer to, without a store. */
public final class ClassCheck {
  private ClassCheck() {}

  /**
   * Returns a report of what is refused, and what may surprise.
   *
   * @param hasCodec returns true if a class is registered as a value type
   */
  public static ClassReport of(List<Class<?>> classes, Predicate<Class<?>> hasCodec) {
    Set<Class<?>> all = new LinkedHashSet<>();
    for (Class<?> type : classes) {
      all.add(type);
      Set<Class<?>> followed = new LinkedHashSet<>();
      ReachableClasses.visit(type, followed::add);
      all.addAll(followed);
    }
    List<String> refusals = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (Class<?> type : all) {
      boolean isValue =
          (type.isEnum() || type.isRecord()) && !type.isAnnotationPresent(Persistent.class);
      if (isValue) {
        refusals.addAll(type.isRecord() ? ClassFaults.ofRecord(type, hasCodec) : List.of());
        continue;
      }
      Collection<String> faults = ClassFaults.ofClass(type, hasCodec);
      refusals.addAll(faults);
      if (faults.isEmpty()) {
        generate(type, refusals);
        warnings.addAll(ClassFaults.warnings(type));
      }
    }
    return new ClassReport(refusals, warnings);
  }

  /** Generates the classes: the JVM may refuse what the checks accept. */
  private static void generate(Class<?> type, List<String> refusals) {
    try {
      PersistentClasses.of(type);
    } catch (ClassRefusedException e) {
      refusals.add(String.valueOf(e.getMessage()));
    }
  }
}
