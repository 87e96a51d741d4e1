package io.pmstore.enhance;

import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;

/** Visits each instruction of a method by its opcode, with any operands. */
abstract class OpcodeVisitor extends MethodVisitor {
  OpcodeVisitor() {
    super(OpenedClassReader.ASM_API);
  }

  /** Called for each instruction, in the order of the code. */
  abstract void at(int opcode);

  @Override
  public void visitInsn(int opcode) {
    at(opcode);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    at(opcode);
  }

  @Override
  public void visitVarInsn(int opcode, int slot) {
    at(opcode);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    at(opcode);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    at(opcode);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean ofInterface) {
    at(opcode);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    at(Opcodes.INVOKEDYNAMIC);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    at(opcode);
  }

  @Override
  public void visitLdcInsn(Object value) {
    at(Opcodes.LDC);
  }

  @Override
  public void visitIincInsn(int slot, int increment) {
    at(Opcodes.IINC);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
    at(Opcodes.TABLESWITCH);
  }

  @Override
  public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
    at(Opcodes.LOOKUPSWITCH);
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    at(Opcodes.MULTIANEWARRAY);
  }
}
