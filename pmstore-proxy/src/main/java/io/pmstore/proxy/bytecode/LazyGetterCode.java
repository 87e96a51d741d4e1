package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.LazyGetter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;

/**
 * Adds to the copy of a getter that assigns its property: it returns what the store made of the
 * value that it assigned, not the plain collection, whose changes would be lost; and where nothing
 * can be written it returns the value without assigning it, a collection unmodifiable.
 *
 * <pre>{@code
 * static List getLines(Cart this) {
 *   int state = 0;
 *   List assigned = null;
 *   ...
 *     assigned = value;                               // lines = value
 *     state = pmstore$assign$lines(this, value);      // UNWRITTEN if nothing can be written
 *   ...
 *     pmstore$reread$lines(this, assigned, state)     // lines: what was assigned if UNWRITTEN
 *   ...
 *   return pmstore$result$lines(this, assigned, state, result);
 * }
 * }</pre>
 *
 * <p>The branches are in those static methods, so the stack maps of the getter only get two more
 * local variables.
 */
final class LazyGetterCode extends MethodVisitor {
  private static final int UNWRITTEN = Opcodes.ICONST_1;
  private static final int WRITTEN = Opcodes.ICONST_2;

  private final LazyGetter getter;
  private final CopiedCode copied;
  private final String field;
  private final Type type;
  private final int state;
  private final int assigned;

  LazyGetterCode(LazyGetter getter, CopiedCode copied, int locals, MethodVisitor to) {
    super(OpenedClassReader.ASM_API, to);
    this.getter = getter;
    this.copied = copied;
    this.field = getter.field().getName();
    this.type = Type.getType(getter.field().getType());
    this.state = locals;
    this.assigned = locals + 1;
  }

  @Override
  public void visitCode() {
    super.visitCode();
    mv.visitInsn(Opcodes.ICONST_0);
    mv.visitVarInsn(Opcodes.ISTORE, state);
    mv.visitInsn(
        switch (type.getSort()) {
          case Type.LONG -> Opcodes.LCONST_0;
          case Type.FLOAT -> Opcodes.FCONST_0;
          case Type.DOUBLE -> Opcodes.DCONST_0;
          case Type.ARRAY, Type.OBJECT -> Opcodes.ACONST_NULL;
          default -> Opcodes.ICONST_0;
        });
    mv.visitVarInsn(type.getOpcode(Opcodes.ISTORE), assigned);
  }

  @Override
  public void visitFrame(int kind, int locals, Object[] local, int depth, Object[] stack) {
    List<Object> all = new ArrayList<>(Arrays.asList(local).subList(0, locals));
    int slots = locals;
    for (Object one : all) {
      slots += Opcodes.LONG.equals(one) || Opcodes.DOUBLE.equals(one) ? 1 : 0;
    }
    all.addAll(Collections.nCopies(state - slots, Opcodes.TOP));
    all.add(Opcodes.INTEGER);
    all.add(
        switch (type.getSort()) {
          case Type.LONG -> Opcodes.LONG;
          case Type.FLOAT -> Opcodes.FLOAT;
          case Type.DOUBLE -> Opcodes.DOUBLE;
          case Type.ARRAY, Type.OBJECT -> type.getInternalName();
          default -> Opcodes.INTEGER;
        });
    super.visitFrame(kind, all.size(), all.toArray(), depth, stack);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String name, String descriptor, boolean isInterface) {
    boolean isOfField = opcode == Opcodes.INVOKESTATIC && owner.equals(copied.internalName());
    if (isOfField && name.equals(copied.writer(field))) {
      mv.visitInsn(type.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
      mv.visitVarInsn(type.getOpcode(Opcodes.ISTORE), assigned);
      if (getter.isOnlyInitial()) {
        Code.callStatic(mv, owner, "pmstore$assign$" + field, assign());
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        mv.visitInsn(WRITTEN);
      }
      mv.visitVarInsn(Opcodes.ISTORE, state);
    } else if (isOfField && name.equals(copied.reader(field)) && getter.isOnlyInitial()) {
      loadState();
      Code.callStatic(mv, owner, "pmstore$reread$" + field, reread());
    } else {
      super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
    }
  }

  private void loadState() {
    Code.load(mv, type, assigned);
    mv.visitVarInsn(Opcodes.ILOAD, state);
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode == Opcodes.ARETURN) { // the result is on the stack
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      loadState();
      Code.callStatic(mv, copied.internalName(), "pmstore$result$" + field, result());
    }
    super.visitInsn(opcode);
  }

