package io.pmstore.proxy.bean;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.ArrayLoadInstruction;
import java.lang.classfile.instruction.ArrayStoreInstruction;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ConvertInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.classfile.instruction.StackInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows {@code this} over the operand stack of an instance method, so that a constructor's access
 * to its own object can be told from one to another object.
 *
 * <p>Each stack slot is {@code this} or not; {@code long} and {@code double} take two slots. Code
 * is followed in its order: at a label the stack is what the jumps to it left, which compilers of
 * Java always put first where the stack is not empty. Where that cannot be told, a slot is not
 * {@code this}.
 */
final class ReceiverStack {
  private boolean[] stack = new boolean[16];
  private int depth;
  private boolean reachable = true;
  private final Map<Label, boolean[]> atLabels = new HashMap<>();

  ReceiverStack(CodeModel code) {
    for (ExceptionCatch handler : code.exceptionHandlers()) {
      atLabels.put(handler.handler(), new boolean[1]);
    }
  }

  /** Says whether the object whose field is about to be read or written is {@code this}. */
  boolean isReceiverThis(FieldInstruction access) {
    int above =
        access.opcode() == Opcode.PUTFIELD ? TypeKind.from(access.typeSymbol()).slotSize() : 0;
    return depth > above && stack[depth - 1 - above];
  }

  /** Says whether the object whose method is about to be called is {@code this}. */
  boolean isReceiverThis(InvokeInstruction call) {
    int above = 0;
    for (ClassDesc parameter : call.typeSymbol().parameterList()) {
      above += TypeKind.from(parameter).slotSize();
    }
    return depth > above && stack[depth - 1 - above];
  }

  /** Takes the next element of the code into account. */
  void accept(CodeElement element) {
    switch (element) {
      case LabelTarget target -> merge(target.label());
      case Instruction instruction -> {
        if (reachable) {
          execute(instruction);
        }
      }
      default -> {}
    }
  }

