package io.pmstore.enhance;

import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Emits the beginning of a method that may write, as {@code EnhancedMethod} shows it. */
final class TransactionPrologue {
  private static final String OBJECT = "java/lang/Object";

  private TransactionPrologue() {}

  static void emit(MethodVisitor code, String method, String descriptor) {
    Label body = new Label();
    code.visitLdcInsn(Spi.method(method, descriptor));
    code.visitVarInsn(Opcodes.ALOAD, 0);
    call(code, "startsTransaction", "(L" + Spi.ENHANCED + ";)Z");
    code.visitJumpInsn(Opcodes.IFEQ, body);
    code.visitLdcInsn(Spi.method(method, descriptor));
    code.visitVarInsn(Opcodes.ALOAD, 0);
    arguments(code, Type.getArgumentTypes(descriptor));
    call(code, "run", "(L" + Spi.ENHANCED + ";[Ljava/lang/Object;)Ljava/lang/Object;");
    returns(code, Type.getReturnType(descriptor));
    code.visitLabel(body);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitInsn(Opcodes.NOP); // the code may begin with a frame of its own
  }

  private static void call(MethodVisitor code, String name, String descriptor) {
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, Spi.METHOD, name, descriptor, false);
  }

  private static void arguments(MethodVisitor code, Type[] types) {
    code.visitIntInsn(Opcodes.SIPUSH, types.length);
    code.visitTypeInsn(Opcodes.ANEWARRAY, OBJECT);
    int slot = 1;
    for (int i = 0; i < types.length; i++) {
      code.visitInsn(Opcodes.DUP);
      code.visitIntInsn(Opcodes.SIPUSH, i);
      code.visitVarInsn(types[i].getOpcode(Opcodes.ILOAD), slot);
      slot += types[i].getSize();
      if (types[i].getSort() < Type.ARRAY) {
        String box = box(types[i]);
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            box,
            "valueOf",
            "(" + types[i].getDescriptor() + ")L" + box + ";",
            false);
      }
      code.visitInsn(Opcodes.AASTORE);
    }
  }

  private static void returns(MethodVisitor code, Type result) {
    if (result.getSort() == Type.VOID) {
      code.visitInsn(Opcodes.POP);
    } else if (result.getSort() < Type.ARRAY) {
      String box = box(result);
      code.visitTypeInsn(Opcodes.CHECKCAST, box);
      code.visitMethodInsn(
          Opcodes.INVOKEVIRTUAL,
          box,
          result.getClassName() + "Value",
          "()" + result.getDescriptor(),
          false);
    } else if (!result.getInternalName().equals(OBJECT)) {
      code.visitTypeInsn(Opcodes.CHECKCAST, result.getInternalName());
    }
    code.visitInsn(result.getOpcode(Opcodes.IRETURN));
  }

  private static String box(Type primitive) {
    return switch (primitive.getSort()) {
      case Type.INT -> "java/lang/Integer";
      case Type.CHAR -> "java/lang/Character";
      default -> {
        String name = primitive.getClassName();
        yield "java/lang/" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
      }
    };
  }
}
