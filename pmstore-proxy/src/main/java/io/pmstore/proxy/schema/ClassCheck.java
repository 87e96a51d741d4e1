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
      ReachableClasses.visit(type, all::add);
      all.add(type);
    }
    List<String> refusals = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    for (Class<?> type : all) {
      try {
        check(type, hasCodec, refusals, warnings);
      } catch (LinkageError | TypeNotPresentException e) {
        refusals.add(notLinked(type, e));
      }
    }
    return new ClassReport(refusals, warnings);
  }

  /** Returns why a class is refused that needs another one, which cannot be loaded. */
  static String notLinked(Class<?> type, Throwable cause) {
    return "class %s cannot be kept in a store: the JVM cannot load a class that it needs: %s; put that class, in the version that it was compiled with, on the class path"
        .formatted(type.getName(), cause);
  }

  private static void check(
      Class<?> type, Predicate<Class<?>> hasCodec, List<String> refusals, List<String> warnings) {
    boolean isValue =
        (type.isEnum() || type.isRecord()) && !type.isAnnotationPresent(Persistent.class);
    if (isValue) {
      if (type.isRecord()) {
        refusals.addAll(ClassFaults.ofRecord(type, hasCodec));
        warnings.addAll(ClassFaults.warnings(type, hasCodec));
      }
      return;
    }
    Collection<String> faults = ClassFaults.ofClass(type, hasCodec);
    refusals.addAll(faults);
    if (faults.isEmpty()) {
      generate(type, refusals);
      warnings.addAll(ClassFaults.warnings(type, hasCodec));
    }
  }

  /** Generates the classes: the JVM may refuse what the checks accept. */
  private static void generate(Class<?> type, List<String> refusals) {
    try {
      PersistentClasses.examined(type);
    } catch (ClassRefusedException e) {
      refusals.add(String.valueOf(e.getMessage()));
    }
  }
}
