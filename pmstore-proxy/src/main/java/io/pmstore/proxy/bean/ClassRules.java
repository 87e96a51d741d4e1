package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The rules for a class as a whole, which are checked before its members. */
final class ClassRules {
  private ClassRules() {}

  /**
   * Refuses a class that cannot have a generated subclass.
   *
   * @throws io.pmstore.ClassRefusedException if it cannot
   */
  static void check(Refusal refusal) {
    Class<?> type = refusal.type();
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
          "it is a record, which is stored as a value and whose components cannot change",
          "make it a property of a class annotated with @Persistent, or a class with getters and"
              + " setters");
    }
    if (!type.isAnnotationPresent(Persistent.class)) {
      throw refusal.because("it is not annotated with @Persistent", insteadOf(type));
    }
    int modifiers = type.getModifiers();
    boolean hasSubclass = !Enhancement.isIn(type);
    String orEnhance =
        type.isInterface() || type.isAnonymousClass() ? "" : ", or enhance it with pmstore-enhance";
    if (hasSubclass && Modifier.isFinal(modifiers)) {
      refusal.report(
          "it is final, so it can have no generated subclass", "remove final" + orEnhance);
    }
    boolean hasObjects = type.isInterface() || !Modifier.isAbstract(modifiers);
    if (hasSubclass && hasObjects && type.isSealed()) {
      refusal.report(
          "it is sealed, so it can have no generated subclass",
          "remove sealed and permits" + orEnhance);
    }
    if (hasSubclass && (type.isAnonymousClass() || type.isLocalClass())) {
      refusal.report(
          "it is declared inside a method",
          "declare it at the top of a file or as a static nested class" + orEnhance);
    }
    if (!hasSubclass) {
      checkName(refusal);
    }
    if (type.isHidden()) {
      refusal.report("it is a hidden class", "use a class that the class loader finds by its name");
    }
    if (hasSubclass
        && type.isMemberClass()
        && !type.isInterface()
        && !Modifier.isStatic(modifiers)) {
      refusal.report(
          "it is an inner class, which needs an object around it", "make it static" + orEnhance);
    }
    if (hasSubclass && Modifier.isPrivate(modifiers)) {
      refusal.report(
          "it is private, so it can have no generated subclass", "remove private" + orEnhance);
    }
    Class<?> ofJdk = superclassWithState(type);
    if (ofJdk != null) {
      refusal.report(
          "it extends %s, whose fields a store does not keep".formatted(ofJdk.getName()),
          (Enhancement.isOfElements(ofJdk) ? "enhance it with pmstore-enhance, or " : "")
              + "extend another class, and hold what it says in a property");
    }
  }

  /**
   * Refuses an enhanced class whose name has a number that another build may give to another class:
   * objects of the one would then be taken for objects of the other.
   */
  private static void checkName(Refusal refusal) {
    for (Class<?> k = refusal.type(); k != null; k = k.getEnclosingClass()) {
      Method method = k.getEnclosingMethod();
      String where = method == null ? "" : " in method " + method.getName();
      String of = k == refusal.type() ? "it is" : "it is declared inside of";
      if (k.isAnonymousClass()) {
        refusal.report(
            "%s an anonymous class%s%s, whose name another build may give to another class"
                .formatted(of, where, new ClassFiles(refusal).placeOf(k)),
            "declare a class with a name");
      } else if (k.isLocalClass() && hasOtherOfItsName(k)) {
        refusal.report(
            "%s one of several local classes %s%s%s, whose numbers another build may give in another order"
                .formatted(of, k.getSimpleName(), where, new ClassFiles(refusal).placeOf(k)),
            "give each a name of its own");
      }
    }
  }

  /** Returns true if the class around a local one has another one of the same simple name. */
  private static boolean hasOtherOfItsName(Class<?> local) {
    String simple = local.getSimpleName();
    String before = local.getName().substring(0, local.getName().length() - simple.length());
    int digits = before.length();
    while (Character.isDigit(before.charAt(digits - 1))) {
      digits--;
    }
    if (digits == before.length()) {
      return false; // a compiler that takes the name of the method instead
    }
    if (!before.substring(digits).equals("1")) {
      return true;
    }
    String other = before.substring(0, digits) + "2" + simple;
    return ClassFiles.classOrNull(other, local.getClassLoader()) != null;
  }

  /** Returns the nearest superclass of the JDK that has fields; null if there is none. */
  static @Nullable Class<?> superclassWithState(Class<?> type) {
    for (Class<?> k = type.getSuperclass(); k != null; k = k.getSuperclass()) {
      if (Enhancement.isIn(type) && Enhancement.isOfElements(k)) {
        return null;
      }
      if (Substitutes.isOfJdk(k) && hasState(k)) {
        return k;
      }
    }
    return null;
  }

  private static String insteadOf(Class<?> type) {
    if (Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)) {
      return "hold the collection in a property of a class that is";
    }
    if (!Substitutes.isOfJdk(type)) {
      return "annotate it";
    }
    return Substitutes.ofJdk(type) == null
        ? "use a class of your own that is, with a property of this type if it is a value"
        : "use a class of your own that is";
  }

  private static boolean hasState(Class<?> type) {
    return Arrays.stream(type.getDeclaredFields())
        .anyMatch(field -> !Modifier.isStatic(field.getModifiers()));
  }
}
