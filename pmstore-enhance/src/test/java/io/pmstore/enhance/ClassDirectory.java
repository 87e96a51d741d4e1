package io.pmstore.enhance;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.build.EntryPoint;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.scaffold.inline.MethodNameTransformer;

/** Class files that a test compiles, enhances and loads. */
final class ClassDirectory {
  private ClassDirectory() {}

  /** Compiles one source with javac. Returns the directory of the class files. */
  static Path compile(Path directory, String className, String source, String... options)
      throws IOException {
    Path file = directory.resolve("src").resolve(className.replace('.', '/') + ".java");
    Files.createDirectories(file.getParent());
    Files.writeString(file, source);
    Path classes = Files.createDirectories(directory.resolve("classes"));
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("-g", "-d", classes.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path"), file.toString()));
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    if (result != 0) {
      throw new IllegalStateException("javac failed for " + source);
    }
    return classes;
  }

  /** Enhances a directory as byte-buddy-maven-plugin does, with the documented entry point. */
  static Path enhance(Path classes, Path to) throws IOException {
    return enhance(classes, to, EntryPoint.Default.DECORATE);
  }

  /** Enhances a directory as byte-buddy-maven-plugin does. */
  static Path enhance(Path classes, Path to, EntryPoint entryPoint) throws IOException {
    Files.createDirectories(to);
    try (ClassFileLocator locator =
        ClassFileLocator.ForClassLoader.of(ClassDirectory.class.getClassLoader())) {
      Plugin.Engine.Default.of(
              entryPoint,
              ClassFileVersion.ofThisVm(),
              MethodNameTransformer.Suffixing.withRandomSuffix())
          .with(locator)
          .apply(
              new Plugin.Engine.Source.ForFolder(classes.toFile()),
              new Plugin.Engine.Target.ForFolder(to.toFile()),
              new Plugin.Factory.Simple(new EnhancePlugin()));
    }
    return to;
  }

  /** Lists the class files. */
  static List<Path> classFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.toString().endsWith(".class")).sorted().toList();
    }
  }

  /** Returns a loader that finds classes there first. */
  static URLClassLoader loader(Path classes, String packageName) throws IOException {
    URL[] urls = {classes.toUri().toURL()};
    return new URLClassLoader(urls, ClassDirectory.class.getClassLoader()) {
      @Override
      protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
          if (name.startsWith(packageName)) {
            Class<?> known = findLoadedClass(name);
            return known == null ? findClass(name) : known;
          }
        }
        return super.loadClass(name, resolve);
      }

      @Override
      public URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
      }
    };
  }
}
