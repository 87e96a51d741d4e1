package io.pmstore.proxy.layer;

import io.pmstore.ClassRefusedException;
import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreReadOnlyException;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.spi.PersistentObject;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Finds and makes the roots of a store. */
final class Roots {
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final Converter converter;
  private final Map<String, Class<?>> rootClaims = new ConcurrentHashMap<>();

  Roots(Heap heap, StoreSchema schema, StoreObjects objects, Converter converter) {
    this.heap = heap;
    this.schema = schema;
    this.objects = objects;
    this.converter = converter;
  }

  <T> T root(Class<T> type) {
    PersistentClass persistentClass = PersistentClasses.of(type);
    Persistent annotation = persistentClass.type().getAnnotation(Persistent.class);
    String name = annotation == null ? "" : annotation.root();
    if (name.isEmpty()) {
      throw new ClassRefusedException(
          "class %s names no root; annotate it with @Persistent(root = \"...\"), or call root(name, class)"
              .formatted(type.getName()));
    }
    Object root = rootObject(name, persistentClass);
    Persistent other = root.getClass().getAnnotation(Persistent.class);
    if (!type.isInstance(root) && other != null && other.root().equals(name)) {
      Class<?> found = PersistentClasses.of(root.getClass()).type();
      if (declaring(found) != declaring(persistentClass.type())) {
        throw twoClaims(name, found, persistentClass.type());
      }
    }
    claim(name, root, persistentClass.type());
    return checked(name, root, type);
  }

  /** Notes which class names a root. A class that the object is not of named a removed root. */
  private void claim(String name, Object root, Class<?> asked) {
    Class<?> type = declaring(asked);
    if (rootClaims.get(name) == type) {
      return;
    }
    Class<?> claimant =
        rootClaims.compute(
            name, (_, before) -> before != null && before.isInstance(root) ? before : type);
    if (claimant != type) {
      throw twoClaims(name, claimant, type);
    }
  }

  /** Returns the class whose annotation a class has: subclasses without one inherit it. */
  private static Class<?> declaring(Class<?> type) {
    Class<?> declaring = type;
    while (declaring.getDeclaredAnnotation(Persistent.class) == null
        && declaring.getSuperclass() != null) {
      declaring = declaring.getSuperclass();
    }
    return declaring;
  }

  private static ClassRefusedException twoClaims(String name, Class<?> one, Class<?> other) {
    return new ClassRefusedException(
        "classes %s and %s both name the root \"%s\"; give one of them another root name in its @Persistent"
            .formatted(one.getName(), other.getName(), name));
  }

  <T> T root(String name, Class<T> type) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(
          "the name of a root is empty; give it at least one character");
    }
    return checked(name, rootObject(name, PersistentClasses.of(type)), type);
  }

  private static <T> T checked(String name, Object root, Class<T> type) {
    if (!type.isInstance(root)) {
      throw new PmStoreException(
          "root \"%s\" is an object of class %s, not of %s; ask for it with its own class"
              .formatted(name, PersistentObject.classOf(root).getName(), type.getName()));
    }
    return type.cast(root);
  }

  private Object rootObject(String name, PersistentClass type) {
    schema.learn(type.type());
    Object existing =
        heap.read(
            () -> {
              long address = heap.directory().root(name);
              return address == 0 ? null : rootAt(name, address);
            });
    if (existing != null) {
      return existing;
    }
    requireRootCanBeMade(name);
    return heap.transaction(() -> createRoot(name, type));
  }

  private Object rootAt(String name, long address) {
    try {
      return objects.at(address);
    } catch (StoreDamagedException e) {
      throw new StoreDamagedException(
          "root \"%s\" at heap address %d: %s".formatted(name, address, e.getMessage()), e);
    }
  }

  private void requireRootCanBeMade(String name) {
    try {
      heap.checkWritable();
    } catch (StoreReadOnlyException e) {
      throw new StoreReadOnlyException(
          "there is no root \"%s\", and none can be made: %s, or check the name"
              .formatted(name, e.getMessage()),
          e);
    }
  }

  private Object createRoot(String name, PersistentClass type) {
    long address = heap.directory().root(name);
    if (address != 0) {
      return rootAt(name, address);
    }
    Object root = converter.create(type);
    heap.directory().setRoot(name, objects.addressToLink(root));
    return root;
  }
}
