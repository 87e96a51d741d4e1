package io.pmstore.proxy.bean;

import io.pmstore.spi.EnhancedArrays;
import io.pmstore.spi.EnhancedCollection;
import io.pmstore.spi.EnhancedObject;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a class file what the enhancer has put into it: the members that it has added, and
 * the calls that stand for uses of fields and elements.
 *
 * <p>A JVM that makes its first persistent object runs this while its code is cold. So it uses the
 * library that generates classes, which is loaded by then.
 */
final class OriginalCode extends ClassVisitor {
  private static final String ARRAYS = Type.getInternalName(EnhancedArrays.class);

  private String superclass = "java/lang/Object";

  private OriginalCode(ClassVisitor to) {
    super(OpenedClassReader.ASM_API, to);
  }

  /**
   * Returns a class file as the compiler made it, but without stack maps: nobody runs it.
   *
   * @param enhanced a class file that the enhancer has changed
   */
  static byte[] of(byte[] enhanced) {
    ClassWriter writer = new ClassWriter(0);
    OpenedClassReader.of(enhanced).accept(new OriginalCode(writer), ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String generic,
      @Nullable String superName,
      String @Nullable [] interfaces) {
    if (superName != null) {
      superclass = superName;
    }
    super.visit(version, access, name, generic, superName, interfaces);
  }

  @Override
  public @Nullable FieldVisitor visitField(
      int access,
      String name,
      String descriptor,
      @Nullable String generic,
      @Nullable Object value) {
    return name.equals(EnhancedObject.HANDLE)
        ? null
        : super.visitField(access, name, descriptor, generic, value);
  }

  @Override
  public @Nullable MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String generic,
      String @Nullable [] exceptions) {
    if (name.startsWith(Enhancement.MEMBER)) {
      return null;
    }
    MethodVisitor to = super.visitMethod(access, name, descriptor, generic, exceptions);
    return to == null ? null : new Body(to);
  }

  private final class Body extends MethodVisitor {
    Body(MethodVisitor to) {
      super(OpenedClassReader.ASM_API, to);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String descriptor, boolean isInterface) {
      if (name.startsWith(EnhancedCollection.SUPER)) {
        super.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass, member(name), descriptor, false);
      } else if (name.startsWith(EnhancedObject.GET)) {
        String type = Type.getReturnType(descriptor).getDescriptor();
        super.visitFieldInsn(Opcodes.GETFIELD, owner, member(name), type);
      } else if (name.startsWith(EnhancedObject.PUT)) {
        String type = Type.getArgumentTypes(descriptor)[0].getDescriptor();
        super.visitFieldInsn(Opcodes.PUTFIELD, owner, member(name), type);
      } else if (owner.equals(ARRAYS)) {
        ofArray(name, descriptor);
      } else {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
      }
    }

    private void ofArray(String name, String descriptor) {
      switch (name) {
        case "set" -> {
          Type[] types = Type.getArgumentTypes(descriptor);
          boolean isArray = types[0].getSort() == Type.ARRAY;
          super.visitInsn(isArray ? types[2].getOpcode(Opcodes.IASTORE) : Opcodes.BASTORE);
        }
        case "asList" ->
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC, "java/util/Arrays", name, descriptor, false);
        case "read" -> { // leaves the array, and not the object and the key
          super.visitInsn(Opcodes.POP);
          super.visitInsn(Opcodes.SWAP);
          super.visitInsn(Opcodes.POP);
        }
        case "before" -> {} // leaves an object for the other
        case "after" -> super.visitInsn(Opcodes.POP2);
        default -> throw new IllegalStateException("no hook: " + name);
      }
    }

    private static String member(String hook) {
      return hook.substring(hook.lastIndexOf(':') + 1);
    }
  }
}
