package io.pmstore.proxy.bean;

import io.pmstore.Persistent;
import io.pmstore.proxy.bean.ClassCode.Cause;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.reflect.AccessFlag;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Refuses classes with code that touches persistent fields and that no copy can replace, because no
 * method that the generated class overrides leads to it: constructors that touch other objects,
 * static methods, and other classes that share private members.
 */
final class UncopiableCode {
  private static final String CONSTRUCTOR = "<init>";

  private final Refusal refusal;
  private final ClassCode code;
  private final Map<String, BeanProperty> properties;
  private final Callers callers;
  private final MadeFields made;
  private boolean exposed;

  /**
   * Creates the check of one class of the hierarchy. {@code properties} are by their fields'
   * classes and names, with a dot between.
   */
  UncopiableCode(
      Refusal refusal, ClassCode code, Map<String, BeanProperty> properties, ClassFiles files) {
    this.refusal = refusal;
    this.code = code;
    this.properties = properties;
    this.callers = new Callers(refusal, code, files);
    this.made = new MadeFields(code);
  }

  /**
   * Checks all code that shares private members with the class.
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
      if (method.code().isPresent()) {
        checkFieldHandles(method);
        checkReflection(method);
      }
    }
    code.touching()
        .forEach(
            (name, cause) -> {
              MethodModel method = code.method(name);
              if (method.flags().has(AccessFlag.STATIC)
                  && !code.isPrivateHelper(code.type().getName(), name)) {
                String before =
                    ClassCode.key(cause.method()).equals(name)
                        ? "static "
                        : "method " + method.methodName().stringValue() + " is static, and ";
                String after = ", give the values to a constructor, or make it an instance method";
                Set<String> seen = new HashSet<>();
                if (code.usesOf(name).stream().anyMatch(use -> handsOut(use, seen))) {
                  report(cause, before, after, "");
                } else {
                  exposed(name, cause, before, after);
                }
              }
            });
    for (ClassModel member : code.nest().values()) {
      if (!code.localClasses().containsKey(ClassFiles.name(member))) {
        checkOther(member);
      }
    }
  }

  /**
   * Returns true if {@link #check} has accepted a constructor or static method that uses fields of
   * its arguments.
   */
  boolean isExposed() {
    return exposed;
  }

  /** Refuses updaters and handles of fields: they access the Java object, not the store. */
  private void checkFieldHandles(MethodModel method) {
    String named = null;
    for (CodeElement element : method.code().orElseThrow()) {
      if (element instanceof ConstantInstruction constant
          && constant.constantValue() instanceof String text
          && code.persistentFields().containsKey(text)) {
        named = text;
      } else if (element instanceof InvokeInstruction call
          && named != null
          && (call.name().equalsString("newUpdater") || call.name().equalsString("findVarHandle"))
          && ClassFiles.name(call.owner()).startsWith("java.")) {
        throw refusal.because(
            "%s makes %s for the field %s%s, which works on the Java object, but a persistent object's values are in the store"
                .formatted(
                    describe(code.model(), method),
                    call.name().equalsString("newUpdater") ? "an updater" : "a VarHandle",
                    named,
                    ClassFiles.place(code.model(), ClassFiles.line(method))),
            "use the field itself, in transactions, or make it transient");
      }
    }
  }

  /**
   * The builders of Apache Commons read the fields of the Java object: of all persistent objects
   * alike, so that any two would be equal.
   */
  private void checkReflection(MethodModel method) {
    for (CodeUse use : code.usesOf(ClassCode.key(method))) {
      if (use instanceof CodeUse.Call call
          && call.method().startsWith("reflection")
          && call.owner().endsWith("Builder")) {
        String what =
            "%s calls %s of %s%s, which reads the fields of the Java object"
                .formatted(
                    describe(code.model(), method),
                    call.method().substring(0, call.method().indexOf('(')),
                    call.owner(),
                    ClassFiles.place(code.model(), use.line()));
        String remedy = "name the properties there";
        if (call.method().startsWith("reflectionToString")) {
          refusal.warn(
              what + ", so that it shows no values of a persistent one; " + remedy + " instead");
        } else {
          refusal.report(
              what + ", but a persistent object's values are in the store, not in its fields",
              remedy + " instead, as equals and hashCode made by an IDE do");
        }
      }
    }
  }

  /** Checks a constructor: its own object is plain, other objects may be persistent. */
  private void checkConstructor(MethodModel constructor) {
    String key = ClassCode.key(constructor);
    Cause first = null;
    for (CodeUse use : code.usesOf(key)) {
      boolean harmless =
          switch (use) {
            case CodeUse.OfField field -> field.onThis();
            case CodeUse.Call call ->
                isOfPlain(call)
                    || isOpenStatic(call.owner(), call.method())
                    || (call.onThis() && !touchesOthers(call.method(), new HashSet<>()));
            case CodeUse.Handle handle -> isOpenStatic(handle.owner(), handle.method());
            default -> false;
          };
      Cause cause = harmless ? null : code.cause(code.model(), constructor, use);
      if (cause != null && handsOut(use, new HashSet<>())) {
        report(cause, "", "");
        return;
      }
      first = first == null ? cause : first;
    }
    if (first != null) {
      exposed(key, first, "", "");
    }
  }

