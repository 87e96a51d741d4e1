package io.pmstore.proxy.bytecode;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.ConstantPoolSharingOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassReader;
import java.lang.classfile.ClassTransform;

/** The class files of the user's classes, which visitors read again. */
final class ClassBytes {
  private ClassBytes() {}

  /** Returns the bytes of a model. */
  static byte[] of(ClassModel model) {
    if (model.constantPool() instanceof ClassReader file) {
      return file.readBytes(0, file.classfileLength());
    }
    throw new IllegalArgumentException(model + " was not read from a class file");
  }

  /**
   * Returns the bytes of a model, with stack maps, which class files before Java 7 need not have.
   */
  static byte[] withStackMaps(ClassModel model, ClassLoader loader) {
    if (model.majorVersion() >= ClassFile.JAVA_7_VERSION) {
      return of(model);
    }
    ClassHierarchyResolver hierarchy =
        ClassHierarchyResolver.ofResourceParsing(loader)
            .orElse(ClassHierarchyResolver.ofClassLoading(loader));
    ClassTransform newer =
        (builder, element) -> {
          if (element instanceof ClassFileVersion) {
            builder.withVersion(ClassFile.JAVA_7_VERSION, 0);
          } else {
            builder.with(element);
          }
        };
    return ClassFile.of(
            ConstantPoolSharingOption.NEW_POOL, ClassHierarchyResolverOption.of(hierarchy))
        .transformClass(
            model, newer.andThen(ClassTransform.transformingMethodBodies((b, e) -> b.with(e))));
  }
}
