package io.pmstore.jmh.opening;

import io.pmstore.enhance.EnhancePlugin;
import io.pmstore.oms.run.JvmCommand;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.dynamic.ClassFileLocator;

/**
 * Enhances a class file in a JVM of its own, as a build does: the code that the enhancer and
 * pmstore share would be warm in the JVM that is measured.
 */
final class EnhancedFile {
  private EnhancedFile() {}

  /** Returns the class file of a class of this class path, enhanced. */
  static byte[] of(String file) throws IOException {
    Path enhanced = Files.createTempFile("pmstore-enhanced", ".class");
    try {
      List<String> command = JvmCommand.of(EnhancedFile.class, List.of(file, enhanced.toString()));
      int exit = new ProcessBuilder(command).inheritIO().start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException(file + " was not enhanced: its JVM ended with " + exit);
      }
      return Files.readAllBytes(enhanced);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + file + " was enhanced", e);
    } finally {
      Files.delete(enhanced);
    }
  }

  /** Returns the class file of a class of this class path. */
  static byte[] plain(String file) throws IOException {
    try (InputStream in = EnhancedFile.class.getClassLoader().getResourceAsStream(file)) {
      return Objects.requireNonNull(in, file).readAllBytes();
    }
  }

  /**
   * Enhances a class.
   *
   * @param arguments the name of its class file, and the file to write
   */
  public static void main(String[] arguments) throws IOException {
    String file = arguments[0];
    Plugin.Engine.Target.InMemory target = new Plugin.Engine.Target.InMemory();
    try (ClassFileLocator others =
        ClassFileLocator.ForClassLoader.of(EnhancedFile.class.getClassLoader())) {
      new Plugin.Engine.Default()
          .with(others)
          .apply(
              new Plugin.Engine.Source.InMemory(Map.of(file, plain(file))),
              target,
              new Plugin.Factory.Simple(new EnhancePlugin()));
    }
    Files.write(Path.of(arguments[1]), Objects.requireNonNull(target.getStorage().get(file), file));
  }
}
