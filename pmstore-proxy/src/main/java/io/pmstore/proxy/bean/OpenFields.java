package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses a class whose fields other classes use past the store. Its own code is copied, and so is
 * that of persistent subclasses; any other code that uses a field that is not private would find
 * the dead field of the Java object.
 */
final class OpenFields {
  private final Refusal refusal;
  private final ClassCode code;
  private final ClassFiles files;
  private final Callers callers;
  private boolean exposed;

  OpenFields(Refusal refusal, ClassCode code, ClassFiles files) {
    this.refusal = refusal;
    this.code = code;
    this.files = files;
    this.callers = new Callers(refusal, code, files);
  }

  /** Returns true if {@link #check} has accepted a constructor that uses fields of others. */
  boolean isExposed() {
    return exposed;
  }

  /**
   * Searches the code source of one class of the hierarchy.
   *
   * @throws io.pmstore.ClassRefusedException if there is such a use, or the classes cannot be
   *     listed
   */
  void check() {
    if (refusal.trustsFields()) {
      return;
    }
    CodeSourceFields fields = null;
    for (Field field : code.persistentFields().values()) {
      if (!Modifier.isPrivate(field.getModifiers())) {
        if (fields == null) {
          fields = CodeSources.around(code.type());
        }
        if (fields == null) {
          refusal.report(
              "field %s is not private, and the classes around %s cannot be listed to see whether one uses it past the store"
                  .formatted(describe(field), code.type().getName()),
              "make it private, or write @Persistent(trustFields = true) if no other class uses"
                  + " it");
          return;
        }
        check(field, fields.naming(code.type().getName(), field.getName()));
      }
    }
  }

  /**
   * Searches the code source of an enhanced class of the hierarchy for classes that use its fields
   * and were not enhanced. An agent has changed them when they were loaded, so there is nothing to
   * search for if it has changed this class too.
   *
   * @throws io.pmstore.ClassRefusedException if there is one
   */
  void checkEnhanced() {
    if (refusal.trustsFields() || !Enhancement.hasChanged(files.asItIs(code.type()))) {
      return;
    }
    for (Field field : code.persistentFields().values()) {
      CodeSourceFields fields =
          Modifier.isPrivate(field.getModifiers()) ? null : CodeSources.around(code.type());
      if (fields != null) {
        for (String user : new TreeSet<>(fields.naming(code.type().getName(), field.getName()))) {
          checkEnhanced(field, user);
        }
      }
    }
  }

  private void checkEnhanced(Field field, String user) {
    Class<?> type = ClassFiles.classOrNull(user, code.type().getClassLoader());
    if (type == null) {
      return;
    }
    ClassModel model = files.asItIs(type);
    for (MethodModel method : model.methods()) {
      for (CodeUse use : CodeUse.of(method)) {
        if (use instanceof CodeUse.OfField access
            && access.name().equals(field.getName())
            && isField(field, access.owner())) {
          refusal.report(
              "method %s of %s uses the field %s directly%s, and was not enhanced"
                  .formatted(
                      method.methodName().stringValue(),
                      user,
                      describe(field),
                      ClassFiles.place(model, access.line())),
              "enhance that class too, or call an accessor there instead");
        }
      }
    }
  }

  private void check(Field field, Set<String> users) {
    for (String user : new TreeSet<>(users)) {
      if (!code.nest().containsKey(user) && !refusal.isInHierarchy(user)) {
        check(field, user);
      }
    }
  }

  private void check(Field field, String user) {
    Class<?> type = ClassFiles.classOrNull(user, code.type().getClassLoader());
    if (type == null) {
      return;
    }
    boolean extendsIt = code.type().isAssignableFrom(type);
    ClassModel model = files.of(type);
    for (MethodModel method : model.methods()) {
      for (CodeUse use : CodeUse.withReceivers(method)) {
        if (use instanceof CodeUse.OfField access
            && access.name().equals(field.getName())
            && isField(field, access.owner())
            && !access.onMade()
            && !(extendsIt && isHarmless(type, method, access))) {
          used(field, type, method, access, ClassFiles.place(model, access.line()));
        }
      }
    }
  }

  /** Refuses a use, unless a constructor has it that no code calls. */
  private void used(
      Field field, Class<?> user, MethodModel method, CodeUse.OfField access, String place) {
    boolean isConstructor = method.methodName().equalsString("<init>");
    String caller = isConstructor ? callers.of(user, ClassCode.key(method)) : "";
    String does = access.reads() ? "reads" : "writes";
    if (caller == null) {
      exposed = true;
      refusal.warn(
          "a constructor of %s %s the field %s directly%s, so pass it plain objects only: it does not see the values of a persistent one; call an accessor there to have it work with both"
              .formatted(user.getName(), does, describe(field), place));
    } else {
      refusal.report(
          "field %s is not private, and %s of %s %s it directly%s%s, but a persistent object's values are in the store, not in its fields"
              .formatted(
                  describe(field),
                  isConstructor ? "a constructor" : "method " + method.methodName().stringValue(),
                  user.getName(),
                  does,
                  place,
                  caller),
          "call an accessor there instead");
    }
  }

  /** Returns true if a subclass uses what it inherits, in a method that is copied if necessary. */
  private boolean isHarmless(Class<?> subclass, MethodModel method, CodeUse.OfField access) {
    boolean isPersistent = subclass.isAnnotationPresent(Persistent.class);
    // By a synthetic one a class inside of another uses what that inherits; callers are checked.
    boolean isAccessor =
        method.flags().has(AccessFlag.SYNTHETIC) && access.owner().equals(subclass.getName());
    boolean isCopied =
        isPersistent
            && (!method.flags().has(AccessFlag.STATIC) || isAccessor)
            && !method.methodName().equalsString("<init>");
    return access.onThis()
        || isCopied
        || (!isPersistent && access.owner().equals(subclass.getName()));
  }

  /** Returns true if code that names the field with a class means this field. */
  private boolean isField(Field field, String owner) {
    try {
      Class<?> k = Class.forName(owner, false, code.type().getClassLoader());
      if (!code.type().isAssignableFrom(k)) {
        return false;
      }
      for (; k != code.type(); k = k.getSuperclass()) {
        for (Field other : k.getDeclaredFields()) {
          if (other.getName().equals(field.getName())) {
            return false;
          }
        }
      }
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private String describe(Field field) {
    return field.getName() + refusal.of(field.getDeclaringClass());
  }
}
