package io.pmstore.proxy.bean;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Looks into the canonical constructor of a record. */
final class CanonicalConstructor {
  private CanonicalConstructor() {}

  /**
   * Returns true if the constructor assigns each component its argument, and no argument changes
   * before. It may check them. False if it normalises one, or if that cannot be told.
   */
  static boolean keepsArguments(ClassModel model) {
    Map<String, Integer> slots = new HashMap<>();
    StringBuilder key = new StringBuilder("<init>(");
    int end = 1;
    for (RecordComponentInfo component :
        model.findAttribute(Attributes.record()).orElseThrow().components()) {
      slots.put(component.name().stringValue(), end);
      key.append(component.descriptor().stringValue());
      end += TypeKind.from(component.descriptorSymbol()).slotSize();
    }
    MethodModel constructor = ClassCode.find(model, key.append(")V").toString());
    return constructor != null && keepsArguments(constructor, slots, end);
  }

  private static boolean keepsArguments(MethodModel method, Map<String, Integer> slots, int end) {
    List<Instruction> code =
        method.code().stream()
            .flatMap(c -> c.elementStream())
            .filter(Instruction.class::isInstance)
            .map(Instruction.class::cast)
            .toList();
    for (int i = 0; i < code.size(); i++) {
      boolean keeps =
          switch (code.get(i)) {
            case StoreInstruction store -> store.slot() >= end;
            case IncrementInstruction increment -> increment.slot() >= end;
            case FieldInstruction field when field.opcode() == Opcode.PUTFIELD ->
                i > 0
                    && code.get(i - 1) instanceof LoadInstruction load
                    && Integer.valueOf(load.slot()).equals(slots.get(field.name().stringValue()));
            default -> true;
          };
      if (!keeps) {
        return false;
      }
    }
    return true;
  }
}
