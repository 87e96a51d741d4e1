package io.pmstore.proxy.bean;

import io.pmstore.spi.EnhancedClassFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.InnerClassesAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.instruction.LineNumber;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The class files that the examination of one class needs, each read once. Not safe for use by
 * several threads.
 */
public final class ClassFiles {
  private final Refusal refusal;
  private final Map<String, ClassModel> read = new HashMap<>();

  ClassFiles(Refusal refusal) {
    this.refusal = refusal;
  }

  /** Returns the class file of a class in the hierarchy. */
  ClassModel of(Class<?> type) {
    return of(type.getName(), type.getClassLoader());
  }

  /**
   * Returns the class files of all classes that share private members with a class, itself
   * included. In class files older than nests these are the classes that enclose each other.
   */
  List<ClassModel> nest(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    Map<String, ClassModel> nest = new LinkedHashMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(type.getNestHost().getName(), type.getName()));
    String outermost = outermost(type).getName();
    while (!open.isEmpty()) {
      String name = open.remove();
      if (nest.containsKey(name)) {
        continue;
      }
      ClassModel model = of(name, loader);
      nest.put(name, model);
      NestMembersAttribute members = model.findAttribute(Attributes.nestMembers()).orElse(null);
      if (members != null) {
        for (ClassEntry member : members.nestMembers()) {
          open.add(name(member));
        }
      }
      InnerClassesAttribute inner = model.findAttribute(Attributes.innerClasses()).orElse(null);
      if (inner != null) {
        for (InnerClassInfo info : inner.classes()) {
          String other = name(info.innerClass());
          if (other.startsWith(outermost + "$")) {
            open.add(other);
          }
        }
      }
    }
    return List.copyOf(nest.values());
  }

  private static Class<?> outermost(Class<?> type) {
    Class<?> outermost = type;
    for (Class<?> k = type; k != null; k = k.getEnclosingClass()) {
      outermost = k;
    }
    return outermost;
  }

  private ClassModel of(String name, @Nullable ClassLoader from) {
    ClassModel known = read.get(name);
    if (known == null) {
      byte[] loaded = EnhancedClassFiles.find(from, name);
      byte[] bytes = loaded == null ? bytes(name, from) : loaded;
      known = ClassFile.of().parse(bytes);
      if (Enhancement.hasChanged(known)) {
        known = ClassFile.of().parse(OriginalCode.of(bytes));
      }
      read.put(name, known);
    }
    return known;
  }

  /** Returns the class file that the class loader finds, with what a build may have changed. */
  ClassModel asItIs(Class<?> type) {
    return ClassFile.of().parse(bytes(type.getName(), type.getClassLoader()));
  }

  private byte[] bytes(String name, @Nullable ClassLoader from) {
    String path = name.replace('.', '/') + ".class";
    try (InputStream stream =
        from == null
            ? ClassLoader.getSystemResourceAsStream(path)
            : from.getResourceAsStream(path)) {
      if (stream == null) {
        throw refusal.because(
            "the class file of %s cannot be found, so nobody knows what its methods do with its fields"
                .formatted(name),
            "load it with a class loader that finds " + path + " as a resource");
      }
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "the class file of %s cannot be read: %s; check the jar or directory that it comes from"
              .formatted(name, e),
          e);
    }
  }

  /**
   * Returns a class, not initialized; null if it cannot be loaded, so that it cannot run either.
   */
  static @Nullable Class<?> classOrNull(String name, @Nullable ClassLoader loader) {
    try {
      return Class.forName(name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      return null;
    }
  }

  static String name(ClassEntry entry) {
    return entry.asInternalName().replace('/', '.');
  }

  /** Returns the binary name of a class. */
  public static String name(ClassModel model) {
    return name(model.thisClass());
  }

  /** Returns the source file of a class, or the empty string. */
  public static String sourceFile(ClassModel model) {
    return model
        .findAttribute(Attributes.sourceFile())
        .map(a -> a.sourceFile().stringValue())
        .orElse("");
  }

  /** Returns the first line of a method; 0 if unknown. */
  public static int line(MethodModel method) {
    return method.code().stream()
        .flatMap(code -> code.elementStream())
        .filter(LineNumber.class::isInstance)
        .mapToInt(element -> ((LineNumber) element).line())
        .findFirst()
        .orElse(0);
  }

  /** Returns the place of a class: that of its first constructor. */
  String placeOf(Class<?> type) {
    ClassModel model = asItIs(type);
    return place(
        model,
        model.methods().stream()
            .filter(method -> method.methodName().equalsString("<init>"))
            .mapToInt(ClassFiles::line)
            .findFirst()
            .orElse(0));
  }

  /** Returns a place as stack traces show it, {@code " (Order.java:12)"}; nothing if unknown. */
  static String place(ClassModel model, int line) {
    String file = sourceFile(model);
    return file.isEmpty() ? "" : line == 0 ? " (" + file + ")" : " (" + file + ":" + line + ")";
  }
}
