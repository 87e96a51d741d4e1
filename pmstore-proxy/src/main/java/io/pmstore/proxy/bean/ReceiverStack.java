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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Follows objects that are known to be plain over the operand stack and the local variables of a
 * method: {@code this}, and what the method has made with {@code new}. So access to these can be
 * told from access to objects that may be persistent; a plain object stays plain for its life.
 *
 * <p>{@code long} and {@code double} take two slots. At a label a slot holds what all jumps to it
 * left there, or an unknown object. A jump backwards may take away what the code behind its label
 * was taken for, so the code is gone through again until {@link #isSettled}.
 */
final class ReceiverStack {
  /** The object is unknown. */
  static final byte UNKNOWN = 0;

  /** The object is {@code this}. */
  static final byte THIS = 1;

  /** The method has created the object, or it is null. */
  static final byte MADE = 2;

  /** What is known of the operand stack and the local variables. */
  @SuppressWarnings("ArrayRecordComponent") // isLike compares them
  private record Slots(byte[] stack, byte[] locals) {
    Slots and(Slots other) {
      return new Slots(both(stack, other.stack), both(locals, other.locals));
    }

    boolean isLike(Slots other) {
      return Arrays.equals(stack, other.stack) && Arrays.equals(locals, other.locals);
    }
  }

  private final boolean hasThis;
  private final Predicate<FieldInstruction> isMade;
  private final List<ExceptionCatch> handlers;
  private final Set<ExceptionCatch> catching = new LinkedHashSet<>();
  private byte[] stack = new byte[16];
  private byte[] locals = new byte[16];
  private int depth;
  private boolean reachable = true;
  private boolean settled = true;
  private final Map<Label, Slots> atLabels = new HashMap<>();
  private final Set<Label> passed = new HashSet<>();

  /**
   * Starts at the beginning of a method's code. {@code hasThis} is false for a static method;
   * {@code isMade} returns true for a field that only ever holds new objects.
   */
  ReceiverStack(CodeModel code, boolean hasThis, Predicate<FieldInstruction> isMade) {
    this.hasThis = hasThis;
    this.isMade = isMade;
    this.handlers = code.exceptionHandlers();
  }

  /** Starts again with what is known of labels. */
  void restart() {
    Arrays.fill(locals, UNKNOWN);
    depth = 0;
    reachable = true;
    settled = true;
    passed.clear();
    catching.clear();
  }

  /** Returns true if the answers since the start are final. */
  boolean isSettled() {
    return settled;
  }

  /** Returns what is known of the object whose field is about to be read or written. */
  byte receiver(FieldInstruction access) {
    return at(
        access.opcode() == Opcode.PUTFIELD ? TypeKind.from(access.typeSymbol()).slotSize() : 0);
  }

  /** Returns what is known of the object whose method is about to be called. */
  byte receiver(InvokeInstruction call) {
    int above = 0;
    for (ClassDesc parameter : call.typeSymbol().parameterList()) {
      above += TypeKind.from(parameter).slotSize();
    }
    return at(above);
  }

  /** Returns true if all objects that are about to be passed to a method are plain. */
  boolean passesPlain(InvokeInstruction call) {
    int above = 0;
    for (ClassDesc parameter : call.typeSymbol().parameterList().reversed()) {
      if (!parameter.isPrimitive() && at(above) == UNKNOWN) {
        return false;
      }
      above += TypeKind.from(parameter).slotSize();
    }
    return true;
  }

  /** Returns what is known of the object that is about to be stored. */
  byte top() {
    return at(0);
  }

  private byte at(int above) {
    return depth > above ? stack[depth - 1 - above] : UNKNOWN;
  }

  /** Follows the next element of the code. */
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
        if (load.typeKind() == TypeKind.REFERENCE) {
          boolean isThis = hasThis && load.slot() == 0;
          stack[depth - 1] =
              isThis ? THIS : load.slot() < locals.length ? locals[load.slot()] : UNKNOWN;
        }
      }
      case StoreInstruction store -> store(store);
      case ConstantInstruction constant -> {
        push(constant.typeKind().slotSize());
        if (constant.opcode() == Opcode.ACONST_NULL) {
          stack[depth - 1] = MADE;
        }
      }
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
      case NewObjectInstruction made -> {
        push(1);
        stack[depth - 1] = MADE;
      }
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
        if (slots == 1 && isMade.test(field)) {
          stack[depth - 1] = MADE;
        }
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
        byte top = stack[depth - 1];
        stack[depth - 1] = stack[depth - 2];
        stack[depth - 2] = top;
      }
    }
  }

  /** Inserts a copy of the topmost slots below some others. */
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
    leaveAt(label, new Slots(Arrays.copyOf(stack, depth), locals.clone()));
  }

  /** Merges the local variables into those that the enclosing exception handlers see. */
  private void leaveAtHandlers() {
    for (ExceptionCatch handler : catching) {
      leaveAt(handler.handler(), new Slots(new byte[1], locals.clone()));
    }
  }

  private void leaveAt(Label label, Slots now) {
    Slots before = atLabels.get(label);
    Slots after = before == null ? now : before.and(now);
    atLabels.put(label, after);
    settled &= !passed.contains(label) || (before != null && before.isLike(after));
  }

  private void merge(Label label) {
    if (reachable) {
      leaveAt(label);
    }
    Slots left = atLabels.getOrDefault(label, new Slots(new byte[0], new byte[0]));
    depth = 0;
    push(left.stack.length);
    System.arraycopy(left.stack, 0, stack, 0, left.stack.length);
    locals = Arrays.copyOf(left.locals, Math.max(16, left.locals.length));
    reachable = true;
    passed.add(label);
    for (ExceptionCatch handler : handlers) {
      if (handler.tryStart().equals(label)) {
        catching.add(handler);
      } else if (handler.tryEnd().equals(label)) {
        catching.remove(handler);
      }
    }
    leaveAtHandlers();
  }

  private void store(StoreInstruction store) {
    byte stored = store.typeKind() == TypeKind.REFERENCE ? top() : UNKNOWN;
    int slots = store.typeKind().slotSize();
    pop(slots);
    if (store.slot() + slots > locals.length) {
      locals = Arrays.copyOf(locals, 2 * (store.slot() + slots));
    }
    Arrays.fill(locals, store.slot(), store.slot() + slots, stored);
    leaveAtHandlers();
  }

  private static byte[] both(byte[] a, byte[] b) {
    byte[] result = new byte[Math.min(a.length, b.length)];
    for (int i = 0; i < result.length; i++) {
      result[i] = a[i] == b[i] ? a[i] : UNKNOWN;
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
    Arrays.fill(stack, depth, depth + slots, UNKNOWN);
    depth += slots;
  }

  private void pop(int slots) {
    depth = Math.max(0, depth - slots);
  }
}
