package io.pmstore.enhance;

import io.pmstore.enhance.Universe.KeptField;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Rewrites a constructor of an enhanced class. Before the constructor calls another one, {@code
 * this} is plain and no method of it can be called. So the rewriter leaves assignments of its
 * fields unchanged there.
 *
 * <p>Until that call a constructor loads {@code this} for two purposes only: to assign a field, and
 * to make the call. So an assignment while {@code this} is loaded assigns a field of {@code this},
 * unless it is part of an expression, which copies its value beneath the object.
 */
final class ConstructorRewriter extends AccessRewriter {
  private final String type;
  private boolean isEarly = true; // before the call of another constructor
  private int newObjects;
  private int loaded; // how often this is on the stack
  private boolean isInExpression;

  ConstructorRewriter(MethodVisitor to, Rewriting of, String method, String descriptor) {
    super(to, of, method, descriptor);
    this.type = of.in().name();
  }

  @Override
  public void visitVarInsn(int opcode, int slot) {
    if (isEarly && opcode == Opcodes.ALOAD && slot == 0) {
      loaded++;
    }
    super.visitVarInsn(opcode, slot);
  }

  @Override
  public void visitInsn(int opcode) {
    boolean copiesBeneath =
        opcode == Opcodes.DUP_X1
            || opcode == Opcodes.DUP_X2
            || opcode == Opcodes.DUP2_X1
            || opcode == Opcodes.DUP2_X2;
    isInExpression |= isEarly && loaded > 0 && copiesBeneath;
    super.visitInsn(opcode);
  }

  @Override
  public void visitTypeInsn(int opcode, String named) {
    if (isEarly && opcode == Opcodes.NEW) {
      newObjects++;
    }
    super.visitTypeInsn(opcode, named);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean ofInterface) {
    super.visitMethodInsn(opcode, owner, name, descriptor, ofInterface);
    if (isEarly && opcode == Opcodes.INVOKESPECIAL && name.equals("<init>")) {
      if (newObjects == 0) {
        isEarly = false;
      } else {
        newObjects--;
      }
    }
  }

  @Override
  void write(KeptField kept, String owner, String name, String descriptor) {
    if (isEarly && loaded > 0 && owner.equals(type)) {
      assignEarly(owner, name, descriptor);
    } else {
      super.write(kept, owner, name, descriptor);
    }
  }

  @Override
  void assignFinal(String owner, String name, String descriptor) {
    if (isEarly) {
      assignEarly(owner, name, descriptor);
      return;
    }
    super.assignFinal(owner, name, descriptor);
    // The constructor may have given the object away before.
    super.visitVarInsn(Opcodes.ALOAD, 0);
    super.visitMethodInsn(
        Opcodes.INVOKESTATIC, Spi.CLASSES, "checkPlain", "(L" + Spi.ENHANCED + ";)V", false);
  }

  private void assignEarly(String owner, String name, String descriptor) {
    if (isInExpression) {
      fault(
          "it assigns the field "
              + name
              + " within an expression before it calls another constructor",
          "make the assignment a statement of its own");
    }
    loaded--;
    direct(Opcodes.PUTFIELD, owner, name, descriptor);
  }
}
