package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.Modifier;

/** The rules that a class must keep as a whole, before its members are looked at. */
final class ClassRules {
  private ClassRules() {}

  /**
   * Refuses a class that cannot have a generated subclass.
   *
   * @throws io.pmstore.ClassRefusedException if it cannot
   */
  static void check(Class<?> type) {
    Refusal refusal = new Refusal(type);
    if (type.isPrimitive() || type.isArray() || type.isAnnotation()) {
      throw refusal.because(
          "it is no class or interface", "use a class annotated with @Persistent");
    }
    if (type.isEnum() || Enum.class.isAssignableFrom(type)) {
      throw refusal.because(
          "it is an enum, which is stored as a value and has no properties of its own",
          "make it a property of a class annotated with @Persistent");
    }
    if (type.isRecord()) {
      throw refusal.because(
          "it is a record, whose components cannot change",
          "make it a class with getters and setters");
    }
    if (!type.isAnnotationPresent(Persistent.class)) {
      throw refusal.because("it is not annotated with @Persistent", "annotate it");
    }
    int modifiers = type.getModifiers();
    if (Modifier.isFinal(modifiers)) {
      throw refusal.because("it is final, so it can have no generated subclass", "remove final");
    }
    if (type.isSealed()) {
      throw refusal.because(
          "it is sealed, so it can have no generated subclass", "remove sealed and permits");
    }
    if (type.isAnonymousClass() || type.isLocalClass()) {
      throw refusal.because(
          "it is declared inside a method",
          "declare it at the top of a file or as a static nested class");
    }
    if (type.isHidden()) {
      throw refusal.because(
          "it is a hidden class", "use a class that the class loader finds by its name");
    }
    if (type.isMemberClass() && !type.isInterface() && !Modifier.isStatic(modifiers)) {
      throw refusal.because(
          "it is an inner class, which needs an object around it", "make it static");
    }
    if (Modifier.isPrivate(modifiers)) {
      throw refusal.because(
          "it is private, so it can have no generated subclass", "remove private");
    }
    if (Cloneable.class.isAssignableFrom(type)) {
      throw refusal.because(
          "it is Cloneable, and a clone would be a second Java object for one object of the store",
          "remove Cloneable and copy through a constructor that uses the getters");
    }
  }
}
