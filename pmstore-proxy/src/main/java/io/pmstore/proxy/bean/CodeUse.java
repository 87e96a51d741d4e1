package io.pmstore.proxy.bean;

import io.pmstore.spi.ReceiverStack;
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
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One place in a method's code that names a member or a class. */
sealed interface CodeUse {
  /** Returns the line in the source file; 0 if unknown. */
  int line();

  /** Returns the class that is named. */
  String owner();

  /**
   * An instance field is read or written. Where receivers are followed, {@code onThis} and {@code
   * onMade} are known: the receiver is the method's own object, or one that the method has made,
   * which is plain.
   */
  record OfField(int line, String owner, String name, boolean reads, boolean onThis, boolean onMade)
      implements CodeUse {}

  /**
   * A method is called; its name is followed by its descriptor. {@code onThis} is as for fields.
   * The call passes plain objects only if its receiver and all its arguments are known to be plain.
   */
  record Call(
      int line, String owner, String method, boolean isSpecial, boolean onThis, boolean passesPlain)
      implements CodeUse {}

  /** A method is named by a lambda or a method reference. */
  record Handle(int line, String owner, String method) implements CodeUse {}

  /** A class is named in another way. */
  record OfType(int line, String owner) implements CodeUse {}

  /**
   * Lists what a method uses, in the order of its code. Follows the receivers of a static method or
   * constructor; instance methods are copied anyway.
   */
  static List<CodeUse> of(MethodModel method) {
    boolean isCopied =
        !method.flags().has(AccessFlag.STATIC) && !method.methodName().equalsString("<init>");
    return of(method, isCopied ? null : field -> false);
  }

  /** Does the same, and follows the receivers. */
  static List<CodeUse> withReceivers(MethodModel method) {
    return of(method, field -> false);
  }

  /**
   * Does the same. {@code isMade} returns true for a field that only ever holds new objects; null
   * does not follow the receivers.
   */
  static List<CodeUse> of(MethodModel method, @Nullable Predicate<FieldInstruction> isMade) {
    List<CodeUse> uses = new ArrayList<>();
    CodeModel code = method.code().orElse(null);
    if (code == null) {
      return uses;
    }
    if (isMade == null) {
      collect(code, null, uses);
      return uses;
    }
    boolean hasThis = !method.flags().has(AccessFlag.STATIC);
    ReceiverStack receivers = new ReceiverStack(code, hasThis, isMade);
    collect(code, receivers, uses);
    while (!receivers.isSettled()) {
      uses.clear();
      receivers.restart();
      collect(code, receivers, uses);
    }
    return uses;
  }

  private static void collect(
      CodeModel code, @Nullable ReceiverStack receivers, List<CodeUse> uses) {
    int line = 0;
    for (CodeElement element : code) {
      switch (element) {
        case LineNumber number -> line = number.line();
        case FieldInstruction field -> {
          String owner = ClassFiles.name(field.owner());
          if (field.opcode() == Opcode.GETFIELD || field.opcode() == Opcode.PUTFIELD) {
            byte on = receivers == null ? ReceiverStack.UNKNOWN : receivers.receiver(field);
            boolean reads = field.opcode() == Opcode.GETFIELD;
            uses.add(
                new OfField(
                    line,
                    owner,
                    field.name().stringValue(),
                    reads,
                    on == ReceiverStack.THIS,
                    on == ReceiverStack.MADE));
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
                        && receivers.receiver(call) == ReceiverStack.THIS,
                    receivers != null
                        && receivers.passesPlain(call)
                        && (call.opcode() == Opcode.INVOKESTATIC
                            || receivers.receiver(call) != ReceiverStack.UNKNOWN)));
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
