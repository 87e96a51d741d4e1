package io.pmstore.enhance.corpus;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes of one unit in a class loader of their own, and objects made of them. */
final class World extends ClassLoader {
  private final Map<String, byte[]> files;
  private final ClassLoader resources;

  /**
   * Whether all maps and sets that are given to objects keep an order. Of others copies with an
   * order may have any.
   */
  final boolean isOrdered;

  /** Objects made so far, which others may refer to. */
  final List<Object> made = new ArrayList<>();

  /**
   * Creates one.
   *
   * @param files the class files
   * @param libraries finds other classes
   * @param resources finds the other files of the unit
   * @param isOrdered whether maps and sets keep an order
   */
  World(
      Map<String, byte[]> files, ClassLoader libraries, ClassLoader resources, boolean isOrdered) {
    super(libraries);
    this.isOrdered = isOrdered;
    this.files = files;
    this.resources = resources;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      if (!files.containsKey(name)) {
        return super.loadClass(name, resolve);
      }
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] bytes =
        name.endsWith(".class")
            ? files.get(name.substring(0, name.length() - 6).replace('/', '.'))
            : null;
    return bytes == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(bytes);
  }

  @Override
  protected @Nullable URL findResource(String name) {
    return resources.getResource(name);
  }

  /** Returns true for a class that this loader has defined. */
  boolean isOwn(Class<?> type) {
    return type.getClassLoader() == this;
  }
}
