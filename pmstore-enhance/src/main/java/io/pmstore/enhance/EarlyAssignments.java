package io.pmstore.enhance;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ConstantDynamic;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Finds the assignments by which a constructor assigns fields of {@code this} before it calls
 * another constructor. It follows which words of the operand stack are {@code this}: until that
 * call they are only assigned to and passed to the call, so no other instruction takes one.
 */
final class EarlyAssignments extends MethodVisitor {
  private final Set<Integer> found = new HashSet<>();
  private final Map<Label, List<Boolean>> stacks = new HashMap<>(); // where code jumps to
  private @Nullable List<Boolean> stack = new ArrayList<>(); // null behind a jump, and at the end
  private int assignments; // of any fields
  private boolean isOver; // once the other constructor is called

  EarlyAssignments() {
    super(OpenedClassReader.ASM_API);
  }

  /** Returns the assignments, each as the number of instructions before it that assign a field. */
  Set<Integer> found() {
    return Set.copyOf(found);
  }

  private void push(int words, boolean isThis) {
    if (stack != null) {
      stack.addAll(Collections.nCopies(words, isThis));
    }
  }

  private void pop(int words) {
    if (stack != null) {
      stack.subList(Math.max(0, stack.size() - words), stack.size()).clear();
    }
  }

  /** Pops and pushes words that are not {@code this}, as many as the difference tells. */
  private void change(int words) {
    pop(Math.max(0, -words));
    push(Math.max(0, words), false);
  }

  /** Returns true if a word is {@code this}: the top one if {@code above} is 0. */
  private boolean isThis(int above) {
    return stack != null && above < stack.size() && stack.get(stack.size() - 1 - above);
  }

  private void copy(int words, int beneath) {
    if (stack != null && stack.size() >= words + beneath) {
      int from = stack.size() - words;
      stack.addAll(from - beneath, List.copyOf(stack.subList(from, stack.size())));
    }
  }

  private void jump(Label to) {
    if (stack != null) {
      stacks.putIfAbsent(to, List.copyOf(stack));
    }
  }