  /** Returns true for a static method whose callers are searched for, wherever they are. */
  private boolean isOpenStatic(String owner, String method) {
    return code.isOwnHelper(owner, method) && !code.isPrivateHelper(owner, method);
  }

  /** Returns true for a call of a private method that gets plain objects only. */
  private boolean isOfPlain(CodeUse.Call call) {
    return call.passesPlain()
        && code.isOwnHelper(call.owner(), call.method())
        && (!code.method(call.method()).flags().has(AccessFlag.STATIC)
            // Older compilers use private fields through methods of such names.
            || call.method().startsWith("access$"));
  }

  /**
   * Returns true if the code names code that may run later, with any objects: a lambda or a local
   * class.
   */
  private boolean handsOut(CodeUse use, Set<String> seen) {
    return switch (use) {
      case CodeUse.Call call when code.isOwnHelper(call.owner(), call.method()) ->
          code.touches(call.method())
              && seen.add(call.method())
              && code.usesOf(call.method()).stream().anyMatch(next -> handsOut(next, seen));
      case CodeUse.Handle handle ->
          code.isOwnHelper(handle.owner(), handle.method()) && code.touches(handle.method());
      case CodeUse.OfType type ->
          code.cause(code.model(), code.model().methods().getFirst(), type) != null;
      default -> false;
    };
  }

  /** Returns true if a private method uses fields of objects other than its own. */
  private boolean touchesOthers(String helper, Set<String> seen) {
    if (!code.touches(helper) || !seen.add(helper)) {
      return false;
    }
    for (CodeUse use : CodeUse.withReceivers(code.method(helper))) {
      boolean touches =
          switch (use) {
            case CodeUse.OfField field ->
                !field.onThis()
                    && !field.onMade()
                    && code.declarerOfField(field.owner(), field.name()) != null;
            case CodeUse.Call call when code.isOwnHelper(call.owner(), call.method()) ->
                !isOfPlain(call)
                    && (!call.onThis()
                        ? code.touches(call.method())
                        : touchesOthers(call.method(), seen));
            default -> false;
          };
      if (touches) {
        return true;
      }
    }
    return false;
  }

  /**
   * Handles a constructor or static method that uses fields of an object that may be persistent. It
   * is accepted if no class of its code source calls it, other than with plain objects.
   */
  private void exposed(String key, Cause cause, String before, String after) {
    String caller = callers.of(key);
    if (caller == null) {
      exposed = true;
      refusal.warn(
          "%s%s %s directly%s, so pass it plain objects only: it does not see the values of a persistent one; call %s there to have it work with both"
              .formatted(
                  before,
                  describe(cause.model(), cause.method()),
                  cause.what(),
                  ClassFiles.place(cause.model(), cause.use().line()),
                  instead(cause)));
    } else {
      report(cause, before, after, caller);
    }
  }

  /**
   * Checks a static initializer. It runs before there are persistent objects, but what it leaves
   * behind may meet them.
   */
  private void checkStaticInitializer(MethodModel initializer) {
    for (CodeUse use : code.usesOf(ClassCode.key(initializer))) {
      Cause cause = code.cause(code.model(), initializer, use);
      boolean isElsewhere =
          switch (use) {
            case CodeUse.OfField field -> true;
            case CodeUse.Call call -> isOpenStatic(call.owner(), call.method());
            case CodeUse.Handle handle -> isOpenStatic(handle.owner(), handle.method());
            default -> false;
          };
      if (cause != null && !isElsewhere) {
        report(cause, "", "");
      }
    }
  }

  private void checkOther(ClassModel other) {
    for (MethodModel method : other.methods()) {
      for (CodeUse use : made.usesOf(method)) {
        boolean concerns =
            switch (use) {
              case CodeUse.OfField field -> field.owner().equals(code.type().getName());
              case CodeUse.Call call ->
                  !isOfPlain(call) && code.isPrivateHelper(call.owner(), call.method());
              case CodeUse.Handle handle -> code.isPrivateHelper(handle.owner(), handle.method());
              default -> false;
            };
        Cause cause = concerns ? code.cause(other, method, use) : null;
        if (cause != null && isRewrittenItself(other)) {
          return;
        }
        if (cause != null && use instanceof CodeUse.OfField) {
          report(cause, "", "");
        }
        if (cause != null && !(use instanceof CodeUse.OfField)) {
          refusal.report(
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

  /** Returns true if a class extends this one and is persistent, so that its own code is copied. */
  private boolean isRewrittenItself(ClassModel member) {
    String name = ClassFiles.name(member);
    if (refusal.isInHierarchy(name)) {
      return true;
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

  private void report(Cause cause, String before, String after) {
    report(cause, before, after, "");
  }

  private void report(Cause cause, String before, String after, String caller) {
    refusal.report(
        "%s%s %s directly%s%s, but a persistent object's values are in the store, not in its fields"
            .formatted(
                before,
                describe(cause.model(), cause.method()),
                cause.what(),
                ClassFiles.place(cause.model(), cause.use().line()),
                caller),
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

  /**
   * Returns the name of a method in its source: the body of a lambda belongs to the enclosing
   * method.
   */
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
