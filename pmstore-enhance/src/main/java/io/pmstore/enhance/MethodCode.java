package io.pmstore.enhance;

import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;

/** Emits the code of a method. */
final class MethodCode extends MethodVisitor {
  MethodCode(MethodVisitor to) {
    super(OpenedClassReader.ASM_API, to);
  }

  /** Begins a method that the enhancer adds to a class. */
  static MethodCode begin(
      ClassVisitor to, int flags, String name, String descriptor, String... thrown) {
    MethodVisitor added =
        to.visitMethod(flags | Opcodes.ACC_SYNTHETIC, name, descriptor, null, thrown);
    added.visitCode();
    return new MethodCode(added);
  }

  void loadThis() {
    visitVarInsn(Opcodes.ALOAD, 0);
  }

  /** Loads parameters, the first one from a variable. */
  void load(int first, Type... types) {
    int slot = first;
    for (Type type : types) {
      visitVarInsn(type.getOpcode(Opcodes.ILOAD), slot);
      slot += type.getSize();
    }
  }

  void invokeVirtual(String owner, String name, String descriptor) {
    visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, name, descriptor, false);
  }

  void invokeSpecial(String owner, String name, String descriptor) {
    visitMethodInsn(Opcodes.INVOKESPECIAL, owner, name, descriptor, false);
  }

  /** Calls a method of the superclass of a class. */
  void invokeSuper(ClassFacts of, String name, String descriptor) {
    visitMethodInsn(Opcodes.INVOKESPECIAL, of.superName(), name, descriptor, false);
  }

  void invokeStatic(String owner, String name, String descriptor) {
    visitMethodInsn(Opcodes.INVOKESTATIC, owner, name, descriptor, false);
  }

  /** Binds a label where the variables are those of the method's start. */
  void target(Label label) {
    visitLabel(label);
    visitFrame(Opcodes.F_SAME, 0, null, 0, null);
  }

  /** Binds a label where there is one more variable, of a class. */
  void targetWith(Label label, String type) {
    visitLabel(label);
    visitFrame(Opcodes.F_APPEND, 1, new Object[] {type}, 0, null);
  }

  void end() {
    visitMaxs(0, 0); // computed by the writer
    visitEnd();
  }
}
