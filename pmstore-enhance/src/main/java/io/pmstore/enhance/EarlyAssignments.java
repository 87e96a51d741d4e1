package io.pmstore.enhance;

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
import java.lang.classfile.instruction.DiscontinuedInstruction.JsrInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction.RetInstruction;
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
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the assignments by which a constructor assigns fields of {@code this} before it calls
 * another constructor. It follows which words of the operand stack are {@code this}: until that
 * call they are only assigned to and passed to the call, so no other instruction takes one.
 */
final class EarlyAssignments {
  private final Set<Integer> found = new HashSet<>();
  private final Map<Label, List<Boolean>> stacks = new HashMap<>(); // where code jumps to
  private @Nullable List<Boolean> stack = new ArrayList<>(); // null behind a jump, and at the end
  private int assignments; // of any fields
  private boolean isOver; // once the other constructor is called

  private EarlyAssignments() {}

  /** Returns the assignments, each as the number of instructions before it that assign a field. */
  static Set<Integer> in(CodeModel constructor) {
    EarlyAssignments early = new EarlyAssignments();
    constructor
        .exceptionHandlers()
        .forEach(caught -> early.stacks.put(caught.handler(), List.of(false))); // the exception
    constructor.forEach(early::accept);
    return Set.copyOf(early.found);
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

  private void replace(int popped, int pushed) {
    pop(popped);
    push(pushed, false);
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

  private static int words(ClassDesc type) {
    return TypeKind.from(type).slotSize();
  }

  private void accept(CodeElement element) {
    switch (element) {
      case LabelTarget target when stack == null && !isOver ->
          stack = new ArrayList<>(stacks.getOrDefault(target.label(), List.of()));
      case Instruction instruction -> execute(instruction);
      default -> {}
    }
  }

  private void execute(Instruction instruction) {
    switch (instruction) {
      case LoadInstruction load -> {
        boolean isThis = load.typeKind() == TypeKind.REFERENCE && load.slot() == 0;
        push(load.typeKind().slotSize(), isThis);
      }
      case StoreInstruction store -> pop(store.typeKind().slotSize());
      case ConstantInstruction constant -> push(constant.typeKind().slotSize(), false);
      case FieldInstruction field -> field(field.opcode(), words(field.typeSymbol()));
      case InvokeInstruction call -> call(call);
      case InvokeDynamicInstruction call -> call(call.typeSymbol(), 0);
      case ArrayLoadInstruction load -> replace(2, load.typeKind().slotSize());
      case ArrayStoreInstruction store -> pop(2 + store.typeKind().slotSize());
      case ConvertInstruction convert ->
          replace(convert.fromType().slotSize(), convert.toType().slotSize());
      case OperatorInstruction operator -> operator(operator);
      case StackInstruction move -> move(move.opcode());
      case NewObjectInstruction _ -> push(1, false);
      case NewMultiArrayInstruction made -> replace(made.dimensions(), 1);
      case MonitorInstruction _ -> pop(1);
      case BranchInstruction branch -> branch(branch);
      case JsrInstruction branch -> jump(branch.target());
      case TableSwitchInstruction table -> choose(table.defaultTarget(), table.cases());
      case LookupSwitchInstruction lookup -> choose(lookup.defaultTarget(), lookup.cases());
      case ReturnInstruction _, ThrowInstruction _, RetInstruction _ -> stack = null;
      default -> {} // it takes as many words as it leaves, if any
    }
  }

  private void field(Opcode opcode, int words) {
    switch (opcode) {
      case GETSTATIC -> push(words, false);
      case PUTSTATIC -> pop(words);
      case GETFIELD -> replace(1, words);
      default -> {
        if (isThis(words)) {
          found.add(assignments);
        }
        assignments++;
        pop(words + 1);
      }
    }
  }

  private void call(InvokeInstruction call) {
    int arguments =
        call.typeSymbol().parameterList().stream().mapToInt(EarlyAssignments::words).sum();
    isOver |= call.name().equalsString("<init>") && isThis(arguments);
    if (isOver) {
      stack = null;
    }
    call(call.typeSymbol(), call.opcode() == Opcode.INVOKESTATIC ? 0 : 1);
  }

  private void call(MethodTypeDesc type, int receiver) {
    type.parameterList().forEach(parameter -> pop(words(parameter)));
    replace(receiver, words(type.returnType()));
  }

  private void operator(OperatorInstruction operator) {
    int words = operator.typeKind().slotSize();
    switch (operator.opcode()) {
      case ARRAYLENGTH, INEG, LNEG, FNEG, DNEG -> {}
      case ISHL, LSHL, ISHR, LSHR, IUSHR, LUSHR -> pop(1);
      case LCMP, DCMPG, DCMPL -> replace(4, 1);
      default -> replace(2 * words, words); // as of FCMPG, whose words are 1
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
      default -> {
        if (stack != null && stack.size() > 1) {
          Collections.swap(stack, stack.size() - 1, stack.size() - 2);
        }
      }
    }
  }

  private void branch(BranchInstruction branch) {
    boolean isGoto = branch.opcode() == Opcode.GOTO || branch.opcode() == Opcode.GOTO_W;
    boolean comparesTwo =
        branch.opcode().bytecode() >= Opcode.IF_ICMPEQ.bytecode()
            && branch.opcode().bytecode() <= Opcode.IF_ACMPNE.bytecode();
    pop(isGoto ? 0 : comparesTwo ? 2 : 1);
    jump(branch.target());
    if (isGoto) {
      stack = null;
    }
  }

  private void choose(Label otherwise, List<SwitchCase> cases) {
    pop(1);
    jump(otherwise);
    cases.forEach(one -> jump(one.target()));
    stack = null;
  }
}
