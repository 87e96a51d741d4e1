package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.MethodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * The functions of one class that are references to methods which may store elements into arrays,
 * such as {@code Arrays::sort}. Each becomes a reference to a method that the enhancer adds to the
 * class, and that makes the call.
 */
final class ArrayCalls {
  private static final String NAME = "pmstore$call$";

  /** A method that functions call, and the types of what it takes: the receiver and arguments. */
  private record Call(Handle method, List<Type> operands) {
    String descriptor() {
      return Type.getMethodDescriptor(
          Type.getReturnType(method.getDesc()), operands.toArray(Type[]::new));
    }
  }

  private final List<Call> called = new ArrayList<>();

  /** Returns true if a method handle may store elements into its arguments. */
  static boolean isStore(Handle handle) {
    int opcode = opcode(handle);
    return opcode != Opcodes.NOP
        && (JdkCalls.isListOfArray(handle.getOwner(), handle.getName())
            || !JdkCalls.arraysStoredInto(
                    opcode, handle.getOwner(), handle.getName(), handle.getDesc())
                .isEmpty());
  }

  private static int opcode(Handle handle) {
    return switch (handle.getTag()) {
      case Opcodes.H_INVOKESTATIC -> Opcodes.INVOKESTATIC;
      case Opcodes.H_INVOKEVIRTUAL -> Opcodes.INVOKEVIRTUAL;
      case Opcodes.H_INVOKEINTERFACE -> Opcodes.INVOKEINTERFACE;
      default -> Opcodes.NOP; // of a constructor, or of the class's own
    };
  }

  /**
   * Returns a handle of a method of the class that calls what another handle calls.
   *
   * @param function the type of the dynamic call that makes the function. If the function has a
   *     receiver, as {@code repository::save} has, it takes that, whose class can be a subclass of
   *     the one that declares the method
   */
  Handle through(Handle handle, String function, ClassFacts in) {
    List<Type> operands = JdkCalls.operands(opcode(handle), handle.getOwner(), handle.getDesc());
    Type[] captured = Type.getArgumentTypes(function);
    if (handle.getTag() != Opcodes.H_INVOKESTATIC && captured.length > 0) {
      operands.set(0, captured[0]); // a static method must take exactly what the function captures
    }
    Call call = new Call(handle, operands);
    if (!called.contains(call)) {
      called.add(call);
    }
    boolean isInterface = (in.access() & Opcodes.ACC_INTERFACE) != 0;
    return new Handle(
        Opcodes.H_INVOKESTATIC,
        in.name(),
        NAME + called.indexOf(call),
        call.descriptor(),
        isInterface);
  }

  /** Emits the methods. */
  void emit(ClassVisitor to, Rewriting of) {
    for (int i = 0; i < called.size(); i++) {
      emit(NAME + i, called.get(i), to, of);
    }
  }

  private static void emit(String name, Call call, ClassVisitor to, Rewriting of) {
    Handle handle = call.method();
    String descriptor = call.descriptor();
    MethodCode plain =
        MethodCode.begin(to, Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC, name, descriptor);
    plain.load(0, Type.getArgumentTypes(descriptor));
    int locals = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - 1; // there is no receiver
    MethodFacts facts =
        new MethodFacts(Opcodes.ACC_STATIC, false, locals, List.of(), Set.of(), false, Set.of());
    new AccessRewriter(plain, of, name, descriptor, facts)
        .visitMethodInsn(
            opcode(handle),
            handle.getOwner(),
            handle.getName(),
            handle.getDesc(),
            handle.isInterface());
    plain.visitInsn(Type.getReturnType(descriptor).getOpcode(Opcodes.IRETURN));
    plain.end();
  }
}
