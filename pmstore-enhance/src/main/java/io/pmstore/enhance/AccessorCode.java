package io.pmstore.enhance;

import io.pmstore.enhance.ClassFacts.FieldFacts;
import io.pmstore.enhance.Universe.KeptField;
import io.pmstore.spi.EnhancedObject;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Emits the two accessor methods of a persistent field. A class also has them for inherited fields,
 * because these have other offsets in its objects.
 *
 * <pre>{@code
 * long pmstore$get:shop:Order:price() {
 *   ObjectHandle handle = pmstore$handle;
 *   if (handle == null) {
 *     return price;                              // of an inherited field: the superclass's method
 *   }
 *   long value = handle.getLong(OFFSET);         // a constant that is resolved at the first use
 *   Reference.reachabilityFence(this);
 *   return value;
 * }
 * }</pre>
 */
final class AccessorCode {
  private static final Map<Character, String> PRIMITIVES =
      Map.of(
          'Z', "Boolean", 'B', "Byte", 'S', "Short", 'C', "Char", 'I', "Int", 'J', "Long", 'F',
          "Float", 'D', "Double");
  private static final String OBJECT = "java/lang/Object";

  private static final String AS = "pmstore$as:";

  private final ClassVisitor to;
  private final Universe universe;
  private final ClassFacts in;
  private final KeptField kept;
  private final FieldFacts field;
  private final Type type;
  private final String member;

  AccessorCode(ClassVisitor to, Universe universe, ClassFacts in, KeptField kept) {
    this.to = to;
    this.universe = universe;
    this.in = in;
    this.kept = kept;
    this.field = kept.field();
    this.type = Type.getType(field.descriptor());
    this.member = EnhancedObject.member(kept.owner().name(), field.name());
  }

  void emit() {
    getter();
    if (isOwn() && isHidden()) {
      conversion();
    }
    if (!AccessRewriter.isFinal(kept)) {
      setter();
    }
  }

  private int flags() {
    int access = field.access() & Opcodes.ACC_PUBLIC;
    return (access == 0 ? Opcodes.ACC_PROTECTED : access) | Opcodes.ACC_SYNTHETIC;
  }

  /** Returns true if classes of other packages cannot name the field's type. */
  private boolean isHidden() {
    Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
    ClassFacts facts =
        element.getSort() == Type.OBJECT && !element.getInternalName().startsWith("java/")
            ? universe.facts(element.getInternalName())
            : null;
    return facts != null && (facts.access() & Opcodes.ACC_PUBLIC) == 0;
  }

  private boolean isOwn() {
    return kept.owner().name().equals(in.name());
  }

  private void getter() {
    String descriptor = "()" + field.descriptor();
    MethodCode code = MethodCode.begin(to, flags(), EnhancedObject.GET + member, descriptor);
    Label persistent = loadHandle(code, 1);
    if (isOwn()) {
      code.loadThis();
      code.visitFieldInsn(Opcodes.GETFIELD, in.name(), field.name(), field.descriptor());
    } else {
      code.loadThis();
      code.invokeSuper(in, EnhancedObject.GET + member, descriptor);
    }
    code.visitInsn(type.getOpcode(Opcodes.IRETURN));
    code.targetWith(persistent, Spi.OBJECT_HANDLE);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitLdcInsn(Spi.offset(kept.owner().name(), field.name()));
    String primitive = PRIMITIVES.get(field.descriptor().charAt(0));
    if (primitive != null) {
      ofHandle(code, "get" + primitive, "(I)" + field.descriptor());
    } else {
      code.visitLdcInsn(Spi.property(kept.owner().name(), field.name()));
      ofHandle(code, "getObject", "(II)Ljava/lang/Object;");
      if (isOwn() || !isHidden()) {
        cast(code, false);
      } else {
        code.visitVarInsn(Opcodes.ALOAD, 1);
        code.visitLdcInsn(Spi.property(kept.owner().name(), field.name()));
        code.visitMethodInsn(
            Opcodes.INVOKESTATIC, in.superName(), AS + member, conversionType(), false);
      }
    }
    fence(code);
    code.visitInsn(type.getOpcode(Opcodes.IRETURN));
    code.end();
  }

