package io.pmstore.documents;

import io.pmstore.PmStore;
import io.pmstore.compiled.Compiled;
import java.nio.file.Path;

/** Stores that earlier versions of a program have left behind. */
final class EarlierVersion {
  private static final String IMPORTS =
      """
      import io.pmstore.*;
      import java.util.*;
      """;

  private EarlierVersion() {}

  /**
   * Leaves a store with a root "it".
   *
   * @param directory where the store is made
   * @param packageName of the classes
   * @param source the classes
   * @param rootClass the binary name of the root's class, without the package
   */
  static void store(Path directory, String packageName, String source, String rootClass) {
    try (PmStore store = PmStore.open(directory)) {
      store.root("it", load(packageName, source, rootClass));
    }
  }

  /** Leaves a store whose root is of a nested class of {@link EvolutionExample}. */
  static void storeExample(Path directory, String rootClass, String members) {
    String name = EvolutionExample.class.getSimpleName();
    store(
        directory,
        EvolutionExample.class.getPackageName(),
        "class %s {\n%s\n}".formatted(name, members),
        name + "$" + rootClass);
  }

  /** A class of a version. */
  static Class<?> load(String packageName, String source, String className) {
    try {
      return Compiled.of("package %s;\n%s%s".formatted(packageName, IMPORTS, source))
          .loadClass(packageName + "." + className);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
