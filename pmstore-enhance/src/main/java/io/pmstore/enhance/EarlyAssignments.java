package io.pmstore.enhance;

import io.pmstore.spi.ReceiverStack;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.HashSet;
import java.util.Set;

/**
 * Finds the assignments by which a constructor assigns fields of {@code this} before it calls
 * another constructor.
 */
final class EarlyAssignments {
  private EarlyAssignments() {}

  /** Returns the assignments, each as the number of instructions before it that assign a field. */
  static Set<Integer> in(CodeModel constructor) {
    Set<Integer> found = new HashSet<>();
    ReceiverStack receivers = new ReceiverStack(constructor, true, _ -> false);
    do {
      receivers.restart();
      found.clear();
      int assignments = 0; // of any fields
      for (CodeElement element : constructor) {
        if (element instanceof InvokeInstruction call
            && call.name().equalsString("<init>")
            && receivers.receiver(call) == ReceiverStack.THIS) {
          break; // the other constructor
        }
        if (element instanceof FieldInstruction field && field.opcode() == Opcode.PUTFIELD) {
          if (receivers.receiver(field) == ReceiverStack.THIS) {
            found.add(assignments);
          }
          assignments++;
        }
        receivers.accept(element);
      }
    } while (!receivers.isSettled());
    return Set.copyOf(found);
  }
}
