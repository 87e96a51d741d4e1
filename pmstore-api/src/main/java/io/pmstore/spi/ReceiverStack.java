package io.pmstore.spi;

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
 * left there, or an unknown object. A backward jump may invalidate what was assumed for the code
 * after its label, so the code is visited again until {@link #isSettled}. The object layer and the
 * enhancer use this class, which depends on neither. Not safe for use by several threads.
 */
public final class ReceiverStack {
  /** The object is unknown. */
  public static final byte UNKNOWN = 0;

  /** The object is {@code this}. */
  public static final byte THIS = 1;

  /** The method has created the object, or it is null. */
  public static final byte MADE = 2;

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
   * Starts at the beginning of a method's code.
   *
   * @param code the code of the method
   * @param hasThis false for a static method
   * @param isMade returns true for a field that only ever holds new objects
   */
  public ReceiverStack(CodeModel code, boolean hasThis, Predicate<FieldInstruction> isMade) {
    this.hasThis = hasThis;
    this.isMade = isMade;
    this.handlers = code.exceptionHandlers();
  }

  /** Starts again with what is known of labels. */
  public void restart() {
    Arrays.fill(locals, UNKNOWN);
    depth = 0;
    reachable = true;
    settled = true;
    passed.clear();
    catching.clear();
  }

  /**
   * Returns true if the answers since the start are final.
   *
   * @return true if the code need not be gone through again
   */
  public boolean isSettled() {
    return settled;
  }

  /**
   * Returns what is known of the object whose field is about to be read or written.
   *
   * @param access the instruction that reads or writes the field
   * @return {@link #THIS}, {@link #MADE} or {@link #UNKNOWN}
   */
  public byte receiver(FieldInstruction access) {
    return at(access.opcode() == Opcode.PUTFIELD ? slots(access.typeSymbol()) : 0);
  }

  /**
   * Returns what is known of the object whose method is about to be called.
   *
   * @param call the instruction that calls the method
   * @return {@link #THIS}, {@link #MADE} or {@link #UNKNOWN}
   */
  public byte receiver(InvokeInstruction call) {
    return at(arguments(call.typeSymbol()));
  }

  /**
   * Returns true if all objects that are about to be passed to a method are plain.
   *
   * @param call the instruction that calls the method
   * @return false if one of the objects may be persistent
   */
  public boolean passesPlain(InvokeInstruction call) {
    int above = 0;
    for (ClassDesc parameter : call.typeSymbol().parameterList().reversed()) {
      if (!parameter.isPrimitive() && at(above) == UNKNOWN) {
        return false;
      }
      above += slots(parameter);
    }
    return true;
  }

  /**
   * Returns what is known of the object that is about to be stored.
   *
   * @return {@link #THIS}, {@link #MADE} or {@link #UNKNOWN}
   */
  public byte top() {
    return at(0);
  }

  private byte at(int above) {
    return depth > above ? stack[depth - 1 - above] : UNKNOWN;
  }

  /**
   * Follows the next element of the code.
   *
   * @param element the element behind the one before
   */
  public void accept(CodeElement element) {
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
      case InvokeInstruction call ->
          call(call.typeSymbol(), call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
      case InvokeDynamicInstruction call -> call(call.typeSymbol(), 0);
      case ArrayLoadInstruction load -> replace(2, load.typeKind().slotSize());
      case ArrayStoreInstruction store -> pop(2 + store.typeKind().slotSize());
      case ConvertInstruction convert ->
          replace(convert.fromType().slotSize(), convert.toType().slotSize());
      case OperatorInstruction operator -> operator(operator);
      case StackInstruction move -> move(move.opcode());
      case NewObjectInstruction made -> {
        push(1);
        stack[depth - 1] = MADE;
      }
      case NewMultiArrayInstruction made -> replace(made.dimensions(), 1);
      case TypeCheckInstruction check when check.opcode() == Opcode.INSTANCEOF -> replace(1, 1);
      case MonitorInstruction _ -> pop(1);
      case BranchInstruction branch -> branch(branch);
      case TableSwitchInstruction table -> choose(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> choose(lookup.defaultTarget(), lookup.cases());
      case ReturnInstruction _, ThrowInstruction _ -> reachable = false;
      default -> {} // it takes as many slots as it leaves, if any
    }
  }

  private void field(FieldInstruction field) {
    int slots = slots(field.typeSymbol());
    switch (field.opcode()) {
      case GETFIELD -> {
        replace(1, slots);
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
    replace(receiver + arguments(type), slots(type.returnType()));
  }

  private void operator(OperatorInstruction operator) {
    int slots = operator.typeKind().slotSize();
    switch (operator.opcode()) {
      case ARRAYLENGTH -> replace(1, 1);
      case INEG, LNEG, FNEG, DNEG -> {}
      case ISHL, LSHL, ISHR, LSHR, IUSHR, LUSHR -> pop(1);
      case LCMP, DCMPG, DCMPL -> replace(4, 1);
      default -> replace(2 * slots, slots); // as of FCMPG, whose slots are 1
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
    boolean isGoto = branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
    int opcode = branch.opcode().bytecode();
    boolean comparesTwo =
        opcode >= Opcode.IF_ICMPEQ.bytecode() && opcode <= Opcode.IF_ACMPNE.bytecode();
    pop(isGoto ? 0 : comparesTwo ? 2 : 1);
    leaveAt(branch.target());
    reachable = !isGoto;
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

  private static int slots(ClassDesc type) {
    return TypeKind.from(type).slotSize();
  }

  private static int arguments(MethodTypeDesc type) {
    int slots = 0;
    for (ClassDesc parameter : type.parameterList()) {
      slots += slots(parameter);
    }
    return slots;
  }

  private void replace(int popped, int pushed) {
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
