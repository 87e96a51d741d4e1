package io.pmstore.proxy.schema;

import io.pmstore.ClassRefusedException;
import io.pmstore.FormerNames;
import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.proxy.bean.AbstractTypes;
import io.pmstore.proxy.evolution.KnownClasses;
import io.pmstore.proxy.evolution.ReachableClasses;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the classes that the catalogue names: with the class loaders of the classes that the
 * program has used with the store, then with the thread's. If there is none, the name may be a
 * former one of these classes or of those that they refer to. Thread-safe.
 */
final class ClassFinder implements KnownClasses {
  private final Set<ClassLoader> loaders = new CopyOnWriteArraySet<>();
  private final Set<Class<?>> followed = ConcurrentHashMap.newKeySet();
  private final Set<Class<?>> learnt = new HashSet<>(); // guarded by this object's monitor
  private final Map<String, Set<Class<?>>> byFormerName = new ConcurrentHashMap<>();
  private final Map<String, Class<?>> byName = new ConcurrentHashMap<>(); // found by the loaders

  /**
   * Remembers the class loader of a class, and the former names of all classes that it refers to.
   */
  void learn(Class<?> type) {
    if (followed.contains(type)) {
      return;
    }
    synchronized (this) {
      learnLoader(type);
      ReachableClasses.visit(type, this::learnNames, this::learnFormerNames);
    }
    followed.add(type);
  }

  /** Returns the classes that were learnt, and those that they refer to. */
  synchronized Set<Class<?>> learnt() {
    return new HashSet<>(learnt);
  }

  private void learnLoader(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    if (loader != null) {
      loaders.add(loader);
    }
  }

  private boolean learnNames(Class<?> type) {
    learnLoader(type);
    learnFormerNames(type);
    return learnt.add(type);
  }

  private void learnFormerNames(Class<?> type) {
    FormerNames names = type.getAnnotation(FormerNames.class);
    if (names != null) {
      for (String name : names.value()) {
        byFormerName.computeIfAbsent(name, n -> new CopyOnWriteArraySet<>()).add(type);
      }
    }
  }

  /**
   * Returns the class that has a binary name, or had it.
   *
   * @throws ClassRefusedException if no class loader finds it
   * @throws StoreDamagedException if it is no class of a program
   */
  Class<?> find(String name) {
    Class<?> found = lookUp(name);
    if (found == null) {
      throw notFound(name);
    }
    return found;
  }

  /**
   * Returns what {@link #lookUp} does. An abstract class has no objects, so those that the store
   * has under its name are of the concrete class that says it had the name, if there is one.
   *
   * @throws ClassRefusedException if two classes claim the name
   */
  @Nullable Class<?> lookUpOfObjects(String name) {
    Class<?> named = lookUp(name, true);
    return named != null ? named : lookUp(name, false);
  }

  /** Returns what to throw if no class has a name. */
  static PmStoreException notFound(String name) {
    if (name.startsWith("pmstore.")) { // the nodes of collections
      return new StoreDamagedException(
          "found a reference to a %s, expected one to an object of a class; restore the store from a backup"
              .formatted(name));
    }
    return new ClassRefusedException(
        "the store holds objects of class %s, which was not found; put it on the class path, or make it visible to the class loader of the root's class. If it was renamed, annotate the new class with @FormerNames(\"%s\"), and name that in the options if no class that is in use refers to it"
            .formatted(name, name));
  }

  @Override
  public @Nullable Class<?> lookUp(String name) {
    return lookUp(name, false);
  }

  private @Nullable Class<?> lookUp(String name, boolean concreteOnly) {
    Class<?> named = load(name);
    if (named != null && !AbstractTypes.isAbstract(named)) {
      return named;
    }
    int dimensions = name.lastIndexOf('[') + 1;
    if (dimensions > 0) {
      Class<?> element =
          name.charAt(dimensions) == 'L'
              ? lookUp(name.substring(dimensions + 1, name.length() - 1), false)
              : null;
      for (int i = 0; element != null && i < dimensions; i++) {
        element = element.arrayType();
      }
      return element;
    }
    Class<?> concrete = claimant(name, false); // throws also if it is not asked for
    if (concreteOnly) {
      return concrete;
    }
    Class<?> withoutObjects = named != null ? named : claimant(name, true);
    return withoutObjects != null ? withoutObjects : concrete;
  }

  private @Nullable Class<?> load(String name) {
    Class<?> known = byName.get(name);
    if (known != null) {
      return known;
    }
    Class<?> found = load(name, loaders);
    if (found != null) {
      byName.put(name, found);
      return found;
    }
    Set<@Nullable ClassLoader> candidates = new LinkedHashSet<>();
    candidates.add(Thread.currentThread().getContextClassLoader());
    candidates.add(ClassFinder.class.getClassLoader());
    return load(name, candidates);
  }

  private static @Nullable Class<?> load(
      String name, Set<? extends @Nullable ClassLoader> candidates) {
    for (ClassLoader loader : candidates) {
      try {
        return Class.forName(name, false, loader);
      } catch (ClassNotFoundException e) {
        // The next one may have it.
      }
    }
    return null;
  }

  /** Returns the abstract, or the concrete, class that says it had a name; null if none does. */
  private @Nullable Class<?> claimant(String name, boolean isAbstract) {
    Class<?> first = null;
    for (Class<?> claimant : byFormerName.getOrDefault(name, Set.of())) {
      if (AbstractTypes.isAbstract(claimant) != isAbstract) {
        continue;
      }
      if (first != null && !first.getName().equals(claimant.getName())) {
        throw new ClassRefusedException(
            "the store has class %s, and the rename is ambiguous: @FormerNames says of both %s and %s that they were it; leave the name with one of them"
                .formatted(name, first.getName(), claimant.getName()));
      }
      first = claimant;
    }
    return first;
  }
}