  @Override
  public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
    stacks.put(handler, List.of(false)); // the exception
  }

  @Override
  public void visitLabel(Label label) {
    if (stack == null && !isOver) {
      stack = new ArrayList<>(stacks.getOrDefault(label, List.of()));
    }
  }

  @Override
  public void visitInsn(int opcode) {
    switch (opcode) {
      case Opcodes.DUP -> copy(1, 0);
      case Opcodes.DUP_X1 -> copy(1, 1);
      case Opcodes.DUP_X2 -> copy(1, 2);
      case Opcodes.DUP2 -> copy(2, 0);
      case Opcodes.DUP2_X1 -> copy(2, 1);
      case Opcodes.DUP2_X2 -> copy(2, 2);
      case Opcodes.SWAP -> {
        if (stack != null && stack.size() > 1) {
          Collections.swap(stack, stack.size() - 1, stack.size() - 2);
        }
      }
      case Opcodes.ATHROW,
          Opcodes.RETURN,
          Opcodes.IRETURN,
          Opcodes.LRETURN,
          Opcodes.FRETURN,
          Opcodes.DRETURN,
          Opcodes.ARETURN ->
          stack = null;
      default -> change(difference(opcode));
    }
  }

  /** Returns by how many words an instruction without operands changes the height of the stack. */
  private static int difference(int opcode) {
    return switch (opcode) {
      case Opcodes.LCONST_0, Opcodes.LCONST_1, Opcodes.DCONST_0, Opcodes.DCONST_1 -> 2;
      case Opcodes.I2L, Opcodes.I2D, Opcodes.F2L, Opcodes.F2D -> 1;
      case Opcodes.NOP,
          Opcodes.LALOAD,
          Opcodes.DALOAD,
          Opcodes.INEG,
          Opcodes.LNEG,
          Opcodes.FNEG,
          Opcodes.DNEG,
          Opcodes.I2F,
          Opcodes.L2D,
          Opcodes.F2I,
          Opcodes.D2L,
          Opcodes.I2B,
          Opcodes.I2C,
          Opcodes.I2S,
          Opcodes.ARRAYLENGTH ->
          0;
      case Opcodes.POP2,
          Opcodes.LADD,
          Opcodes.DADD,
          Opcodes.LSUB,
          Opcodes.DSUB,
          Opcodes.LMUL,
          Opcodes.DMUL,
          Opcodes.LDIV,
          Opcodes.DDIV,
          Opcodes.LREM,
          Opcodes.DREM,
          Opcodes.LAND,
          Opcodes.LOR,
          Opcodes.LXOR ->
          -2;
      case Opcodes.LASTORE, Opcodes.DASTORE -> -4;
      case Opcodes.LCMP, Opcodes.DCMPL, Opcodes.DCMPG -> -3;
      default ->
          opcode <= Opcodes.FCONST_2
              ? 1
              : opcode < Opcodes.IASTORE || opcode > Opcodes.SASTORE ? -1 : -3;
    };
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    change(opcode == Opcodes.NEWARRAY ? 0 : 1);
  }

  @Override
  public void visitVarInsn(int opcode, int slot) {
    switch (opcode) {
      case Opcodes.ALOAD -> push(1, slot == 0);
      case Opcodes.ILOAD, Opcodes.FLOAD -> push(1, false);
      case Opcodes.LLOAD, Opcodes.DLOAD -> push(2, false);
      case Opcodes.LSTORE, Opcodes.DSTORE -> pop(2);
      case Opcodes.RET -> stack = null;
      default -> pop(1);
    }
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    change(opcode == Opcodes.NEW ? 1 : 0);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
    int words = Type.getType(descriptor).getSize();
    switch (opcode) {
      case Opcodes.GETSTATIC -> push(words, false);
      case Opcodes.PUTSTATIC -> pop(words);
      case Opcodes.GETFIELD -> change(words - 1);
      default -> {
        if (isThis(words)) {
          found.add(assignments);
        }
        assignments++;
        pop(words + 1);
      }
    }
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean ofInterface) {
    int sizes = Type.getArgumentsAndReturnSizes(descriptor);
    int operands = (sizes >> 2) - (opcode == Opcodes.INVOKESTATIC ? 1 : 0);
    isOver |= opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && isThis(operands - 1);
    if (isOver) {
      stack = null;
    }
    pop(operands);
    push(sizes & 3, false);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String name, String descriptor, Handle bootstrap, Object... arguments) {
    int sizes = Type.getArgumentsAndReturnSizes(descriptor);
    pop((sizes >> 2) - 1);
    push(sizes & 3, false);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    switch (opcode) {
      case Opcodes.GOTO, Opcodes.JSR -> {}
      case Opcodes.IF_ICMPEQ,
          Opcodes.IF_ICMPNE,
          Opcodes.IF_ICMPLT,
          Opcodes.IF_ICMPGE,
          Opcodes.IF_ICMPGT,
          Opcodes.IF_ICMPLE,
          Opcodes.IF_ACMPEQ,
          Opcodes.IF_ACMPNE ->
          pop(2);
      default -> pop(1);
    }
    jump(label);
    if (opcode == Opcodes.GOTO) {
      stack = null;
    }
  }

  @Override
  public void visitLdcInsn(Object value) {
    boolean isLong = value instanceof Long || value instanceof Double;
    push(value instanceof ConstantDynamic made ? made.getSize() : isLong ? 2 : 1, false);
  }

  @Override
  public void visitTableSwitchInsn(int min, int max, Label dflt, Label... labels) {
    visitLookupSwitchInsn(dflt, new int[0], labels);
  }

  @Override
  public void visitLookupSwitchInsn(Label dflt, int[] keys, Label[] labels) {
    pop(1);
    jump(dflt);
    for (Label label : labels) {
      jump(label);
    }
    stack = null;
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    change(1 - dimensions);
  }
}
