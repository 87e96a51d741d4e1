package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a plain object was changed after its conversion, so that its twin no longer
 * says what it says. It looks at the object and at the plain collections that it holds, not at
 * other objects that it refers to.
 */
final class ChangeCheck {
  private final Converter converter;

  ChangeCheck(Converter converter) {
    this.converter = converter;
  }

  /**
   * Refuses an object that was changed.
   *
   * @param plain the plain object
   * @param twin its twin
   * @param path how it is reached
   * @throws NotPersistableException if it was changed
   */
  void check(Object plain, Twin twin, Path path) {
    @Nullable Object[] snapshot = twin.snapshot();
    if (snapshot == null) {
      return; // its conversion is under way
    }
    if (!plain.getClass().isAnnotationPresent(Persistent.class)) {
      if (!hasContents(plain, snapshot)) {
        throw changed(path, "its elements");
      }
      return;
    }
    Binding binding = converter.schema().bind(plain.getClass());
    for (int i = 0; i < snapshot.length; i++) {
      Object now = binding.type().readPlain(plain, i);
      if (!isSame(now, snapshot[i]) || !isUnchangedCollection(now)) {
        throw changed(path, "property " + binding.shape().properties().get(i).name());
      }
    }
  }

  /**
   * What a snapshot keeps of a property, so that it can be compared with the plain object's.
   *
   * @param plain what the plain object has
   * @param stored what was stored for it
   */
  static @Nullable Object kept(@Nullable Object plain, @Nullable Object stored) {
    return PlainCollections.isSharedEmpty(plain) ? plain : kept(stored);
  }

  /** What a snapshot keeps of a value: a copy if it can change. */
  @SuppressWarnings("JavaUtilDate") // users have such values
  private static @Nullable Object kept(@Nullable Object stored) {
    return switch (stored) {
      case null -> null;
      case Object[] array -> {
        @Nullable Object[] copy = array.clone();
        for (int i = 0; i < copy.length; i++) {
          copy[i] = kept(copy[i]);
        }
        yield copy;
      }
      case Date date -> date.clone();
      case byte[] array -> array.clone();
      case short[] array -> array.clone();
      case char[] array -> array.clone();
      case int[] array -> array.clone();
      case long[] array -> array.clone();
      case float[] array -> array.clone();
      case double[] array -> array.clone();
      case boolean[] array -> array.clone();
      default -> stored;
    };
  }

  private boolean isUnchangedCollection(@Nullable Object value) {
    if (value instanceof PersistentObject
        || !(value instanceof Collection || value instanceof Map)) {
      return true;
    }
    Twin twin = converter.find(value);
    @Nullable Object[] snapshot = twin == null ? null : twin.snapshot();
    return snapshot == null || hasContents(value, snapshot);
  }

  private boolean hasContents(Object collection, @Nullable Object[] snapshot) {
    List<@Nullable Object> now = new ArrayList<>(snapshot.length);
    if (collection instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            now.add(key);
            now.add(value);
          });
    } else {
      now.addAll((Collection<?>) collection);
    }
    if (now.size() != snapshot.length) {
      return false;
    }
    for (int i = 0; i < snapshot.length; i++) {
      if (!isSame(now.get(i), snapshot[i])) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("ReferenceEquality") // objects are compared by identity
  private boolean isSame(@Nullable Object now, @Nullable Object then) {
    if (!(then instanceof PersistentObject)) {
      return Objects.deepEquals(now, then);
    }
    return now == then
        || (now != null && !(now instanceof PersistentObject) && converter.twinOf(now) == then);
  }

  private static NotPersistableException changed(Path path, String what) {
    return new NotPersistableException(
        path
            + " is a plain object that was converted before, and "
            + what
            + " changed since then, which would be lost; make the change on its persistent twin,"
            + " which reading it back returns");
  }
}
