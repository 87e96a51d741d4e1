package io.pmstore.enhance;

import io.pmstore.enhance.Universe.KeptField;
import java.util.Set;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Rewrites a constructor of an enhanced class. Before the constructor calls another one, {@code
 * this} is plain and no method of it can be called. So the rewriter leaves assignments of its
 * fields unchanged there.
 */
final class ConstructorRewriter extends AccessRewriter {
  private final Set<Integer> early; // assignments of fields of this
  private int assignments;
  private boolean isEarly;

  ConstructorRewriter(MethodVisitor to, Rewriting of, String method, String descriptor) {
    super(to, of, method, descriptor);
    this.early = of.in().method(method + descriptor).earlyAssignments();
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    isEarly = opcode == Opcodes.PUTFIELD && early.contains(assignments++);
    super.visitFieldInsn(opcode, owner, name, descriptor);
  }

  @Override
  void write(KeptField kept, String owner, String name, String descriptor) {
    if (isEarly) {
      direct(Opcodes.PUTFIELD, owner, name, descriptor);
    } else {
      super.write(kept, owner, name, descriptor);
    }
  }

  @Override
  void assignFinal(String owner, String name, String descriptor) {
    super.assignFinal(owner, name, descriptor);
    if (!isEarly) {
      // The constructor may have given the object away before.
      super.visitVarInsn(Opcodes.ALOAD, 0);
      super.visitMethodInsn(
          Opcodes.INVOKESTATIC, Spi.CLASSES, "checkPlain", "(L" + Spi.ENHANCED + ";)V", false);
    }
  }
}
