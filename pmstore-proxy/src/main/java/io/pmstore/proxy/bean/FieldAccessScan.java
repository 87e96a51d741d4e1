package io.pmstore.proxy.bean;

import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds code that would use a persistent object's fields past its accessors: they are dead, since
 * the values live in the heap.
 *
 * <p>The fields are private, so only classes of the nest of the class that declares them can touch
 * them. Allowed are its trivial accessors, its constructors where they work on {@code this}, which
 * is a plain object, and its static initializer.
 */
final class FieldAccessScan {
  private static final String CONSTRUCTOR = "<init>";

  private final Refusal refusal;
  private final Map<String, BeanProperty> byField;
  private final Set<String> accessors;

  /**
   * Creates the scan.
   *
   * @param refusal refuses the class
   * @param byField the properties by {@link #key} of their fields
   * @param accessors the {@link #key} of their getters and setters
   */
  FieldAccessScan(Refusal refusal, Map<String, BeanProperty> byField, Set<String> accessors) {
    this.refusal = refusal;
    this.byField = byField;
    this.accessors = accessors;
  }

  /** What names a member: its class, its name, and for a method its descriptor. */
  static String key(String className, String nameAndType) {
    return className + "." + nameAndType;
  }

  /**
   * Refuses the class if code of a nest touches a field.
   *
   * @param model the nest's member to look at
   * @param isOfHierarchy whether its objects are the class's, so that it can call the accessors
   *     through super
   */
  void check(ClassModel model, boolean isOfHierarchy) {
    String className = ClassFiles.name(model);
    for (MethodModel method : model.methods()) {
      String name = method.methodName().stringValue();
      boolean allowed =
          name.equals("<clinit>")
              || accessors.contains(key(className, name + method.methodType().stringValue()));
      if (!allowed && method.code().isPresent()) {
        checkFields(model, method, method.code().get());
        if (isOfHierarchy) {
          checkSuperCalls(model, method, method.code().get());
        }
      }
    }
  }

  private void checkFields(ClassModel model, MethodModel method, CodeModel code) {
    boolean isConstructor = method.methodName().equalsString(CONSTRUCTOR);
    ReceiverStack receivers = isConstructor ? new ReceiverStack(code) : null;
    int line = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case FieldInstruction access -> {
          BeanProperty property = property(access);
          if (property != null && (receivers == null || !receivers.isReceiverThis(access))) {
            throw touches(model, method, line, access, property);
          }
        }
        default -> {}
      }
      if (receivers != null) {
        receivers.accept(element);
      }
    }
  }

  private @Nullable BeanProperty property(FieldInstruction access) {
    return switch (access.opcode()) {
      case GETFIELD, PUTFIELD ->
          byField.get(key(ClassFiles.name(access.owner()), access.name().stringValue()));
      default -> null;
    };
  }

  private RuntimeException touches(
      ClassModel model,
      MethodModel method,
      int line,
      FieldInstruction access,
      BeanProperty property) {
    boolean reads = access.opcode() == Opcode.GETFIELD;
    return refusal.because(
        "%s %s the field %s directly%s, but a persistent object's values are in the store, not in its fields"
            .formatted(
                describe(model, method),
                reads ? "reads" : "writes",
                access.name().stringValue(),
                ClassFiles.place(model, line)),
        "call %s there instead"
            .formatted(
                reads
                    ? property.getter().getName() + "()"
                    : property.setter().getName() + "(...)"));
  }

  /** A call of an overridden accessor through super would end at the field. */
  private void checkSuperCalls(ClassModel model, MethodModel method, CodeModel code) {
    if (method.methodName().equalsString(CONSTRUCTOR)) {
      return; // works on a plain object
    }
    int line = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case InvokeInstruction call when isSuperCallOfAccessor(call) ->
            throw refusal.because(
                "%s calls super.%s%s, which would read or write the field and not the store"
                    .formatted(
                        describe(model, method),
                        call.name().stringValue(),
                        ClassFiles.place(model, line)),
                "call " + call.name().stringValue() + " without super");
        default -> {}
      }
    }
  }

  /** The call names the direct superclass, wherever the accessor is inherited from. */
  private boolean isSuperCallOfAccessor(InvokeInstruction call) {
    String called = "." + call.name().stringValue() + call.type().stringValue();
    return call.opcode() == Opcode.INVOKESPECIAL
        && accessors.stream().anyMatch(accessor -> accessor.endsWith(called));
  }

  /** Names a method as its source does: the body of a lambda belongs to the method around it. */
  private String describe(ClassModel model, MethodModel method) {
    String name = method.methodName().stringValue();
    String what = "method " + name;
    if (name.equals(CONSTRUCTOR)) {
      what = "a constructor";
    } else if (name.startsWith("lambda$")) {
      String[] parts = name.split("\\$", -1);
      what =
          "a lambda of "
              + (parts[1].equals("new") ? "a constructor or initializer" : "method " + parts[1]);
    }
    String className = ClassFiles.name(model);
    return className.equals(refusal.type().getName()) ? what : what + " of " + className;
  }
}
