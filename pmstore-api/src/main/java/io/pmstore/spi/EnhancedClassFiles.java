package io.pmstore.spi;

import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The class files of the {@link EnhancedCollection}s that an agent has enhanced. Such a class has a
 * field and methods that are missing in the class file which its class loader finds. Safe for use
 * by any number of threads.
 */
public final class EnhancedClassFiles {
  private static final Map<ClassLoader, Map<String, byte[]>> FILES = new WeakHashMap<>();

  private EnhancedClassFiles() {}

  /**
   * Keeps the class file of a class that is about to be loaded, as long as its class loader lives.
   *
   * @param loader the class loader that defines the class
   * @param name the binary name of the class
   * @param classFile the bytes that the JVM loads; not copied
   */
  public static void put(ClassLoader loader, String name, byte[] classFile) {
    synchronized (FILES) {
      FILES.computeIfAbsent(loader, _ -> new HashMap<>()).put(name, classFile);
    }
  }

  /**
   * Returns the class file that an agent has made.
   *
   * @param loader the class loader that defines the class; null for that of the JDK
   * @param name the binary name of the class
   * @return the class file, not copied; null if no agent has changed the class
   */
  public static byte @Nullable [] find(@Nullable ClassLoader loader, String name) {
    synchronized (FILES) {
      Map<String, byte[]> known = FILES.get(loader);
      return known == null ? null : known.get(name);
    }
  }
}
