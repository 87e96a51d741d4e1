package io.pmstore.maven;

import java.io.File;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The program that checks whether a store can keep the persistent classes of a build, and compares
 * them with stores of earlier versions. {@link CheckMojo} starts it in another JVM, with the class
 * path and the JDK of the build. It calls pmstore by reflection, because the build decides the
 * version of pmstore.
 */
final class GoldenCheck {
  /** The exit code if all classes can be kept and fit all stores. */
  static final int FIT = 0;

  // A JVM that cannot start, or whose main method throws, ends with 1.

  /** The exit code if a class has changed in a way for which a store has no mapping. */
  static final int CHANGED = 4;

  /** The exit code if the check failed for another reason. */
  static final int FAILED = 2;

  /** The exit code if a store cannot keep a class. */
  static final int REFUSED = 3;

  private GoldenCheck() {}

  /**
   * Runs the check, and ends the JVM with one of the exit codes.
   *
   * @param arguments the directory of the compiled classes, the name of the class that makes the
   *     options or an empty text, and the stores
   */
  public static void main(String[] arguments) {
    int code;
    try {
      code =
          run(Path.of(arguments[0]), arguments[1], List.of(arguments).subList(2, arguments.length));
    } catch (InvocationTargetException e) {
      System.err.println(e.getCause());
      code = FAILED;
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      System.err.println(e);
      code = FAILED;
    }
    System.exit(code);
  }

  private static int run(Path classes, String options, List<String> stores)
      throws ReflectiveOperationException, IOException {
    Class<?>[] persistent = persistentClasses(classes).toArray(Class<?>[]::new);
    if (persistent.length == 0) {
      System.err.println(
          "no class in "
              + classes
              + " is annotated with @Persistent, so there is nothing to check");
      return FAILED;
    }
    Class<?> store = Class.forName("io.pmstore.PmStore");
    Class<?> optionsType = Class.forName("io.pmstore.PmStoreOptions");
    Method dryRun = store.getMethod("dryRun", Path.class, optionsType, Class[].class);
    Object classReport =
        store
            .getMethod("check", optionsType, Class[].class)
            .invoke(null, made(options, optionsType), persistent);
    System.out.println(classReport);
    if (!(boolean) classReport.getClass().getMethod("isAccepted").invoke(classReport)) {
      return REFUSED;
    }
    boolean fit = true;
    for (String directory : stores) {
      Object report =
          dryRun.invoke(null, Path.of(directory), made(options, optionsType), persistent);
      boolean fits = (boolean) report.getClass().getMethod("isCompatible").invoke(report);
      if (fits) {
        System.out.println(directory + ": the classes fit");
      } else {
        System.out.println(directory + ": a class has changed in a way that has no mapping");
        System.out.println(report);
      }
      fit &= fits;
    }
    return fit ? FIT : CHANGED;
  }

  private static Object made(String supplier, Class<?> optionsType)
      throws ReflectiveOperationException {
    if (supplier.isEmpty()) {
      return optionsType.getMethod("defaults").invoke(null);
    }
    var constructor = Class.forName(supplier).getDeclaredConstructor();
    constructor.setAccessible(true);
    return ((Supplier<?>) constructor.newInstance()).get();
  }

  private static List<Class<?>> persistentClasses(Path classes)
      throws ReflectiveOperationException, IOException {
    Class<? extends Annotation> annotation =
        Class.forName("io.pmstore.Persistent").asSubclass(Annotation.class);
    List<Path> files;
    try (Stream<Path> all = Files.walk(classes)) {
      files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
    Path variants = classes.resolve("META-INF"); // classes of a multi-release jar

    List<Class<?>> found = new ArrayList<>();
    for (Path file : files) {
      String path = classes.relativize(file).toString();
      String name =
          path.substring(0, path.length() - ".class".length()).replace(File.separatorChar, '.');
      if (!name.endsWith("-info") && !file.startsWith(variants)) {
        Class<?> type = Class.forName(name, false, GoldenCheck.class.getClassLoader());
        if (type.isAnnotationPresent(annotation)) {
          found.add(type);
        }
      }
    }
    return found;
  }
}
