package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.ClassFiles;
import io.pmstore.proxy.bean.LazyGetter;
import io.pmstore.spi.PrivateMembers;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.reflect.AccessFlag;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/** Generates the interface with the copied code of a class, and the copies of its local classes. */
final class CopiedCodeEmitter {
  private static final int PUBLIC_STATIC = Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC;

  private final CopiedCode copied;
  private final ClassCode code;
  private final Bridges bridges;
  private final CodeCopier copier;
  private final List<ClassModel> localClasses;
  private final Map<String, String> renamed = new HashMap<>(); // as class files spell the names
  private final Map<String, LazyGetterCode> lazyGetters = new TreeMap<>();

  private CopiedCodeEmitter(CopiedCode copied) {
    this.copied = copied;
    this.code = copied.code();
    this.localClasses = code.copiedClasses();
    for (ClassModel local : localClasses) {
      renamed.put(
          local.thisClass().asInternalName(),
          copied.copyOf(ClassFiles.name(local)).replace('.', '/'));
    }
    this.bridges =
        new Bridges(code, localClasses.stream().map(ClassFiles::name).collect(Collectors.toSet()));
    this.copier = new CodeCopier(copied, bridges);
  }

  /** Returns class files by class name, in the order in which they can be defined. */
  static Map<String, byte[]> emit(CopiedCode copied) {
    return new CopiedCodeEmitter(copied).emit();
  }

  private Map<String, byte[]> emit() {
    Map<String, byte[]> made = new LinkedHashMap<>();
    for (ClassModel local : localClasses) {
      made.put(copied.copyOf(ClassFiles.name(local)), copy(local));
    }
    // The interface also holds what the copies of local classes need, so it is made behind them.
    made.put(copied.name(), copiedInterface());
    return made;
  }

  private byte[] copiedInterface() {
    ClassFrame made =
        new ClassFrame(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT,
            copied.internalName(),
            null,
            Object.class,
            List.of(),
            code);
    code.persistentFields().values().forEach(field -> accessors(made, field));
    copiedMembers(made.members());
    return made.bytes();
  }

  /** Emits what copied code uses in place of a field. */
  private void accessors(ClassFrame made, Field field) {
    int isSynthetic = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNTHETIC;
    String name = field.getName();
    String getter = copied.getter(name);
    String setter = copied.setter(name);
    String get = "()" + Type.getDescriptor(field.getType());
    String set = "(" + Type.getDescriptor(field.getType()) + ")V";
    made.abstractMethod(isSynthetic, getter, get);
    made.abstractMethod(isSynthetic, setter, set);
    made.method(
        ClassFrame.HELPER,
        copied.reader(name),
        copied.onObject(get),
        code -> access(code, field, getter, PrivateMembers.GET));
    made.method(
        ClassFrame.HELPER,
        copied.writer(name),
        copied.onObject(set),
        code -> access(code, field, setter, PrivateMembers.PUT));
  }

  /**
   * Emits a method that calls the accessor of a persistent object and uses the field of a plain
   * one.
   */
  private void access(MethodVisitor body, Field field, String accessor, String use) {
    Type type = Type.getType(field.getType());
    boolean isRead = use.equals(PrivateMembers.GET);
    String descriptor = isRead ? "()" + type : "(" + type + ")V";
    Type result = Type.getReturnType(descriptor);
    Label plain = new Label();
    body.visitVarInsn(Opcodes.ALOAD, 0);
    body.visitTypeInsn(Opcodes.INSTANCEOF, copied.internalName());
    body.visitJumpInsn(Opcodes.IFEQ, plain);
    body.visitVarInsn(Opcodes.ALOAD, 0);
    body.visitTypeInsn(Opcodes.CHECKCAST, copied.internalName());
    Code.loadArguments(body, descriptor, 1);
    body.visitMethodInsn(
        Opcodes.INVOKEINTERFACE, copied.internalName(), accessor, descriptor, true);
    Code.returns(body, result);
    Code.target(body, plain);
    String onObject = copied.onObject(descriptor);
    Code.loadArguments(body, onObject, 0);
    bridges.link(body, use, copied.originalName(), field.getName(), onObject);
    Code.returns(body, result);
  }

