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
 * Compares the persistent classes of a build with stores of earlier versions: a program of its own,
 * which {@link CheckMojo} starts on the class path and the JDK of the build. It uses pmstore by
 * reflection, because the version is the build's.
 */
final class GoldenCheck {
  private GoldenCheck() {}

  /**
   * Runs the check. Ends with code 0 if all classes fit all stores, 1 if one does not, and 2 if the
   * check could not be made.
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
      code = 2;
    } catch (ReflectiveOperationException | IOException | LinkageError e) {
      System.err.println(e);
      code = 2;
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
      return 2;
    }
    Class<?> store = Class.forName("io.pmstore.PmStore");
    Class<?> optionsType = Class.forName("io.pmstore.PmStoreOptions");
    Method dryRun = store.getMethod("dryRun", Path.class, optionsType, Class[].class);
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
    return fit ? 0 : 1;
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
    List<Class<?>> found = new ArrayList<>();
    for (Path file : files) {
      String path = classes.relativize(file).toString();
      String name =
          path.substring(0, path.length() - ".class".length()).replace(File.separatorChar, '.');
      if (!name.endsWith("-info")) {
        Class<?> type = Class.forName(name, false, GoldenCheck.class.getClassLoader());
        if (type.isAnnotationPresent(annotation)) {
          found.add(type);
        }
      }
    }
    return found;
  }
}