  private void execute(Instruction instruction) {
    switch (instruction) {
      case LoadInstruction load -> {
        push(load.typeKind().slotSize());
        stack[depth - 1] = load.slot() == 0 && load.typeKind() == TypeKind.REFERENCE;
      }
      case StoreInstruction store -> pop(store.typeKind().slotSize());
      case ConstantInstruction constant -> push(constant.typeKind().slotSize());
      case FieldInstruction field -> field(field);
      case InvokeInstruction invoke -> {
        boolean onObject = invoke.opcode() != Opcode.INVOKESTATIC;
        call(invoke.typeSymbol(), onObject ? 1 : 0);
      }
      case InvokeDynamicInstruction invoke -> call(invoke.typeSymbol(), 0);
      case ArrayLoadInstruction load -> {
        pop(2);
        push(load.typeKind().slotSize());
      }
      case ArrayStoreInstruction store -> pop(2 + store.typeKind().slotSize());
      case ConvertInstruction convert -> {
        pop(convert.fromType().slotSize());
        push(convert.toType().slotSize());
      }
      case OperatorInstruction operator -> operator(operator);
      case StackInstruction move -> move(move.opcode());
      case NewObjectInstruction made -> push(1);
      case NewPrimitiveArrayInstruction made -> replace(1);
      case NewReferenceArrayInstruction made -> replace(1);
      case NewMultiArrayInstruction made -> replace(made.dimensions());
      case TypeCheckInstruction check -> {
        if (check.opcode() == Opcode.INSTANCEOF) {
          replace(1);
        }
      }
      case MonitorInstruction monitor -> pop(1);
      case BranchInstruction branch -> branch(branch);
      case TableSwitchInstruction table -> choose(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> choose(lookup.defaultTarget(), lookup.cases());
      case ReturnInstruction end -> reachable = false;
      case ThrowInstruction end -> reachable = false;
      default -> {} // iinc, nop
    }
  }

  private void field(FieldInstruction field) {
    int slots = TypeKind.from(field.typeSymbol()).slotSize();
    switch (field.opcode()) {
      case GETFIELD -> {
        pop(1);
        push(slots);
      }
      case PUTFIELD -> pop(1 + slots);
      case GETSTATIC -> push(slots);
      default -> pop(slots);
    }
  }

  private void call(MethodTypeDesc type, int receiver) {
    for (int i = 0; i < type.parameterCount(); i++) {
      pop(TypeKind.from(type.parameterType(i)).slotSize());
    }
    pop(receiver);
    push(TypeKind.from(type.returnType()).slotSize());
  }

  private void operator(OperatorInstruction operator) {
    int slots = operator.typeKind().slotSize();
    switch (operator.opcode()) {
      case ARRAYLENGTH -> replace(1);
      case INEG, LNEG, FNEG, DNEG -> replaceBy(slots, slots);
      case ISHL, LSHL, ISHR, LSHR, IUSHR, LUSHR -> replaceBy(slots + 1, slots);
      case LCMP, DCMPG, DCMPL -> replaceBy(4, 1);
      case FCMPG, FCMPL -> replaceBy(2, 1);
      default -> replaceBy(2 * slots, slots);
    }
  }

  private void move(Opcode opcode) {
    switch (opcode) {
      case POP -> pop(1);
      case POP2 -> pop(2);
      case DUP -> copy(1, 0);
      case DUP_X1 -> copy(1, 1);
      case DUP_X2 -> copy(1, 2);
      case DUP2 -> copy(2, 0);
      case DUP2_X1 -> copy(2, 1);
      case DUP2_X2 -> copy(2, 2);
      default -> { // swap
        if (depth < 2) {
          return;
        }
        boolean top = stack[depth - 1];
        stack[depth - 1] = stack[depth - 2];
        stack[depth - 2] = top;
      }
    }
  }

  /** Puts a copy of the topmost slots below some more. */
  private void copy(int slots, int below) {
    int moved = slots + below;
    push(slots);
    if (depth < slots + moved) {
      return; // code that cannot be reached
    }
    System.arraycopy(stack, depth - slots - moved, stack, depth - moved, moved);
    System.arraycopy(stack, depth - slots, stack, depth - slots - moved, slots);
  }

  private void branch(BranchInstruction branch) {
    switch (branch.opcode()) {
      case GOTO, GOTO_W -> {
        leaveAt(branch.target());
        reachable = false;
      }
      case IF_ICMPEQ,
          IF_ICMPNE,
          IF_ICMPLT,
          IF_ICMPGE,
          IF_ICMPGT,
          IF_ICMPLE,
          IF_ACMPEQ,
          IF_ACMPNE -> {
        pop(2);
        leaveAt(branch.target());
      }
      default -> {
        pop(1);
        leaveAt(branch.target());
      }
    }
  }

  private void choose(Label otherwise, List<SwitchCase> cases) {
    pop(1);
    leaveAt(otherwise);
    cases.forEach(one -> leaveAt(one.target()));
    reachable = false;
  }

  private void leaveAt(Label label) {
    boolean[] now = Arrays.copyOf(stack, depth);
    atLabels.merge(label, now, ReceiverStack::both);
  }

  private void merge(Label label) {
    if (reachable) {
      leaveAt(label);
    }
    boolean[] left = atLabels.getOrDefault(label, new boolean[0]);
    depth = 0;
    push(left.length);
    System.arraycopy(left, 0, stack, 0, left.length);
    reachable = true;
  }

  private static boolean[] both(boolean[] a, boolean[] b) {
    boolean[] result = new boolean[Math.min(a.length, b.length)];
    for (int i = 0; i < result.length; i++) {
      result[i] = a[i] && b[i];
    }
    return result;
  }

  private void replace(int popped) {
    replaceBy(popped, 1);
  }

  private void replaceBy(int popped, int pushed) {
    pop(popped);
    push(pushed);
  }

  private void push(int slots) {
    if (depth + slots > stack.length) {
      stack = Arrays.copyOf(stack, 2 * (depth + slots));
    }
    Arrays.fill(stack, depth, depth + slots, false);
    depth += slots;
  }

  private void pop(int slots) {
    depth = Math.max(0, depth - slots);
  }
}
