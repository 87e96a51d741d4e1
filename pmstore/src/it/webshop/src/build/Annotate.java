import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Adds the annotation {@code @Persistent} to each ordinary class below a directory and changes
 * nothing else: what an author does who writes it above the class. Enums, interfaces and exceptions
 * stay as they are.
 */
public final class Annotate {
  private static final ClassDesc PERSISTENT = ClassDesc.of("io.pmstore.Persistent");

  private Annotate() {}

  public static void main(String[] args) throws IOException {
    List<Path> files;
    try (Stream<Path> tree = Files.walk(Path.of(args[0]))) {
      files = tree.filter(file -> file.toString().endsWith(".class")).toList();
    }
    int annotated = 0;
    for (Path file : files) {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      if (isOrdinary(model)) {
        Files.write(file, withAnnotation(model));
        annotated++;
      }
    }
    System.out.println("annotated " + annotated + " of " + files.size() + " classes");
  }

  private static boolean isOrdinary(ClassModel model) {
    String superclass = model.superclass().orElseThrow().asInternalName();
    return !model.flags().has(AccessFlag.INTERFACE)
        && !model.flags().has(AccessFlag.ENUM)
        && !superclass.endsWith("Exception")
        && model.methods().stream()
            .anyMatch(
                method ->
                    method.methodName().equalsString("<init>")
                        && method.methodType().equalsString("()V")
                        && !method.flags().has(AccessFlag.PRIVATE));
  }

  private static byte[] withAnnotation(ClassModel model) {
    List<Annotation> annotations = new ArrayList<>();
    annotations.add(Annotation.of(PERSISTENT));
    ClassTransform others =
        (builder, element) -> {
          if (element instanceof RuntimeVisibleAnnotationsAttribute present) {
            present.annotations().stream()
                .filter(
                    annotation ->
                        !annotation.classSymbol().equals(PERSISTENT)) // of an earlier build
                .forEach(annotations::add);
          } else {
            builder.with(element);
          }
        };
    return ClassFile.of(ClassFile.ConstantPoolSharingOption.SHARED_POOL)
        .transformClass(
            model,
            others.andThen(
                ClassTransform.endHandler(
                    builder -> builder.with(RuntimeVisibleAnnotationsAttribute.of(annotations)))));
  }
}
