package io.pmstore.proxy.layer;

import io.pmstore.Persistent;
import io.pmstore.spi.EnhancedClasses;
import io.pmstore.spi.EnhancedObject;
import io.pmstore.spi.ObjectHandle;
import java.io.IOException;
import java.io.ObjectStreamException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.description.annotation.AnnotationDescription;
import net.bytebuddy.description.modifier.FieldPersistence;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.implementation.FieldAccessor;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * Generates the class from which {@link Preparation} learns how to use classes that were enhanced
 * when they were built. It has those members which the enhancer adds to the classes of programs and
 * which an examination reads. No object of the class is made.
 */
final class PreparedCode {
  /** The binary name of the class. */
  static final String NAME = PreparedCode.class.getPackageName() + ".PreparedEnhanced";

  private PreparedCode() {}

  /**
   * Writes the class: the build does, behind the compiler.
   *
   * @param arguments the directory of the compiled classes
   */
  public static void main(String[] arguments) throws IOException, NoSuchMethodException {
    Files.write(
        Path.of(arguments[0]).resolve(NAME.replace('.', '/') + ".class"), make().getBytes());
  }

  private static DynamicType.Unloaded<?> make() throws NoSuchMethodException {
    DynamicType.Builder<?> builder =
        new ByteBuddy(ClassFileVersion.JAVA_V25)
            .subclass(Object.class)
            .name(NAME)
            .implement(EnhancedObject.class)
            .annotateType(
                AnnotationDescription.Builder.ofType(Persistent.class)
                    .define("root", "preparedEnhanced")
                    .build())
            .defineField(
                EnhancedObject.HANDLE,
                ObjectHandle.class,
                Visibility.PROTECTED,
                FieldPersistence.TRANSIENT)
            .defineMethod("pmstoreHandleOrNull", ObjectHandle.class, Visibility.PUBLIC)
            .intercept(FieldAccessor.ofField(EnhancedObject.HANDLE))
            .defineMethod("writeReplace", Object.class, Visibility.PROTECTED)
            .throwing(ObjectStreamException.class)
            .intercept(
                MethodCall.invoke(
                        EnhancedClasses.class.getMethod("serialized", EnhancedObject.class))
                    .withThis());
    builder = property(builder, "name", "Name", String.class);
    builder = property(builder, "count", "Count", long.class);
    return property(builder, "others", "Others", Map.class).make();
  }

  private static DynamicType.Builder<?> property(
      DynamicType.Builder<?> builder, String field, String suffix, Class<?> type) {
    String member = EnhancedObject.member(NAME, field);
    String read = EnhancedObject.GET + member;
    String write = EnhancedObject.PUT + member;
    return builder
        .defineField(field, type, Visibility.PRIVATE)
        .defineMethod(read, type, Visibility.PROTECTED)
        .intercept(FieldAccessor.ofField(field))
        .defineMethod(write, void.class, Visibility.PROTECTED)
        .withParameters(type)
        .intercept(FieldAccessor.ofField(field))
        .defineMethod("get" + suffix, type, Visibility.PUBLIC)
        .intercept(MethodCall.invoke(ElementMatchers.named(read)))
        .defineMethod("set" + suffix, void.class, Visibility.PUBLIC)
        .withParameters(type)
        .intercept(MethodCall.invoke(ElementMatchers.named(write)).withAllArguments());
  }
}
