package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a plain object was changed after its conversion, so that its twin has other
 * contents. It checks the object and the plain collections that it refers to, those in their
 * elements included, but not other objects.
 */
final class ChangeCheck {
  private final Converter converter;
  private final Snapshots snapshots;

  ChangeCheck(Converter converter) {
    this.converter = converter;
    this.snapshots = converter.snapshots();
  }

  /**
   * Throws if an object was changed since its conversion.
   *
   * @param path leads to the object
   * @throws NotPersistableException if it was changed
   */
  void check(Object plain, Twin twin, Path path) {
    String what = changed(plain, twin, newSet());
    if (what != null) {
      converter.checkPublished();
      throw new NotPersistableException(
          "%s is a plain object that was converted before, and %s changed since then, which would be lost; make the change on its persistent twin, which reading it back returns"
              .formatted(path, what));
    }
  }

  /** Returns an empty set of collections, which are compared by identity. */
  static Set<Object> newSet() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /**
   * Returns what of an object was changed since its conversion; null if nothing was.
   *
   * @param unchanged the collections that are known to be unchanged, with those in their elements;
   *     they are not checked again. This method adds those that it finds
   */
  @Nullable String changed(Object plain, Twin twin, Set<Object> unchanged) {
    @Nullable Object[] snapshot = twin.snapshot();
    if (snapshot == null) {
      return null; // its conversion is under way
    }
    if (!plain.getClass().isAnnotationPresent(Persistent.class)) {
      return hasUnchangedCollections(plain, unchanged) ? null : "its elements";
    }
    Binding binding = converter.store().schema().bind(plain.getClass());
    for (int i = 0; i < snapshot.length; i++) {
      Object now = binding.type().readPlain(plain, i);
      if (!snapshots.isSame(now, snapshot[i]) || !hasUnchangedCollections(now, unchanged)) {
        return "property " + binding.shape().properties().get(i).name();
      }
    }
    return null;
  }

  /**
   * Returns true if the plain collections that a value is, or has as its parts, are unchanged, and
   * those in their elements too.
   */
  private boolean hasUnchangedCollections(@Nullable Object value, Set<Object> unchanged) {
    Set<Object> seen = newSet();
    Deque<Object> unseen = new ArrayDeque<>();
    Consumer<Object> found =
        collection -> {
          if (!unchanged.contains(collection) && seen.add(collection)) {
            unseen.add(collection);
          }
        };
    snapshots.forEachCollection(value, found);
    for (Object next = unseen.poll(); next != null; next = unseen.poll()) {
      Twin twin = converter.find(next);
      @Nullable Object[] snapshot = twin == null ? null : twin.snapshot();
      if (snapshot != null) {
        List<@Nullable Object> now = contents(next);
        if (!isSame(now, snapshot)) {
          return false;
        }
        now.forEach(element -> snapshots.forEachCollection(element, found));
      }
    }
    unchanged.addAll(seen);
    return true;
  }

  /** Returns true if a plain collection has the contents of a snapshot. */
  boolean hasContents(Object collection, @Nullable Object[] snapshot) {
    return isSame(contents(collection), snapshot);
  }

  private boolean isSame(List<@Nullable Object> now, @Nullable Object[] snapshot) {
    if (now.size() != snapshot.length) {
      return false;
    }
    for (int i = 0; i < snapshot.length; i++) {
      if (!snapshots.isSame(now.get(i), snapshot[i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns true if a plain object is stored as a collection, not as an object of a class. */
  static boolean isCollection(Object plain) {
    return (plain instanceof Collection || plain instanceof Map)
        && !plain.getClass().isAnnotationPresent(Persistent.class);
  }

  /** Returns the elements of a plain collection, or its keys and values alternately. */
  static List<@Nullable Object> contents(Object collection) {
    List<@Nullable Object> contents = new ArrayList<>();
    // Uses iterators, as a conversion does: forEach and toArray may be inherited from a class that
    // has another order or other elements.
    if (collection instanceof Map<?, ?> map) {
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        contents.add(entry.getKey());
        contents.add(entry.getValue());
      }
    } else {
      for (Object element : (Collection<?>) collection) {
        contents.add(element);
      }
    }
    return contents;
  }
}
