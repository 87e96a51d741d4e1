package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes that the catalogue names: with the class loaders of the classes that the
 * program has used with the store, then with the thread's. Safe for use by any number of threads.
 */
final class ClassFinder {
  private final Set<ClassLoader> loaders = new CopyOnWriteArraySet<>();

  /** Remembers where a class came from. */
  void learn(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
    }
  }

  /**
   * Finds a class.
   *
   * @param name its binary name
   * @throws ClassRefusedException if no class loader finds it
   */
  Class<?> find(String name) {
    Set<@Nullable ClassLoader> candidates = new LinkedHashSet<>(loaders);
    candidates.add(Thread.currentThread().getContextClassLoader());
    candidates.add(ClassFinder.class.getClassLoader());
    ClassNotFoundException cause = null;
    for (ClassLoader loader : candidates) {
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException e) {
        cause = e;
      }
    }
    throw new ClassRefusedException(
        "the store holds objects of class "
            + name
            + ", which was not found; put it on the class path, or make it visible to the class"
            + " loader of the root's class",
        cause);
  }
}
