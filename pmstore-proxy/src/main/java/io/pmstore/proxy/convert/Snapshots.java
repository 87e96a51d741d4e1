package io.pmstore.proxy.convert;

import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bean.RecordClass;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.slot.CopiedCollections;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of the values of a plain object, to detect later changes: values, copies of those
 * that can change in place, and the persistent twins of objects. Thread-safe.
 */
final class Snapshots {
  private final Converter converter;
  private final ValueCells values;
  private final EmbeddedValues embedded;

  /** The parts of an array, or of a record or {@code Optional} that a copy or a twin is part of. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares or shows it
  private record Parts(Class<?> type, @Nullable Object[] values) {}

  Snapshots(Converter converter) {
    this.converter = converter;
    this.values = converter.store().values();
    this.embedded = converter.slots().embedded();
  }

  /**
   * Returns what to compare a plain object's value with later. Its parts have twins by now.
   *
   * @param plain the plain object's value
   * @param stored what was stored for it
   */
  @Nullable Object kept(@Nullable Object plain, @Nullable Object stored) {
    return kept(toKeep(plain, stored));
  }

  /** Returns the one of the two that {@link #kept(Object)} will take later. */
  static @Nullable Object toKeep(@Nullable Object plain, @Nullable Object stored) {
    Object behind = plain == null ? null : JdkWrappers.behind(plain);
    return PlainCollections.isSharedEmpty(behind) ? behind : stored;
  }

  @Nullable Object kept(@Nullable Object value) {
    if (value == null || value instanceof PersistentObject) {
      return value;
    }
    Parts parts = parts(value);
    if (parts != null) {
      @Nullable Object[] kept = Arrays.stream(parts.values()).map(this::kept).toArray();
      return value instanceof Object[] || !areIdentical(kept, parts.values())
          ? new Parts(parts.type(), kept)
          : value;
    }
    if (InPlace.changes(value)) {
      return InPlace.copy(value);
    }
    if (values.isValue(value)) {
      return values.copy(value);
    }
    Object twin = converter.twinOf(value);
    return twin == null ? value : twin;
  }

  /**
   * Returns what to compare a value of the store with later that a program may change: the plain
   * collections that the constructor of a record has made are copied, too.
   */
  @Nullable Object keptOfReturned(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    if (isPlainCollection(value)) {
      return CopiedCollections.copy(value);
    }
    Parts parts = parts(value);
    return parts == null
        ? kept(value)
        : new Parts(
            parts.type(), Arrays.stream(parts.values()).map(this::keptOfReturned).toArray());
  }

  /** Returns true for a collection that is none of a store. */
  static boolean isPlainCollection(Object value) {
    return !(value instanceof PersistentObject) && ChangeCheck.isCollection(value);
  }

  @SuppressWarnings("ReferenceEquality") // a copy is equal
  private static boolean areIdentical(@Nullable Object[] some, @Nullable Object[] others) {
    boolean same = true;
    for (int i = 0; same && i < some.length; i++) {
      same = some[i] == others[i];
    }
    return same;
  }

  /** Returns the parts of a value, or of what was kept of one; null if it has none. */
  private @Nullable Parts parts(Object value) {
    return switch (value) {
      case Parts parts -> parts;
      case Object[] array -> new Parts(array.getClass(), array);
      case Object _ when EmbeddedValues.hasComponents(value) ->
          new Parts(RecordClass.keptAs(value.getClass()), embedded.parts(value));
      default -> null;
    };
  }

  /** Returns a value like the one of which this was kept. Its parts are twins. */
  @Nullable Object value(@Nullable Object kept) {
    if (!(kept instanceof Parts parts)) {
      return kept;
    }
    @Nullable Object[] all = Arrays.stream(parts.values()).map(this::value).toArray();
    return parts.type().isArray()
        ? Arrays.copyOf(all, all.length, parts.type().asSubclass(Object[].class))
        : embedded.of(parts.type(), all);
  }

  /**
   * Returns true if a plain object's value is another one: that of a snapshot, or that of the
   * store. Compares objects by identity, a plain one as its twin.
   */
  @SuppressWarnings("ReferenceEquality")
  boolean isSame(@Nullable Object value, @Nullable Object other) {
    Object now = unwrapped(value);
    Object then = unwrapped(other);
    if (now == then || now == null || then == null || now instanceof PersistentObject) {
      return now == then;
    }
    if (then instanceof PersistentObject) {
      return converter.twinOf(now) == then;
    }
    Parts nowParts = parts(now);
    Parts thenParts = parts(then);
    if (nowParts != null && thenParts != null) {
      return nowParts.type() == thenParts.type() && areSame(nowParts.values(), thenParts.values());
    }
    return values.isStoredAlike(now, then);
  }

  /**
   * Returns true if the store shows what was kept. A record's constructor may have copied the
   * collections that it was given, so those in records are compared by their contents.
   */
  boolean isShown(@Nullable Object kept, @Nullable Object shown) {
    if (isSame(kept, shown)) {
      return true;
    }
    Parts keptParts = kept == null ? null : parts(kept);
    Parts shownParts = shown == null ? null : parts(shown);
    if (keptParts == null || shownParts == null || keptParts.type() != shownParts.type()) {
      return false;
    }
    return areShown(Arrays.asList(keptParts.values()), Arrays.asList(shownParts.values()));
  }

  private boolean areShown(Collection<?> kept, Collection<?> shown) {
    boolean same = kept.size() == shown.size();
    Iterator<?> others = shown.iterator();
    for (Iterator<?> each = kept.iterator(); same && each.hasNext(); ) {
      same = isPartShown(each.next(), others.next());
    }
    return same;
  }

  private boolean isPartShown(@Nullable Object kept, @Nullable Object shown) {
    return isShown(kept, shown)
        || switch (shown) {
          case Map<?, ?> map when kept instanceof Map<?, ?> from ->
              from.size() == map.size()
                  && map.keySet().stream()
                      .allMatch(k -> from.containsKey(k) && isPartShown(from.get(k), map.get(k)));
          case Set<?> set when kept instanceof Set<?> from ->
              from.size() == set.size() && from.containsAll(set);
          case Collection<?> elements when kept instanceof Collection<?> from ->
              areShown(from, elements);
          case null, default -> false;
        };
  }

  private static @Nullable Object unwrapped(@Nullable Object value) {
    return value == null ? null : Facades.unwrapped(JdkWrappers.behind(value));
  }

  private boolean areSame(@Nullable Object[] some, @Nullable Object[] others) {
    boolean same = some.length == others.length;
    for (int i = 0; same && i < some.length; i++) {
      same = isSame(some[i], others[i]);
    }
    return same;
  }

  /** Shows the plain collection that a value is, or those that are its parts. */
  void forEachCollection(@Nullable Object value, Consumer<Object> action) {
    forEachCollection(value, action, 0);
  }

  private void forEachCollection(@Nullable Object value, Consumer<Object> action, int depth) {
    if (value == null || value instanceof PersistentObject) {
      return;
    }
    if (ChangeCheck.isCollection(value)) {
      action.accept(value);
      return;
    }
    Parts parts = depth > EmbeddedValues.DEPTH_MAX ? null : parts(value); // refused when written
    if (parts != null) {
      for (Object part : parts.values()) {
        forEachCollection(part, action, depth + 1);
      }
    }
  }
}
