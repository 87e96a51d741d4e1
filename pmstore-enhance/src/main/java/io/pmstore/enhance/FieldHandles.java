package io.pmstore.enhance;

import java.lang.classfile.Instruction;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.StringEntry;
import java.lang.classfile.instruction.ConstantInstruction.LoadConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Follows the code of one method, and finds which fields it names in calls that make method
 * handles, {@code VarHandle}s or updaters of fields. It sees class and name if both are constants
 * that the code pushes for the call.
 */
final class FieldHandles {
  /** A field, as such a call names it. */
  record Named(String owner, String field) {
    /** A field that only the running program knows. */
    static final Named UNKNOWN = new Named("", "");

    boolean isKnown() {
      return !field.isEmpty();
    }
  }

  private final List<Named> found = new ArrayList<>();
  // Pushed last, one after the other; null for the value of a static field, such as int.class.
  private final List<@Nullable LoadableConstantEntry> constants = new ArrayList<>();

  /** Returns what a call makes of a field, for messages; null for other calls. */
  static @Nullable String made(String owner, String method) {
    if (owner.startsWith("java/util/concurrent/atomic/Atomic")) {
      return owner.endsWith("FieldUpdater") && method.equals("newUpdater")
          ? "a field updater"
          : null;
    }
    return switch (owner.equals("java/lang/invoke/MethodHandles$Lookup") ? method : "") {
      case "findVarHandle" -> "a VarHandle";
      case "findGetter", "findSetter" -> "a method handle";
      default -> null;
    };
  }

  /** Follows the next instruction. */
  void follow(Instruction instruction) {
    switch (instruction) {
      case LoadConstantInstruction constant -> constants.add(constant.constantEntry());
      case FieldInstruction field when field.opcode() == Opcode.GETSTATIC -> constants.add(null);
      case InvokeInstruction call -> {
        if (made(call.owner().asInternalName(), call.name().stringValue()) != null) {
          found.add(named(call.typeSymbol().parameterCount()));
        }
        constants.clear();
      }
      default -> constants.clear();
    }
  }

  private Named named(int arguments) {
    Named named = Named.UNKNOWN;
    if (arguments > 0 && constants.size() >= arguments) {
      List<@Nullable LoadableConstantEntry> given =
          constants.subList(constants.size() - arguments, constants.size());
      for (LoadableConstantEntry argument : given) {
        if (argument instanceof StringEntry field
            && given.getFirst() instanceof ClassEntry owner
            && !owner.asInternalName().startsWith("[")) {
          named = new Named(owner.asInternalName(), field.stringValue());
        }
      }
    }
    return named;
  }

  /** Returns the fields that the calls name, one for each call, in the order of the code. */
  List<Named> found() {
    return List.copyOf(found);
  }
}