  /**
   * Emits the cast of a value; one that is no instance is null, a collection to show, or damage.
   */
  private void cast(MethodCode code, boolean codeIsLoaded) {
    if (type.getInternalName().equals(OBJECT)) {
      return;
    }
    Label fits = new Label();
    code.visitInsn(Opcodes.DUP);
    code.visitTypeInsn(Opcodes.INSTANCEOF, type.getInternalName());
    code.visitJumpInsn(Opcodes.IFNE, fits);
    code.visitVarInsn(Opcodes.ALOAD, 1); // the handle
    code.visitInsn(Opcodes.SWAP);
    if (codeIsLoaded) {
      code.visitVarInsn(Opcodes.ILOAD, 2);
    } else {
      code.visitLdcInsn(Spi.property(kept.owner().name(), field.name()));
    }
    code.visitLdcInsn(type);
    ofHandle(code, "fitting", "(Ljava/lang/Object;ILjava/lang/Class;)Ljava/lang/Object;");
    code.visitLabel(fits);
    code.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {OBJECT});
    code.visitTypeInsn(Opcodes.CHECKCAST, type.getInternalName());
  }

  private String conversionType() {
    return "(Ljava/lang/Object;" + Spi.OBJECT_HANDLE_TYPE + "I)" + field.descriptor();
  }

  /** Emits the cast as a method, for classes that extend this one in other packages. */
  private void conversion() {
    MethodCode code =
        MethodCode.begin(
            to, Opcodes.ACC_PROTECTED | Opcodes.ACC_STATIC, AS + member, conversionType());
    code.loadThis();
    cast(code, true);
    code.visitInsn(Opcodes.ARETURN);
    code.end();
  }

  private void setter() {
    String descriptor = "(" + field.descriptor() + ")V";
    MethodCode code = MethodCode.begin(to, flags(), EnhancedObject.PUT + member, descriptor);
    int slot = 1 + type.getSize();
    Label persistent = loadHandle(code, slot);
    code.loadThis();
    code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), 1);
    if (isOwn()) {
      code.visitFieldInsn(Opcodes.PUTFIELD, in.name(), field.name(), field.descriptor());
    } else {
      code.invokeSuper(in, EnhancedObject.PUT + member, descriptor);
    }
    code.visitInsn(Opcodes.RETURN);
    code.targetWith(persistent, Spi.OBJECT_HANDLE);
    code.visitVarInsn(Opcodes.ALOAD, slot);
    code.visitLdcInsn(Spi.offset(kept.owner().name(), field.name()));
    String primitive = PRIMITIVES.get(field.descriptor().charAt(0));
    if (primitive == null) {
      code.visitLdcInsn(Spi.property(kept.owner().name(), field.name()));
    }
    code.visitVarInsn(type.getOpcode(Opcodes.ILOAD), 1);
    if (primitive != null) {
      ofHandle(code, "put" + primitive, "(I" + field.descriptor() + ")V");
    } else {
      ofHandle(code, "putObject", "(IILjava/lang/Object;)V");
      if (field.isArray() || type.getInternalName().equals(OBJECT)) {
        written(code);
      }
    }
    fence(code);
    code.visitInsn(Opcodes.RETURN);
    code.end();
  }

  /** Emits a note that the object has the array that the program has. */
  private void written(MethodCode code) {
    code.loadThis();
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitLdcInsn(Spi.offset(kept.owner().name(), field.name()));
    code.visitLdcInsn(Spi.property(kept.owner().name(), field.name()));
    code.invokeStatic(Spi.ARRAYS, "written", "(L" + Spi.ENHANCED + ";Ljava/lang/Object;II)V");
  }

  /** Loads the handle into a variable, and jumps if there is one. */
  private Label loadHandle(MethodCode code, int slot) {
    Label persistent = new Label();
    code.loadThis();
    code.visitFieldInsn(Opcodes.GETFIELD, in.name(), Spi.HANDLE, Spi.OBJECT_HANDLE_TYPE);
    code.visitVarInsn(Opcodes.ASTORE, slot);
    code.visitVarInsn(Opcodes.ALOAD, slot);
    code.visitJumpInsn(Opcodes.IFNONNULL, persistent);
    return persistent;
  }

  private static void ofHandle(MethodCode code, String name, String descriptor) {
    code.invokeVirtual(Spi.OBJECT_HANDLE, name, descriptor);
  }

  /** Keeps the object reachable: its place in the heap must stay its own until it has been used. */
  private static void fence(MethodCode code) {
    code.loadThis();
    code.invokeStatic("java/lang/ref/Reference", "reachabilityFence", "(Ljava/lang/Object;)V");
  }
}
