package io.pmstore.proxy.bytecode;

import io.pmstore.proxy.bean.ClassCode;
import io.pmstore.proxy.bean.MethodOverride;
import java.lang.classfile.Attribute;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.ExceptionsAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.RuntimeVisibleParameterAnnotationsAttribute;
import java.lang.classfile.instruction.LineNumber;
import java.lang.constant.MethodTypeDesc;

/**
 * Overrides a method of the user's class. The override has its annotations, its generic signature
 * and its line, so that neither libraries nor stack traces tell the difference.
 */
final class OverrideEmitter {
  private static final int KEPT =
      ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED | ClassFile.ACC_VARARGS | ClassFile.ACC_BRIDGE;

  private final SubclassEmitter subclass;
  private final GenericSignatures signatures;

  OverrideEmitter(SubclassEmitter subclass, GenericSignatures signatures) {
    this.subclass = subclass;
    this.signatures = signatures;
  }

  void emit(ClassBuilder builder, MethodOverride override) {
    MethodModel method = override.method();
    MethodTypeDesc type = method.methodTypeSymbol();
    int flags = method.flags().flagsMask();
    int synthetic = flags & ClassFile.ACC_SYNTHETIC;
    builder.withMethod(
        method.methodName().stringValue(),
        type,
        (flags & KEPT) | synthetic,
        made -> {
          for (Attribute<?> attribute : method.attributes()) {
            switch (attribute) {
              case RuntimeVisibleAnnotationsAttribute annotations -> made.with(annotations);
              case RuntimeVisibleParameterAnnotationsAttribute annotations ->
                  made.with(annotations);
              case ExceptionsAttribute exceptions -> made.with(exceptions);
              case MethodParametersAttribute parameters -> made.with(parameters);
              default -> {}
            }
          }
          signatures.ofMethod(override).ifPresent(made::with);
          made.withCode(code -> code(code, override, type));
        });
  }

  private void code(CodeBuilder code, MethodOverride override, MethodTypeDesc type) {
    MethodModel method = override.method();
    int line = isInSameFile(override.owner()) ? firstLine(method) : 0;
    if (line > 0) {
      code.lineNumber(line);
    }
    if (override.property() != null && override.reads()) {
      subclass.read(code, override.property(), type.returnType());
    } else if (override.property() != null) {
      subclass.write(code, override.property(), type.parameterType(0));
    } else {
      CopiedCode copied = subclass.copied().of(override.owner());
      CopiedCode.Target target =
          copied.method(method.methodName().stringValue() + method.methodType().stringValue());
      code.aload(0);
      for (int i = 0; i < type.parameterCount(); i++) {
        code.loadLocal(TypeKind.from(type.parameterType(i)), code.parameterSlot(i));
      }
      code.invokestatic(copied.desc(), target.name(), target.type(), true)
          .return_(TypeKind.from(type.returnType()));
    }
  }

  /** A class file names one source file; the lines of another one would mislead. */
  private boolean isInSameFile(ClassCode owner) {
    return sourceFile(owner).equals(sourceFile(subclass.copied().code()));
  }

  private static String sourceFile(ClassCode code) {
    return code.model()
        .findAttribute(Attributes.sourceFile())
        .map(a -> a.sourceFile().stringValue())
        .orElse("");
  }

  private static int firstLine(MethodModel method) {
    return method.code().stream()
        .flatMap(CodeModel::elementStream)
        .filter(LineNumber.class::isInstance)
        .mapToInt(element -> ((LineNumber) element).line())
        .findFirst()
        .orElse(0);
  }
}
