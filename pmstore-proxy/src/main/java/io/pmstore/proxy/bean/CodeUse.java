package io.pmstore.proxy.bean;

import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.MethodHandleEntry;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.TypeCheckInstruction;
import java.util.ArrayList;
import java.util.List;

/** One place in a method's code that names a member or a class. */
sealed interface CodeUse {
  /** Where it is in the source file; 0 if unknown. */
  int line();

  /** The class that is named. */
  String owner();

  /** An instance field is read or written; onThis is known in constructors only. */
  record OfField(int line, String owner, String name, boolean reads, boolean onThis)
      implements CodeUse {}

  /** A method is called; its name is followed by its descriptor. */
  record Call(int line, String owner, String method, boolean isSpecial, boolean onThis)
      implements CodeUse {}

  /** A method is named by a lambda or a method reference. */
  record Handle(int line, String owner, String method) implements CodeUse {}

  /** A class is named otherwise. */
  record OfType(int line, String owner) implements CodeUse {}

  /** Lists what a method uses, in the order of its code. */
  static List<CodeUse> of(MethodModel method) {
    List<CodeUse> uses = new ArrayList<>();
    method.code().ifPresent(code -> collect(method, code, uses));
    return uses;
  }

  private static void collect(MethodModel method, CodeModel code, List<CodeUse> uses) {
    ReceiverStack receivers =
        method.methodName().equalsString("<init>") ? new ReceiverStack(code) : null;
    int line = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case FieldInstruction field -> {
          String owner = ClassFiles.name(field.owner());
          if (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD) {
            boolean onThis = receivers != null && receivers.isReceiverThis(field);
            boolean reads = field.opcode() == Opcode.GETFIELD;
            uses.add(new OfField(line, owner, field.name().stringValue(), reads, onThis));
          } else {
            uses.add(new OfType(line, owner));
          }
        }
        case InvokeInstruction call ->
            uses.add(
                new Call(
                    line,
                    ClassFiles.name(call.owner()),
                    call.name().stringValue() + call.type().stringValue(),
                    call.opcode() == Opcode.INVOKESPECIAL,
                    receivers != null
                        && call.opcode() != Opcode.INVOKESTATIC
                        && receivers.isReceiverThis(call)));
        case InvokeDynamicInstruction dynamic -> {
          for (LoadableConstantEntry argument : dynamic.invokedynamic().bootstrap().arguments()) {
            if (argument instanceof MethodHandleEntry handle) {
              MemberRefEntry member = handle.reference();
              String name = member.name().stringValue() + member.type().stringValue();
              uses.add(new Handle(line, ClassFiles.name(member.owner()), name));
            }
          }
        }
        case NewObjectInstruction made ->
            uses.add(new OfType(line, ClassFiles.name(made.className())));
        case TypeCheckInstruction check ->
            uses.add(new OfType(line, ClassFiles.name(check.type())));
        default -> {}
      }
      if (receivers != null) {
        receivers.accept(element);
      }
    }
  }
}
