package io.pmstore.jmh.support;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.commons.ClassRemapper;
import net.bytebuddy.jar.asm.commons.SimpleRemapper;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * A program in which some classes have another version: it loads classes of other names in their
 * places.
 */
public final class OtherVersion extends ClassLoader {
  private final Map<String, byte[]> classes = new HashMap<>();

  /**
   * Makes the program.
   *
   * @param versions for each class, under whose name it is to be loaded, the class to load
   */
  public OtherVersion(Map<Class<?>, Class<?>> versions) {
    super(OtherVersion.class.getClassLoader());
    Map<String, String> names = new HashMap<>();
    versions.forEach((name, version) -> names.put(internal(version), internal(name)));
    versions.forEach((name, version) -> classes.put(name.getName(), renamed(version, names)));
  }

  /**
   * Makes the program.
   *
   * @param name of the only class that has another version
   * @param file its class file
   */
  public OtherVersion(String name, byte[] file) {
    super(OtherVersion.class.getClassLoader());
    classes.put(name, file);
  }

  private static byte[] renamed(Class<?> type, Map<String, String> names) {
    ClassWriter renamed = new ClassWriter(0);
    OpenedClassReader.of(bytes(type))
        .accept(
            new ClassRemapper(renamed, new SimpleRemapper(OpenedClassReader.ASM_API, names)), 0);
    return renamed.toByteArray();
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static byte[] bytes(Class<?> type) {
    try (InputStream file = type.getResourceAsStream(type.getSimpleName() + ".class")) {
      if (file == null) {
        throw new IllegalStateException("the class file of " + type + " was not found");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A class as this program has it.
   *
   * @param type a class of the other program
   * @return the class of the same name
   */
  public Class<?> version(Class<?> type) {
    try {
      return loadClass(type.getName());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      byte[] bytes = classes.get(name);
      if (bytes == null) {
        return super.loadClass(name, resolve);
      }
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
    }
  }

  /** The class files, in which pmstore looks for what methods do. */
  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] bytes = classes.get(name.replace(".class", "").replace('/', '.'));
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }
}
