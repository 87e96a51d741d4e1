package io.pmstore.proxy.bytecode;

import java.util.Map;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.field.FieldDescription;
import net.bytebuddy.description.field.FieldList;
import net.bytebuddy.description.method.MethodList;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.implementation.Implementation;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.pool.TypePool;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * Lets stack traces lead to the user's source: each accessor claims the line of the one that it
 * overrides.
 */
final class SourceLines extends AsmVisitorWrapper.AbstractBase {
  private final String sourceFile;
  private final Map<String, Integer> lines;

  /**
   * Creates the wrapper.
   *
   * @param sourceFile the user's source file, without its folder
   * @param lines the line of each accessor, by its name and the descriptors of its parameters in
   *     parentheses; 0 if unknown
   */
  SourceLines(String sourceFile, Map<String, Integer> lines) {
    this.sourceFile = sourceFile;
    this.lines = lines;
  }

  @Override
  public ClassVisitor wrap(
      TypeDescription instrumentedType,
      ClassVisitor classVisitor,
      Implementation.Context implementationContext,
      TypePool typePool,
      FieldList<FieldDescription.InDefinedShape> fields,
      MethodList<?> methods,
      int writerFlags,
      int readerFlags) {
    return new ClassVisitor(OpenedClassReader.ASM_API, classVisitor) {
      @Override
      public void visit(
          int version,
          int access,
          String name,
          @Nullable String signature,
          String superName,
          String @Nullable [] interfaces) {
        super.visit(version, access, name, signature, superName, interfaces);
        super.visitSource(sourceFile, null);
      }

      @Override
      public MethodVisitor visitMethod(
          int access,
          String name,
          String descriptor,
          @Nullable String signature,
          String @Nullable [] exceptions) {
        MethodVisitor target = super.visitMethod(access, name, descriptor, signature, exceptions);
        int line =
            lines.getOrDefault(name + descriptor.substring(0, descriptor.indexOf(')') + 1), 0);
        return line == 0 ? target : new AtLine(target, line);
      }
    };
  }

  private static final class AtLine extends MethodVisitor {
    private final int line;

    AtLine(MethodVisitor target, int line) {
      super(OpenedClassReader.ASM_API, target);
      this.line = line;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      Label start = new Label();
      super.visitLabel(start);
      super.visitLineNumber(line, start);
    }
  }
}
