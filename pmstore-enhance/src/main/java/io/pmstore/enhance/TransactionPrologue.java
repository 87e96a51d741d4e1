package io.pmstore.enhance;

import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** Emits the beginning of a method that may write, as {@code EnhancedMethod} shows it. */
final class TransactionPrologue {
  private static final String OBJECT = "java/lang/Object";

  private TransactionPrologue() {}

  static void emit(MethodCode code, String method, String descriptor) {
    Label body = new Label();
    code.visitLdcInsn(Spi.method(method, descriptor));
    code.loadThis();
    call(code, "startsTransaction", "(L" + Spi.ENHANCED + ";)Z");
    code.visitJumpInsn(Opcodes.IFEQ, body);
    code.visitLdcInsn(Spi.method(method, descriptor));
    code.loadThis();
    arguments(code, Type.getArgumentTypes(descriptor));
    call(code, "run", "(L" + Spi.ENHANCED + ";[Ljava/lang/Object;)Ljava/lang/Object;");
    returns(code, Type.getReturnType(descriptor));
    code.target(body);
    code.visitInsn(Opcodes.NOP); // the code may begin with a frame of its own
  }

  private static void call(MethodCode code, String name, String descriptor) {
    code.invokeVirtual(Spi.METHOD, name, descriptor);
  }

  private static void arguments(MethodCode code, Type[] types) {
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
        code.invokeStatic(box, "valueOf", "(" + types[i].getDescriptor() + ")L" + box + ";");
      }
      code.visitInsn(Opcodes.AASTORE);
    }
  }

  private static void returns(MethodCode code, Type result) {
    if (result.getSort() == Type.VOID) {
      code.visitInsn(Opcodes.POP);
    } else if (result.getSort() < Type.ARRAY) {
      String box = box(result);
      code.visitTypeInsn(Opcodes.CHECKCAST, box);
      code.invokeVirtual(box, result.getClassName() + "Value", "()" + result.getDescriptor());
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
