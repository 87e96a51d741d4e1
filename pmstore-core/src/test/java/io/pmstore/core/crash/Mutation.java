package io.pmstore.core.crash;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.TypeKind;
import java.util.HashSet;
import java.util.Set;

/**
 * The program with mistakes in it: methods that return without doing anything. It loads classes of
 * its own, distinct from those of the same name that the tests use.
 */
public final class Mutation extends ClassLoader {
  private static final String PROGRAM = "io.pmstore.";

  private final Set<String> methods;
  private final Set<String> mutated = new HashSet<>();

  /**
   * Prepares the program; its classes are loaded as they are used.
   *
   * @param methods the methods to leave empty, as simple class name and method name with a dot
   *     between; those of nested classes are named by the outer class. One that returns a number
   *     returns 1, one that returns a boolean true
   */
  public Mutation(Set<String> methods) {
    super(Mutation.class.getClassLoader());
    this.methods = Set.copyOf(methods);
  }

  /**
   * The methods that are empty in what was loaded.
   *
   * @return simple class names and method names
   */
  public Set<String> mutated() {
    return Set.copyOf(mutated);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROGRAM)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    String simple = name.substring(name.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
    try (InputStream stream = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (stream == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = mutate(simple, stream.readAllBytes());
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  private byte[] mutate(String simpleName, byte[] original) {
    ClassFile classFile = ClassFile.of();
    return classFile.transformClass(
        classFile.parse(original),
        ClassTransform.transformingMethods(
            method -> isWanted(simpleName, method),
            (builder, element) -> {
              if (element instanceof CodeModel code) {
                builder.withCode(body -> returnAtOnce(body, code.parent().orElseThrow()));
              } else {
                builder.with(element);
              }
            }));
  }

  private boolean isWanted(String simpleName, MethodModel method) {
    String name = simpleName + "." + method.methodName().stringValue();
    if (!methods.contains(name)) {
      return false;
    }
    mutated.add(name);
    return true;
  }

  private static void returnAtOnce(CodeBuilder body, MethodModel method) {
    TypeKind kind = TypeKind.from(method.methodTypeSymbol().returnType());
    switch (kind) {
      case LONG -> body.lconst_1();
      case INT, BOOLEAN -> body.iconst_1();
      case VOID -> {}
      default -> throw new IllegalArgumentException("cannot be empty: " + method);
    }
    body.return_(kind);
  }
}
