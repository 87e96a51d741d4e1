package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.MethodFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * The functions of one class that are references to methods which may store elements into arrays,
 * such as {@code Arrays::sort}. Each becomes a reference to a method that the enhancer adds to the
 * class, and that makes the call.
 */
final class ArrayCalls {
  private static final String NAME = "pmstore$call$";

  private final List<Handle> called = new ArrayList<>();

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

  /** Returns a handle of a method of the class that calls what another handle calls. */
  Handle through(Handle handle, ClassFacts in) {
    if (!called.contains(handle)) {
      called.add(handle);
    }
    boolean isInterface = (in.access() & Opcodes.ACC_INTERFACE) != 0;
    return new Handle(
        Opcodes.H_INVOKESTATIC,
        in.name(),
        NAME + called.indexOf(handle),
        descriptor(handle),
        isInterface);
  }

  /** Emits the methods. */
  void emit(ClassVisitor to, Rewriting of) {
    for (int i = 0; i < called.size(); i++) {
      emit(NAME + i, called.get(i), to, of);
    }
  }

  private static void emit(String name, Handle handle, ClassVisitor to, Rewriting of) {
    String descriptor = descriptor(handle);
    MethodVisitor plain =
        to.visitMethod(
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC,
            name,
            descriptor,
            null,
            null);
    int locals = 0;
    plain.visitCode();
    for (Type type : Type.getArgumentTypes(descriptor)) {
      plain.visitVarInsn(type.getOpcode(Opcodes.ILOAD), locals);
      locals += type.getSize();
    }
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
    plain.visitMaxs(0, 0); // computed by the writer
    plain.visitEnd();
  }

  private static String descriptor(Handle handle) {
    List<Type> operands = JdkCalls.operands(opcode(handle), handle.getOwner(), handle.getDesc());
    return Type.getMethodDescriptor(
        Type.getReturnType(handle.getDesc()), operands.toArray(Type[]::new));
  }
}