  private String assign() {
    return copied.onObject("(" + type + ")I");
  }

  private String reread() {
    return copied.onObject("(" + type + "I)" + type);
  }

  private String result() {
    return "(" + type + copied.onObject("(" + type + "I)" + type).substring(1);
  }

  /** Emits the methods that the getter calls. */
  void helpers(ClassVisitor members) {
    ClassFrame.method(
        members, ClassFrame.HELPER, "pmstore$assign$" + field, assign(), this::assign);
    ClassFrame.method(
        members, ClassFrame.HELPER, "pmstore$reread$" + field, reread(), this::reread);
    if (type.getSort() >= Type.ARRAY) {
      ClassFrame.method(
          members, ClassFrame.HELPER, "pmstore$result$" + field, result(), this::result);
    }
  }

  private void assign(MethodVisitor code) {
    Label writable = new Label();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    Code.callStatic(code, CodeCopier.PERSISTENT, "isReadOnly", "(Ljava/lang/Object;)Z");
    code.visitJumpInsn(Opcodes.IFEQ, writable);
    code.visitInsn(UNWRITTEN);
    code.visitInsn(Opcodes.IRETURN);
    Code.target(code, writable);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    Code.load(code, type, 1);
    String descriptor = copied.onObject("(" + type + ")V");
    Code.callStatic(code, copied.internalName(), copied.writer(field), descriptor);
    code.visitInsn(WRITTEN);
    code.visitInsn(Opcodes.IRETURN);
  }

  /** Emits the method that takes the object, the assigned value and the state. */
  private void reread(MethodVisitor code) {
    Label read = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 1 + type.getSize());
    code.visitInsn(UNWRITTEN);
    code.visitJumpInsn(Opcodes.IF_ICMPNE, read);
    Code.load(code, type, 1);
    Code.returns(code, type);
    Code.target(code, read);
    read(code, 0);
  }

  private void read(MethodVisitor code, int object) {
    code.visitVarInsn(Opcodes.ALOAD, object);
    String descriptor = copied.onObject("()" + type);
    Code.callStatic(code, copied.internalName(), copied.reader(field), descriptor);
    Code.returns(code, type);
  }

  /** Emits the method that takes the result, the object, the assigned value and the state. */
  private void result(MethodVisitor code) {
    Label asItIs = new Label();
    Label written = new Label();
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitJumpInsn(Opcodes.IFEQ, asItIs);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitVarInsn(Opcodes.ALOAD, 2);
    code.visitJumpInsn(Opcodes.IF_ACMPNE, asItIs);
    code.visitVarInsn(Opcodes.ILOAD, 3);
    code.visitInsn(UNWRITTEN);
    code.visitJumpInsn(Opcodes.IF_ICMPNE, written);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    if (getter.isOfCollection()) {
      code.visitMethodInsn(
          Opcodes.INVOKESTATIC,
          Type.getInternalName(Collections.class),
          "unmodifiable" + getter.field().getType().getSimpleName(),
          "(" + type + ")" + type,
          false);
    }
    code.visitInsn(Opcodes.ARETURN);
    Code.target(code, written);
    read(code, 1);
    Code.target(code, asItIs);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitInsn(Opcodes.ARETURN);
  }
}
