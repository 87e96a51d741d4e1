package io.pmstore.proxy.bean;

import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedElements;
import io.pmstore.spi.EnhancedObject;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Classes that the enhancer has changed. */
final class Enhancement {
  /** How the names of the members begin that the enhancer adds. */
  static final String MEMBER = "pmstore";

  private Enhancement() {}

  /**
   * Returns true for a collection class of the JDK whose elements are a property of the enhanced
   * classes that extend it.
   */
  static boolean isOfElements(Class<?> superclass) {
    return EnhancedElements.superclass(superclass.getName()) == superclass;
  }

  /**
   * Returns true if the enhancer has changed a class, or one that it extends: then it has to have
   * changed the class too.
   */
  static boolean isIn(Class<?> type) {
    return !type.isInterface() && EnhancedObject.class.isAssignableFrom(type);
  }

  /** Returns true if an enhancer has changed a class file. */
  static boolean hasChanged(ClassModel model) {
    for (PoolEntry entry : model.constantPool()) {
      if (entry instanceof Utf8Entry text && text.stringValue().startsWith(MEMBER + "$")) {
        return true;
      }
    }
    return false;
  }

  /**
   * Refuses a class that was enhanced when its superclasses had other fields, or that was not
   * enhanced itself.
   */
  static void check(Refusal refusal, Collection<BeanProperty> properties) {
    if (!List.of(refusal.type().getInterfaces()).contains(EnhancedObject.class)) {
      refusal.report(
          "it extends an enhanced class and was not enhanced itself",
          "enhance it too, with the same version of pmstore-enhance");
      return;
    }
    checkElements(refusal, properties);
    for (BeanProperty property : properties) {
      Field field = property.field();
      if (field != null && !hasAccessor(refusal.type(), field)) {
        refusal.report(
            "it was not enhanced together with the field %s of %s"
                .formatted(field.getName(), field.getDeclaringClass().getName()),
            "enhance both, and all classes between them, with the same version of pmstore-enhance");
      }
    }
  }

  private static void checkElements(Refusal refusal, Collection<BeanProperty> properties) {
    Class<?> k = refusal.type();
    while (k.getSuperclass() != Object.class && !isOfElements(k.getSuperclass())) {
      k = k.getSuperclass();
    }
    Class<?> above = k.getSuperclass();
    if (!isOfElements(above)) {
      return;
    }
    if (!EnhancedCollection.class.isAssignableFrom(k)) {
      refusal.report(
          "it extends %s, and a version of pmstore-enhance that did not keep elements has enhanced it"
              .formatted(above.getName()),
          "enhance it with the version of pmstore that the program uses");
      return;
    }
    Class<?> owner = k;
    if (properties.stream().noneMatch(property -> isElements(property.field(), owner))) {
      refusal.report(
          "it extends %s, and the class file of %s that its class loader finds is not the one that an agent has made of it"
              .formatted(above.getName(), k.getName()),
          "enhance it at build time, or have the class loader that loads the agent load pmstore"
              + " too");
      return;
    }
    Method missing = EnhancedElements.missing(k).orElse(null);
    if (missing != null) {
      refusal.report(
          "it was enhanced by an older JDK, whose %s has no method %s(%s)"
              .formatted(
                  above.getName(),
                  missing.getName(),
                  Stream.of(missing.getParameterTypes())
                      .map(Class::getTypeName)
                      .collect(Collectors.joining(", "))),
          "enhance it with the JDK that runs it");
    }
  }

  private static boolean isElements(@Nullable Field field, Class<?> owner) {
    return field != null
        && field.getDeclaringClass() == owner
        && field.getName().equals(EnhancedCollection.ELEMENTS);
  }

  private static boolean hasAccessor(Class<?> type, Field field) {
    String member =
        EnhancedObject.GET
            + EnhancedObject.member(field.getDeclaringClass().getName(), field.getName());
    try {
      return type.getDeclaredMethod(member).getReturnType() == field.getType();
    } catch (NoSuchMethodException e) {
      return false;
    }
  }
}
