package io.pmstore.proxy.bean;

import java.lang.classfile.Annotation;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.FieldModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.reflect.AccessFlag;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Warns of code that may read the fields of an enhanced object by reflection. A persistent object
 * keeps its values in the store; its fields have the values from when it was plain, or none.
 */
final class ReflectiveUses {
  private static final List<String> JACKSON =
      List.of("Lcom/fasterxml/jackson/", "Ltools/jackson/", "Lorg/codehaus/jackson/");
  private static final List<String> FIELD_MAPPERS =
      List.of("Lcom/google/gson/annotations/", "Lcom/squareup/moshi/");
  private static final List<String> HARMLESS = List.of("java/", "javax/", "kotlin/", "scala/");
  private static final String REMEDY =
      "give it a plain copy, by PmStore.copy, or a mapper that knows the store";

  private final Refusal refusal;
  private final Accessors accessors;

  ReflectiveUses(Refusal refusal, Accessors accessors) {
    this.refusal = refusal;
    this.accessors = accessors;
  }

  /** Looks at the fields and the methods of one class of the hierarchy. */
  void warn(ClassCode code) {
    ClassModel model = code.model();
    boolean isForJackson = isAnyForJackson(model.fields()) || isAnyForJackson(model.methods());
    for (FieldModel field : model.fields()) {
      if (code.persistentFields().containsKey(field.fieldName().stringValue())) {
        warnOfMapper(code, field, isForJackson);
      }
    }
    for (MethodModel method : model.methods()) {
      warnOfCalls(model, method);
    }
  }

  private void warnOfMapper(ClassCode code, FieldModel field, boolean isForJackson) {
    String name = field.fieldName().stringValue();
    boolean hasGetter = accessors.getters(name).iterator().hasNext();
    boolean isReadByJackson =
        !hasGetter
            && (hasAnnotation(field, JACKSON)
                || (isForJackson && field.flags().has(AccessFlag.PUBLIC)));
    if (isReadByJackson || hasAnnotation(field, FIELD_MAPPERS)) {
      refusal.warn(
          "field %s%s is annotated for a mapper that reads fields, and so past the store; %s"
              .formatted(name, refusal.of(code.type()), REMEDY));
    }
  }

  private static boolean isAnyForJackson(List<? extends AttributedElement> members) {
    for (AttributedElement member : members) {
      if (hasAnnotation(member, JACKSON)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasAnnotation(AttributedElement member, List<String> packages) {
    RuntimeVisibleAnnotationsAttribute visible =
        member.findAttribute(Attributes.runtimeVisibleAnnotations()).orElse(null);
    if (visible != null) {
      for (Annotation annotation : visible.annotations()) {
        if (isIn(packages, annotation.className().stringValue())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isIn(List<String> packages, String name) {
    for (String start : packages) {
      if (name.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  /** Warns of calls that give away {@code this} as an {@code Object}. */
  private void warnOfCalls(ClassModel model, MethodModel method) {
    if (method.flags().has(AccessFlag.STATIC) || method.code().isEmpty()) {
      return;
    }
    CodeElement before = null;
    int line = 0;
    for (CodeElement element : method.code().get()) {
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof Instruction) {
        if (element instanceof InvokeInstruction call && isReflective(model, call, before)) {
          refusal.warn(
              "method %s gives the object to %s.%s%s; if that reads fields by reflection, it does not see the values of a persistent object: %s"
                  .formatted(
                      method.methodName().stringValue(),
                      call.owner().asInternalName().replace('/', '.'),
                      call.name().stringValue(),
                      ClassFiles.place(model, line),
                      REMEDY));
        }
        before = element;
      }
    }
  }

  /** A method of the class itself, such as Lombok's {@code canEqual}, uses its fields by name. */
  private static boolean isReflective(
      ClassModel model, InvokeInstruction call, @Nullable CodeElement before) {
    String owner = call.owner().asInternalName();
    boolean isOfOthers =
        !isIn(HARMLESS, owner) && !owner.equals(model.thisClass().asInternalName());
    boolean givesThis =
        call.type().stringValue().startsWith("(Ljava/lang/Object;)")
            && before instanceof LoadInstruction load
            && load.slot() == 0;
    return isOfOthers && givesThis;
  }
}
