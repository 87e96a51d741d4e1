package io.pmstore.proxy.bean;

import io.pmstore.spi.EnhancedArrays;
import io.pmstore.spi.EnhancedObject;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.List;

/** Classes that the enhancer has changed, and their class files as they were before. */
final class Enhancement {
  private static final String MEMBER = "pmstore";
  private static final String ARRAYS = EnhancedArrays.class.getName().replace('.', '/');

  // Only the code is read, so nobody needs stack maps.
  private static final ClassFile READER = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);

  private static final CodeTransform ACCESS =
      (code, element) -> {
        if (element instanceof InvokeInstruction call
            && call.name().stringValue().startsWith(EnhancedObject.GET)) {
          code.getfield(owner(call), field(call), call.typeSymbol().returnType());
        } else if (element instanceof InvokeInstruction call
            && call.name().stringValue().startsWith(EnhancedObject.PUT)) {
          code.putfield(owner(call), field(call), call.typeSymbol().parameterType(0));
        } else if (element instanceof InvokeInstruction call && isElementStore(call)) {
          code.arrayStore(
              call.typeSymbol().parameterType(0).isArray() ? kind(call) : TypeKind.BYTE);
        } else {
          code.with(element);
        }
      };

  private Enhancement() {}

  /**
   * Returns true if the enhancer has changed a class, or one that it extends: then it has to have
   * changed the class too.
   */
  static boolean isIn(Class<?> type) {
    return !type.isInterface() && EnhancedObject.class.isAssignableFrom(type);
  }

  private static boolean isElementStore(InvokeInstruction call) {
    return call.owner().asInternalName().equals(ARRAYS) && call.name().equalsString("set");
  }

  private static TypeKind kind(InvokeInstruction call) {
    return TypeKind.from(call.typeSymbol().parameterType(2));
  }

  private static ClassDesc owner(InvokeInstruction call) {
    return call.owner().asSymbol();
  }

  private static String field(InvokeInstruction call) {
    String name = call.name().stringValue();
    return name.substring(name.lastIndexOf(':') + 1);
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

  /** Returns a class file as the compiler made it, without what the enhancer has added. */
  static ClassModel original(ClassModel model) {
    if (!hasChanged(model)) {
      return model;
    }
    ClassTransform fields = ClassTransform.dropping(Enhancement::isAdded);
    return READER.parse(
        READER.transformClass(
            model, fields.andThen(ClassTransform.transformingMethodBodies(ACCESS))));
  }

  private static boolean isAdded(ClassElement element) {
    return switch (element) {
      case MethodModel method -> method.methodName().stringValue().startsWith(MEMBER);
      case FieldModel field -> field.fieldName().equalsString(EnhancedObject.HANDLE);
      default -> false;
    };
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
