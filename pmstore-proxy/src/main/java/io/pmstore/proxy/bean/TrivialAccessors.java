package io.pmstore.proxy.bean;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Recognizes accessors that only return or assign a field of their own class. */
final class TrivialAccessors {
  // In bytes. They take six; the rest is for NOPs, and longer methods need not be read.
  private static final int LENGTH_MAX = 32;

  private TrivialAccessors() {}

  /** Returns the field that a getter returns, or null if the method does anything else. */
  static @Nullable String fieldReturned(ClassModel owner, MethodModel getter) {
    List<Instruction> code = instructions(getter);
    return code.size() == 3
            && isThis(code.get(0))
            && code.get(1) instanceof FieldInstruction read
            && read.opcode() == Opcode.GETFIELD
            && isOwn(owner, read)
            && code.get(2) instanceof ReturnInstruction
        ? read.name().stringValue()
        : null;
  }

  /** Returns the field that a setter assigns, or null if the method does anything else. */
  static @Nullable String fieldAssigned(ClassModel owner, MethodModel setter) {
    List<Instruction> code = instructions(setter);
    return code.size() == 4
            && isThis(code.get(0))
            && code.get(1) instanceof LoadInstruction value
            && value.slot() == 1
            && code.get(2) instanceof FieldInstruction write
            && write.opcode() == Opcode.PUTFIELD
            && isOwn(owner, write)
            && code.get(3) instanceof ReturnInstruction
        ? write.name().stringValue()
        : null;
  }

  private static boolean isThis(Instruction instruction) {
    return instruction instanceof LoadInstruction load
        && load.slot() == 0
        && load.typeKind() == TypeKind.REFERENCE;
  }

  private static boolean isOwn(ClassModel owner, FieldInstruction access) {
    return access.owner().asInternalName().equals(owner.thisClass().asInternalName());
  }

  private static List<Instruction> instructions(MethodModel method) {
    CodeAttribute code = method.findAttribute(Attributes.code()).orElse(null);
    if (code == null || code.codeLength() > LENGTH_MAX) {
      return List.of();
    }
    List<Instruction> instructions = new ArrayList<>();
    for (CodeElement element : code) {
      if (element instanceof Instruction instruction && instruction.opcode() != Opcode.NOP) {
        instructions.add(instruction);
      }
    }
    return instructions;
  }
}
