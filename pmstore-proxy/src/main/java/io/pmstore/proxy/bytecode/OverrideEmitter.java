package io.pmstore.proxy.bytecode;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.ClassFiles;
import io.pmstore.proxy.bean.MethodEffect;
import io.pmstore.proxy.bean.MethodOverride;
import io.pmstore.spi.ObjectHandle;
import java.lang.classfile.Attributes;
import java.lang.classfile.MethodModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.invoke.LambdaMetafactory;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Overrides a method of the user's class. The override has its annotations, its generic signature
 * and its line, so that libraries and stack traces see no difference.
 */
final class OverrideEmitter {
  private static final int KEPT =
      Opcodes.ACC_PUBLIC
          | Opcodes.ACC_PROTECTED
          | Opcodes.ACC_VARARGS
          | Opcodes.ACC_BRIDGE
          | Opcodes.ACC_SYNTHETIC;

  private static final Type BODY = Type.getType(TransactionFunction.class);
  private static final Type NO_ARGUMENTS = Type.getMethodType(Code.OBJECT);
  private static final Handle LAMBDAS =
      new Handle(
          Opcodes.H_INVOKESTATIC,
          Type.getInternalName(LambdaMetafactory.class),
          "metafactory",
          "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;",
          false);

  private final SubclassEmitter subclass;
  private final GenericSignatures signatures;
  private int running; // how many overrides the handle runs

  OverrideEmitter(SubclassEmitter subclass, GenericSignatures signatures) {
    this.subclass = subclass;
    this.signatures = signatures;
  }

  void emit(ClassFrame made, MethodOverride override) {
    MethodModel method = override.method();
    String name = method.methodName().stringValue();
    String descriptor = method.methodType().stringValue();
    String runs =
        override.property() == null && override.effect() != MethodEffect.NONE
            ? "pmstore$run$" + running++
            : null;
    MethodVisitor overriding =
        made.members()
            .visitMethod(
                method.flags().flagsMask() & KEPT,
                name,
                descriptor,
                signatures.ofMethod(override),
                thrown(method));
    if (hasAttributes(method)) {
      replayAttributes(override, overriding);
    }
    ClassFrame.code(overriding, code -> code(code, override, runs));
    if (runs != null) {
      made.method(
          Opcodes.ACC_PRIVATE | Opcodes.ACC_SYNTHETIC,
          runs,
          Type.getMethodDescriptor(Code.OBJECT, Type.getArgumentTypes(descriptor)),
          code -> {
            body(code, override);
            Code.box(code, Type.getReturnType(descriptor));
            code.visitInsn(Opcodes.ARETURN);
          });
    }
  }

  private static String[] thrown(MethodModel method) {
    return method.findAttribute(Attributes.exceptions()).stream()
        .flatMap(declared -> declared.exceptions().stream())
        .map(ClassEntry::asInternalName)
        .toArray(String[]::new);
  }

  private static boolean hasAttributes(MethodModel method) {
    return method.findAttribute(Attributes.runtimeVisibleAnnotations()).isPresent()
        || method.findAttribute(Attributes.runtimeVisibleParameterAnnotations()).isPresent()
        || method.findAttribute(Attributes.methodParameters()).isPresent();
  }

  /** Copies the annotations and the names of the parameters. */
  private static void replayAttributes(MethodOverride override, MethodVisitor to) {
    MethodVisitor replay =
        new MethodVisitor(OpenedClassReader.ASM_API, to) {
          @Override
          public void visitAttribute(
              Attribute attribute) {} // it may refer to another constant pool

          @Override
          public void visitEnd() {} // the code comes
        };
    ClassVisitor finder =
        new ClassVisitor(OpenedClassReader.ASM_API) {
          @Override
          public @Nullable MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            return ClassCode.key(override.method()).equals(name + descriptor) ? replay : null;
          }
        };
    OpenedClassReader.of(ClassBytes.of(override.owner().model()))
        .accept(finder, ClassReader.SKIP_CODE);
  }

  private void code(MethodVisitor code, MethodOverride override, @Nullable String runs) {
    MethodModel method = override.method();
    int line = isInSameFile(override.owner()) ? ClassFiles.line(method) : 0;
    if (line > 0) {
      Label start = new Label();
      code.visitLabel(start);
      code.visitLineNumber(line, start);
    }
    Type result = Type.getReturnType(method.methodType().stringValue());
    if (override.property() != null && override.reads()) {
      subclass.read(code, override.property(), result);
    } else if (override.property() != null) {
      subclass.write(code, override.property());
    } else if (runs == null) {
      body(code, override);
      Code.returns(code, result);
    } else {
      transaction(code, override, runs);
    }
  }

  /** Loads the arguments and calls what the method does. */
  private void body(MethodVisitor code, MethodOverride override) {
    String name = override.method().methodName().stringValue();
    String descriptor = override.method().methodType().stringValue();
    code.visitVarInsn(Opcodes.ALOAD, 0);
    Code.loadArguments(code, descriptor, 1);
    if (override.isCopied()) {
      CopiedCode copied = subclass.copied().of(override.owner());
      CopiedCode.Target target = copied.method(ClassCode.key(override.method()));
      Code.callStatic(code, copied.internalName(), target.name(), target.descriptor());
    } else {
      String superclass = Type.getInternalName(subclass.bean().type());
      code.visitMethodInsn(Opcodes.INVOKESPECIAL, superclass, name, descriptor, false);
    }
  }

  /**
   * Emits a call through which the handle runs the method, as a transaction unless it has its own.
   * Inside a transaction, with nothing else to do, the method is called directly.
   */
  private void transaction(MethodVisitor code, MethodOverride override, String runs) {
    String descriptor = override.method().methodType().stringValue();
    Type[] parameters = Type.getArgumentTypes(descriptor);
    Type result = Type.getReturnType(descriptor);
    MethodEffect effect = override.effect();
    if (!effect.changesInPlace()) {
      Label outside = new Label();
      subclass.handle(code);
      Code.call(code, ObjectHandle.class, "isOutsideTransactions", Type.BOOLEAN_TYPE);
      code.visitJumpInsn(Opcodes.IFNE, outside);
      body(code, override);
      Code.returns(code, result);
      Code.target(code, outside);
    }
    subclass.handle(code);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    Code.loadArguments(code, descriptor, 1);
    String captured =
        "(L"
            + subclass.internalName()
            + ";"
            + Type.getMethodDescriptor(BODY, parameters).substring(1);
    Handle method =
        new Handle(
            Opcodes.H_INVOKESPECIAL,
            subclass.internalName(),
            runs,
            Type.getMethodDescriptor(Code.OBJECT, parameters),
            false);
    code.visitInvokeDynamicInsn("run", captured, LAMBDAS, NO_ARGUMENTS, method, NO_ARGUMENTS);
    if (effect == MethodEffect.CHANGES_IN_OWN_TRANSACTIONS) {
      Code.call(code, ObjectHandle.class, "runWithOwnTransactions", Code.OBJECT, BODY);
    } else {
      code.visitInsn(effect.changesInPlace() ? Opcodes.ICONST_1 : Opcodes.ICONST_0);
      Code.call(code, ObjectHandle.class, "run", Code.OBJECT, BODY, Type.BOOLEAN_TYPE);
    }
    Code.unbox(code, result);
    Code.returns(code, result);
  }

  /** A class file names one source file; the lines of another one would mislead. */
  private boolean isInSameFile(ClassCode owner) {
    return ClassFiles.sourceFile(owner.model())
        .equals(ClassFiles.sourceFile(subclass.copied().code().model()));
  }
}
