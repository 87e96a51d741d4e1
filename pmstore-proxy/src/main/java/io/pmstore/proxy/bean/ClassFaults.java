package io.pmstore.proxy.bean;

import io.pmstore.ClassRefusedException;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;

/** Collects all faults and warnings of one class, without a store. */
public final class ClassFaults {
  private ClassFaults() {}

  /**
   * Examines any class as a persistent one. Returns a message for each fault. {@code hasCodec}
   * returns true if a class is registered as a value type.
   */
  public static Collection<String> ofClass(Class<?> type, Predicate<Class<?>> hasCodec) {
    Set<String> found = new LinkedHashSet<>();
    Refusal refusal = new Refusal(type, found);
    try {
      for (BeanProperty property : BeanDiscovery.discover(refusal).properties()) {
        PropertyTypes.check(refusal, property.name(), property.type(), hasCodec);
      }
    } catch (ClassRefusedException e) {
      found.add(String.valueOf(e.getMessage()));
    }
    return found;
  }

  /** Does the same for a record. */
  public static Collection<String> ofRecord(Class<?> type, Predicate<Class<?>> hasCodec) {
    Set<String> found = new LinkedHashSet<>();
    Refusal refusal = new Refusal(type, found);
    for (var component : type.getRecordComponents()) {
      PropertyTypes.check(refusal, component.getName(), component.getType(), hasCodec);
    }
    return found;
  }

  /**
   * Returns the warnings of an accepted class or record: what may surprise its author. {@code
   * hasCodec} returns true if a class is registered as a value type.
   */
  public static Collection<String> warnings(Class<?> type, Predicate<Class<?>> hasCodec) {
    Set<String> warnings = new LinkedHashSet<>();
    Refusal refusal = new Refusal(type, new LinkedHashSet<>(), warnings);
    if (type.isRecord()) {
      for (var component : type.getRecordComponents()) {
        TypeArguments.warn(refusal, component.getName(), component.getGenericType(), hasCodec);
      }
      return warnings;
    }
    for (BeanProperty property : BeanDiscovery.discover(refusal).properties()) {
      TypeArguments.warn(refusal, property.name(), property.genericType(), hasCodec);
    }
    if (type.isInterface()) {
      return warnings;
    }
    ClassFiles files = new ClassFiles(refusal);
    for (Class<?> k = type; k != null && !Substitutes.isOfJdk(k); k = k.getSuperclass()) {
      warnAboutEquals(type, files.of(k), warnings);
    }
    if (!Enhancement.isIn(type)) {
      warnAboutConstants(type, warnings);
    }
    if (!Modifier.isAbstract(type.getModifiers()) && !hasConstructor(type)) {
      warnings.add(
          "class %s has no constructor without parameters, so store.create cannot make one; make objects with new and assign them, or add the constructor"
              .formatted(type.getName()));
    }
    return warnings;
  }

  private static void warnAboutConstants(Class<?> type, Set<String> warnings) {
    for (Field field : type.getDeclaredFields()) {
      int modifiers = field.getModifiers();
      if (Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers) && field.getType() == type) {
        warnings.add(
            "class %s: an object that a store returns is never == to the constant %s, even if it was stored as that; compare with equals, or make the class an enum"
                .formatted(type.getName(), field.getName()));
      }
    }
  }

  private static boolean hasConstructor(Class<?> type) {
    for (var constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == 0) {
        return true;
      }
    }
    return false;
  }

  private static void warnAboutEquals(Class<?> type, ClassModel model, Set<String> warnings) {
    for (MethodModel method : model.methods()) {
      boolean isEquals =
          method.methodName().equalsString("equals")
              && method.methodType().equalsString("(Ljava/lang/Object;)Z");
      if (isEquals
          && method.code().isPresent()
          && method.code().orElseThrow().elementStream().anyMatch(ClassFaults::asksForClass)) {
        warnings.add(
            "class %s: equals of %s%s compares classes, so plain.equals(persistent) is false where persistent.equals(plain) is true; compare with instanceof"
                .formatted(
                    type.getName(),
                    ClassFiles.name(model),
                    ClassFiles.place(model, ClassFiles.line(method))));
      }
    }
  }

  private static boolean asksForClass(Object element) {
    return element instanceof InvokeInstruction call
        && call.name().equalsString("getClass")
        && call.type().equalsString("()Ljava/lang/Class;");
  }
}