  private void copiedMembers(ClassVisitor to) {
    ClassVisitor members = renaming(to);
    Map<String, MethodModel> methods = code.copiedMethods();
    if (methods.isEmpty() && localClasses.isEmpty()) {
      return;
    }
    ClassVisitor methodByMethod =
        new ClassVisitor(OpenedClassReader.ASM_API) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodModel method = methods.get(name + descriptor);
            return method == null
                ? null
                : method(members, method, copied.method(name + descriptor));
          }
        };
    read(code.model(), methodByMethod);
    copier.helpers(members);
    lazyGetters.values().forEach(getter -> getter.helpers(members));
  }

  private void read(ClassModel model, ClassVisitor by) {
    byte[] bytes = ClassBytes.withStackMaps(model, code.type().getClassLoader());
    OpenedClassReader.of(bytes).accept(by, ClassReader.EXPAND_FRAMES);
  }

  private ClassVisitor renaming(ClassVisitor to) {
    return renamed.isEmpty()
        ? to
        : new ClassRemapper(to, new SimpleRemapper(OpenedClassReader.ASM_API, renamed));
  }

  /** Begins the copy of a method of the class. */
  private MethodVisitor method(ClassVisitor members, MethodModel method, CopiedCode.Target target) {
    int flags =
        PUBLIC_STATIC
            | (method.flags().flagsMask() & (Opcodes.ACC_VARARGS | Opcodes.ACC_SYNTHETIC));
    String name = target.name();
    if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
      String body = name + "$body";
      ClassFrame.method(
          members,
          ClassFrame.HELPER | flags,
          name,
          target.descriptor(),
          code -> holdingMonitor(code, method.flags().has(AccessFlag.STATIC), body, target));
      name = body;
    }
    MethodVisitor to = members.visitMethod(flags, name, target.descriptor(), null, null);
    LazyGetter lazy = LazyGetter.of(code, method);
    if (lazy != null) {
      int locals = ((CodeAttribute) method.code().orElseThrow()).maxLocals();
      LazyGetterCode getter = new LazyGetterCode(lazy, copied, locals, to);
      lazyGetters.put(lazy.field().getName(), getter);
      to = getter;
    }
    return copier.copy(method, true, to);
  }

  private void holdingMonitor(
      MethodVisitor code, boolean isStatic, String body, CopiedCode.Target target) {
    Label start = new Label();
    Label end = new Label();
    Label caught = new Label();
    code.visitTryCatchBlock(start, end, caught, null);
    loadMonitor(code, isStatic);
    code.visitInsn(Opcodes.MONITORENTER);
    code.visitLabel(start);
    Code.loadArguments(code, target.descriptor(), 0);
    Code.callStatic(code, copied.internalName(), body, target.descriptor());
    loadMonitor(code, isStatic);
    code.visitInsn(Opcodes.MONITOREXIT);
    code.visitLabel(end);
    Code.returns(code, Type.getReturnType(target.descriptor()));
    Code.targetWith(code, caught, "java/lang/Throwable");
    loadMonitor(code, isStatic);
    code.visitInsn(Opcodes.MONITOREXIT);
    code.visitInsn(Opcodes.ATHROW);
  }

  private void loadMonitor(MethodVisitor code, boolean isStatic) {
    if (isStatic) {
      code.visitLdcInsn(Type.getType(this.code.type()));
    } else {
      code.visitVarInsn(Opcodes.ALOAD, 0);
    }
  }

  /**
   * Copies a local class under another name. Its members are no longer private, since the copy is
   * no nestmate.
   */
  private byte[] copy(ClassModel local) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    Map<String, MethodModel> methods = new HashMap<>();
    local.methods().forEach(m -> methods.put(ClassCode.key(m), m));
    ClassVisitor visitor =
        new ClassVisitor(OpenedClassReader.ASM_API, renaming(writer)) {
          // The copies of methods are static ones of an interface, which old class files cannot
          // call.
          @Override
          public void visit(
              int version,
              int access,
              String name,
              @Nullable String signature,
              String above,
              String[] interfaces) {
            super.visit(ClassFrame.VERSION, access, name, signature, above, interfaces);
          }

          @Override
          public void visitNestHost(String host) {}

          @Override
          public void visitPermittedSubclass(String subclass) {} // of an enum with bodies

          @Override
          public void visitInnerClass(
              String name, @Nullable String outer, @Nullable String inner, int access) {}

          @Override
          public void visitOuterClass(
              String owner, @Nullable String method, @Nullable String descriptor) {}

          @Override
          public FieldVisitor visitField(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              @Nullable Object value) {
            return super.visitField(opened(access), name, descriptor, signature, value);
          }

          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            MethodVisitor to =
                super.visitMethod(opened(access), name, descriptor, signature, exceptions);
            MethodModel method = methods.get(name + descriptor);
            return method == null || method.code().isEmpty() ? to : copier.copy(method, false, to);
          }
        };
    read(local, visitor);
    return writer.toByteArray();
  }

  private static int opened(int flags) {
    return flags & ~Opcodes.ACC_PRIVATE;
  }
}
