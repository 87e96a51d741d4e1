package io.pmstore.proxy.bytecode;

import java.lang.invoke.MethodType;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Pieces of bytecode that generated methods share. */
final class Code {
  /** {@code java.lang.Object}. */
  static final Type OBJECT = Type.getType(Object.class);

  private Code() {}

  /** Loads the parameters of a method, the first one from a slot. */
  static void loadArguments(MethodVisitor code, String descriptor, int firstSlot) {
    int slot = firstSlot;
    for (Type type : Type.getArgumentTypes(descriptor)) {
      load(code, type, slot);
      slot += type.getSize();
    }
  }

  static void load(MethodVisitor code, Type type, int slot) {
    code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
  }

  static void returns(MethodVisitor code, Type type) {
    code.visitInsn(type.getOpcode(Opcodes.IRETURN));
  }

  /** Calls an instance method of a class. */
  static void call(MethodVisitor code, Class<?> owner, String method, Type result, Type... types) {
    String descriptor = Type.getMethodDescriptor(result, types);
    String name = Type.getInternalName(owner);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, name, method, descriptor, false);
  }

  /** Calls a static method. */
  static void callStatic(MethodVisitor code, String owner, String method, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, method, descriptor, true);
  }

  /** Converts the result of a method to the object that stands for it. */
  static void box(MethodVisitor code, Type type) {
    if (type.getSort() == Type.VOID) {
      code.visitInsn(Opcodes.ACONST_NULL);
    } else if (type.getSort() < Type.ARRAY) {
      Type box = boxOf(type);
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          box.getInternalName(),
          "valueOf",
          Type.getMethodDescriptor(box, type),
          false);
    }
  }

  /** Converts the object that stands for a value to a value of a type. */
  static void unbox(MethodVisitor code, Type type) {
    if (type.getSort() == Type.VOID) {
      code.visitInsn(Opcodes.POP);
    } else if (type.getSort() < Type.ARRAY) {
      String box = boxOf(type).getInternalName();
      code.visitTypeInsn(Opcodes.CHECKCAST, box);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          box,
          type.getClassName() + "Value",
          Type.getMethodDescriptor(type),
          false);
    } else {
      code.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
    }
  }

  private static Type boxOf(Type primitive) {
    Class<?> type =
        MethodType.fromMethodDescriptorString("()" + primitive.getDescriptor(), null).returnType();
    return Type.getType(MethodType.methodType(type).wrap().returnType());
  }

  /** Binds a label that jumps reach with the local variables of the method's start. */
  static void target(MethodVisitor code, Label label) {
    code.visitLabel(label);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
  }

  /** Binds a label as {@link #target} does, with one object on the stack. */
  static void targetWith(MethodVisitor code, Label label, String onStack) {
    code.visitLabel(label);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {onStack});
  }
}
