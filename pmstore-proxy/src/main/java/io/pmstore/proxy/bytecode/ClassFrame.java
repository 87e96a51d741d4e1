package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import java.lang.classfile.Attributes;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * A generated class or interface, as Byte Buddy's class writer builds it.
 *
 * <p>This is the lowest layer of Byte Buddy. Its builders of types, {@code new
 * ByteBuddy().subclass(...)}, load 500 classes before they make the first one: generating a
 * program's first persistent class took more than twice as long with them.
 */
final class ClassFrame {
  /** The version of the generated class files. */
  static final int VERSION = Opcodes.V25;

  /** The flags of a static method that copied code calls. */
  static final int HELPER = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;

  private final ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);

  /**
   * Begins a class. {@code name} is as class files spell it, {@code signature} may be null; {@code
   * of} is the class whose source file it names, or null.
   */
  ClassFrame(
      int flags,
      String name,
      @Nullable String signature,
      Class<?> superclass,
      List<String> interfaces,
      @Nullable ClassCode of) {
    writer.visit(
        VERSION,
        flags | Opcodes.ACC_SYNTHETIC,
        name,
        signature,
        Type.getInternalName(superclass),
        interfaces.toArray(String[]::new));
    if (of != null) {
      of.model()
          .findAttribute(Attributes.sourceFile())
          .ifPresent(file -> writer.visitSource(file.sourceFile().stringValue(), null));
    }
  }

  /** Takes members that are copied. */
  ClassVisitor members() {
    return writer;
  }

  /** Adds a field. */
  void field(int flags, String name, String descriptor) {
    writer.visitField(flags, name, descriptor, null, null).visitEnd();
  }

  /** Adds a method without code. */
  void abstractMethod(int flags, String name, String descriptor) {
    writer.visitMethod(flags | Opcodes.ACC_ABSTRACT, name, descriptor, null, null).visitEnd();
  }

  /** Adds a method. */
  void method(int flags, String name, String descriptor, Consumer<MethodVisitor> body) {
    method(writer, flags, name, descriptor, body);
  }

  /** Adds a method to a class visitor. */
  static void method(
      ClassVisitor to, int flags, String name, String descriptor, Consumer<MethodVisitor> body) {
    code(to.visitMethod(flags, name, descriptor, null, null), body);
  }

  /** Writes the code of a method and ends it. */
  static void code(MethodVisitor method, Consumer<MethodVisitor> body) {
    method.visitCode();
    body.accept(method);
    method.visitMaxs(0, 0); // computed by the writer
    method.visitEnd();
  }

  byte[] bytes() {
    writer.visitEnd();
    return writer.toByteArray();
  }
}
