package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.proxy.bean.ClassCode.Cause;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.reflect.AccessFlag;
import java.util.List;
import java.util.Map;

/**
 * Refuses classes with code that touches persistent fields and that no copy can take the place of,
 * because it is not reached through a method that the generated class overrides: constructors that
 * touch other objects, static methods, and other classes that share private members.
 */
final class UncopiableCode {
  private static final String CONSTRUCTOR = "<init>";

  private final Refusal refusal;
  private final ClassCode code;
  private final Map<String, BeanProperty> properties;

  /**
   * Creates the check of one class of the hierarchy.
   *
   * @param refusal refuses the class at the hierarchy's end
   * @param code the class of the hierarchy
   * @param properties the properties by their fields' classes and names, with a dot between
   */
  UncopiableCode(Refusal refusal, ClassCode code, Map<String, BeanProperty> properties) {
    this.refusal = refusal;
    this.code = code;
    this.properties = properties;
  }

  /**
   * Looks at all code that shares private members with the class.
   *
   * @throws io.pmstore.ClassRefusedException if some of it cannot be copied
   */
  void check() {
    for (MethodModel method : code.model().methods()) {
      if (method.methodName().equalsString(CONSTRUCTOR)) {
        checkConstructor(method);
      } else if (method.methodName().equalsString("<clinit>")) {
        checkStaticInitializer(method);
      }
    }
    code.touching()
        .forEach(
            (name, cause) -> {
              MethodModel method = code.method(name);
              if (method.flags().has(AccessFlag.STATIC)
                  && !code.isOwnHelper(code.type().getName(), name)) {
                throw refused(
                    cause,
                    ClassCode.key(cause.method()).equals(name)
                        ? "static "
                        : "method " + method.methodName().stringValue() + " is static, and ",
                    ", give the values to a constructor, or make it an instance method");
              }
            });
    for (ClassModel member : code.nest().values()) {
      if (!code.localClasses().containsKey(ClassFiles.name(member))) {
        checkOther(member);
      }
    }
  }

  /** Works on a plain object, which its fields belong to; other objects may be persistent. */
  private void checkConstructor(MethodModel constructor) {
    for (CodeUse use : code.usesOf(ClassCode.key(constructor))) {
      boolean harmless =
          switch (use) {
            case CodeUse.OfField field -> field.onThis();
            case CodeUse.Call call -> call.onThis();
            default -> false;
          };
      Cause cause = harmless ? null : code.cause(code.model(), constructor, use);
      if (cause != null) {
        throw refused(cause, "", "");
      }
    }
  }

  /** Runs before there are persistent objects; what it leaves behind may meet them. */
  private void checkStaticInitializer(MethodModel initializer) {
    for (CodeUse use : code.usesOf(ClassCode.key(initializer))) {
      Cause cause = code.cause(code.model(), initializer, use);
      if (cause != null && !(use instanceof CodeUse.OfField)) {
        throw refused(cause, "", "");
      }
    }
  }

  private void checkOther(ClassModel other) {
    for (MethodModel method : other.methods()) {
      for (CodeUse use : CodeUse.of(method)) {
        boolean concerns =
            switch (use) {
              case CodeUse.OfField field -> field.owner().equals(code.type().getName());
              case CodeUse.Call call -> code.isOwnHelper(call.owner(), call.method());
              case CodeUse.Handle handle -> code.isOwnHelper(handle.owner(), handle.method());
              default -> false;
            };
        Cause cause = concerns ? code.cause(other, method, use) : null;
        if (cause != null && isRewrittenItself(other)) {
          return;
        }
        if (cause != null && use instanceof CodeUse.OfField) {
          throw refused(cause, "", "");
        }
        if (cause != null) {
          throw refusal.because(
              "%s calls a private method of %s%s, and there %s %s directly"
                  .formatted(
                      describe(other, method),
                      code.type().getName(),
                      ClassFiles.place(other, use.line()),
                      describe(cause.model(), cause.method()),
                      cause.what()),
              "let it call a method that is not private");
        }
      }
    }
  }

  /** Says whether a class extends this one and is persistent, so that its own code is copied. */
  private boolean isRewrittenItself(ClassModel member) {
    String name = ClassFiles.name(member);
    for (Class<?> k = refusal.type(); k != null; k = k.getSuperclass()) {
      if (k.getName().equals(name)) {
        return true;
      }
    }
    try {
      Class<?> other = Class.forName(name, false, code.type().getClassLoader());
      return code.type().isAssignableFrom(other) && other.isAnnotationPresent(Persistent.class);
    } catch (ClassNotFoundException e) {
      throw refusal.because(
          "class " + name + ", which shares its private members, cannot be loaded: " + e,
          "put it on the class path");
    }
  }

  private RuntimeException refused(Cause cause, String before, String after) {
    return refusal.because(
        "%s%s %s directly%s, but a persistent object's values are in the store, not in its fields"
            .formatted(
                before,
                describe(cause.model(), cause.method()),
                cause.what(),
                ClassFiles.place(cause.model(), cause.use().line())),
        "call " + instead(cause) + " there instead" + after);
  }

  private String instead(Cause cause) {
    if (cause.use() instanceof CodeUse.OfField field) {
      BeanProperty property = properties.get(field.owner() + "." + field.name());
      if (property != null && field.reads() && property.getter() != null) {
        return property.getter().getName() + "()";
      }
      if (property != null && !field.reads() && property.setter() != null) {
        return property.setter().getName() + "(...)";
      }
    }
    return "an accessor of it";
  }

  /** Names a method as its source does: the body of a lambda belongs to the method around it. */
  private String describe(ClassModel model, MethodModel method) {
    String name = method.methodName().stringValue();
    String what = "method " + name;
    if (name.equals(CONSTRUCTOR)) {
      what = "a constructor";
    } else if (name.equals("<clinit>")) {
      what = "the static initializer";
    } else if (name.startsWith("lambda$")) {
      String around = List.of(name.split("\\$", -1)).get(1);
      what =
          "a lambda of "
              + (around.equals("new") || around.equals("static")
                  ? "a constructor or initializer"
                  : "method " + around);
    }
    String className = ClassFiles.name(model);
    return className.equals(refusal.type().getName()) ? what : what + " of " + className;
  }
}
