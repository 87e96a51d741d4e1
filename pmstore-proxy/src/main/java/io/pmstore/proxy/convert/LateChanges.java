package io.pmstore.proxy.convert;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.identity.Twin;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.slot.PropertySlots;
import io.pmstore.spi.PersistentObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores the changes that a program makes in plain objects after their conversion, within the
 * transaction that converted them. It compares the plain object and its persistent twin, property
 * by property, with what the plain one held at its conversion; a collection is compared as a whole.
 * It writes what changed in the plain object only, and refuses what changed in both.
 */
final class LateChanges {
  /**
   * How many elements, or keys and values, a collection has at most whose changes are seen at once.
   */
  private static final int AT_ONCE_MAX = 1000;

  private final Converter converter;
  private final Snapshots snapshots;
  private final ChangeCheck check;

  LateChanges(Converter converter) {
    this.converter = converter;
    this.snapshots = converter.snapshots();
    this.check = new ChangeCheck(converter);
  }

  /**
   * Stores the changes of plain objects: properties before collections, which may hash or compare
   * by them. Before that, it checks whether the twins of the collections were changed.
   *
   * @throws NotPersistableException if both an original and its twin were changed, or if a change
   *     cannot be stored
   */
  void store(Object[] originals) {
    List<Object> collections = new ArrayList<>();
    for (Object plain : originals) {
      if (ChangeCheck.isCollection(plain) && isChanged(plain)) {
        collections.add(plain);
      }
    }
    for (Object plain : originals) {
      if (!ChangeCheck.isCollection(plain)) {
        storeProperties(plain);
      }
    }
    collections.forEach(this::storeContents);
  }

  /**
   * Stores a change to one plain collection, before the end of the transaction. A list that has
   * only grown is not compared as a whole; the end of the transaction does. Of a large collection
   * it stores all changes: looking at each would take time that grows with the square of the size.
   */
  void storeAtOnce(Object plain) {
    Twin twin = twin(plain);
    @Nullable Object[] snapshot = twin == null ? null : twin.snapshot();
    if (twin == null || snapshot == null || snapshot.length > AT_ONCE_MAX) {
      return;
    }
    boolean hasGrown =
        plain instanceof List<?> list
            && twin.persistent() instanceof List<?> stored
            && stored.size() == snapshot.length
            && list.size() > snapshot.length
            && (snapshot.length == 0
                || snapshots.isSame(list.get(snapshot.length - 1), snapshot[snapshot.length - 1]));
    if (hasGrown) {
      append((List<?>) plain, twin, snapshot);
    } else if (isChanged(plain)) {
      storeContents(plain);
    }
  }

  @SuppressWarnings("unchecked") // the twin of a list is one
  private void append(List<?> plain, Twin twin, @Nullable Object[] snapshot) {
    @Nullable Object[] contents = Arrays.copyOf(snapshot, plain.size());
    List<@Nullable Object> list = (List<@Nullable Object>) twin.persistent();
    converter
        .savepoints()
        .done(
            Steps.Kind.CONTENTS,
            () -> {
              list.subList(snapshot.length, list.size()).clear();
              twin.converted(snapshot);
            });
    Path path = Path.of(plain);
    for (int i = snapshot.length; i < contents.length; i++) {
      Object stored = converter.admit(plain.get(i), path.element(i));
      list.add(stored);
      contents[i] = snapshots.kept(plain.get(i), stored);
    }
    twin.converted(contents);
  }

  /** Returns a plain object and the collections that it refers to, be it in records or arrays. */
  Object[] withCollections(Object plain) {
    List<Object> originals = new ArrayList<>(List.of(plain));
    if (!ChangeCheck.isCollection(plain)) {
      Binding binding = converter.store().schema().bind(plain.getClass());
      for (int i = 0; i < binding.shape().properties().size(); i++) {
        snapshots.forEachCollection(binding.type().readPlain(plain, i), originals::add);
      }
    }
    return originals.toArray();
  }

  /** Returns the twin of a plain object, or null if its conversion is under way. */
  private @Nullable Twin twin(Object plain) {
    Twin twin = converter.findUncommitted(plain);
    return twin == null || twin.snapshot() == null ? null : twin;
  }

  private void storeProperties(Object plain) {
    Twin twin = twin(plain);
    if (twin != null) {
      storeProperties(plain, twin, Objects.requireNonNull(twin.snapshot()));
    }
  }

  private void storeProperties(Object plain, Twin twin, @Nullable Object[] snapshot) {
    Binding binding = converter.store().schema().bind(plain.getClass());
    for (int i = 0; i < snapshot.length; i++) {
      Object now = binding.type().readPlain(plain, i);
      if (!snapshots.isSame(now, snapshot[i])) {
        storeProperty(plain, twin, binding, i, now, snapshot);
      }
    }
  }

  private void storeProperty(
      Object plain,
      Twin twin,
      Binding binding,
      int index,
      @Nullable Object now,
      @Nullable Object[] snapshot) {
    Path path = Path.of(plain).property(binding.type().properties().get(index));
    Object stored = converter.admit(now, path);
    Object inTwin =
        PropertySlots.read(handle(twin), binding.shape().properties().get(index), index);
    if (!isStored(stored, inTwin)) {
      if (!isStored(snapshot[index], inTwin)) {
        throw changedBoth(path);
      }
      write(twin, binding, index, stored, path);
      Object before = snapshot[index];
      converter
          .savepoints()
          .done(
              Steps.Kind.PROPERTY,
              () -> {
                write(twin, binding, index, inTwin, path);
                snapshot[index] = before;
              });
    }
    snapshot[index] = snapshots.kept(now, stored);
  }

  private void write(Twin twin, Binding binding, int index, @Nullable Object value, Path path) {
    Property slot = binding.shape().properties().get(index);
    long at = handle(twin).addressToWrite();
    converter.slots().write(at, slot, binding.enums().get(index), value, path, converter);
  }

  private HeapObject handle(Twin twin) {
    StoreObjects objects = converter.store().objects();
    return Objects.requireNonNull(objects.handle((PersistentObject) twin.persistent()));
  }

  /** Returns true if the twin has what a snapshot kept, or what was stored. */
  private boolean isStored(@Nullable Object kept, @Nullable Object inTwin) {
    return PlainCollections.isSharedEmpty(kept)
        ? (inTwin instanceof Collection<?> elements && elements.isEmpty())
            || (inTwin instanceof Map<?, ?> map && map.isEmpty())
        : snapshots.isShown(kept, inTwin);
  }

  /** Returns true if a plain collection was changed. Throws if its twin was changed too. */
  private boolean isChanged(Object plain) {
    Twin twin = twin(plain);
    @Nullable Object[] snapshot = twin == null ? null : twin.snapshot();
    if (twin == null || snapshot == null || check.hasContents(plain, snapshot)) {
      return false;
    }
    boolean isTwinUnchanged =
        twin.persistent() instanceof Map<?, ?> map
            ? hasEntries(map, snapshot)
            : hasElements((Collection<?>) twin.persistent(), snapshot);
    if (!isTwinUnchanged) {
      throw changedBoth(Path.of(plain));
    }
    return true;
  }

  private void storeContents(Object plain) {
    Twin twin = Objects.requireNonNull(twin(plain));
    List<@Nullable Object> contents = ChangeCheck.contents(plain);
    List<@Nullable Object> stored = new ArrayList<>(contents.size());
    List<@Nullable Object> snapshot = new ArrayList<>(contents.size());
    Path path = Path.of(plain);
    for (Object one : contents) {
      stored.add(converter.admit(one, path.element(stored.size())));
      snapshot.add(Snapshots.toKeep(one, stored.getLast()));
    }
    @Nullable Object[] before = Objects.requireNonNull(twin.snapshot());
    converter
        .savepoints()
        .done(
            Steps.Kind.CONTENTS,
            () -> {
              List<@Nullable Object> values = new ArrayList<>();
              for (Object kept : before) {
                values.add(snapshots.value(kept));
              }
              replace(twin.persistent(), values);
              twin.converted(before);
            });
    fill(twin.persistent(), stored, before);
    snapshot.replaceAll(snapshots::kept);
    twin.converted(snapshot.toArray());
  }

  private boolean hasEntries(Map<?, ?> map, @Nullable Object[] snapshot) {
    boolean same = map.size() * 2 == snapshot.length;
    if (map instanceof SequencedMap) {
      Iterator<?> keys = map.keySet().iterator();
      for (int i = 0; same && i < snapshot.length; i += 2) {
        same = isStored(snapshot[i], keys.next());
      }
    }
    for (int i = 0; same && i < snapshot.length; i += 2) {
      Object key = snapshots.value(snapshot[i]);
      same = map.containsKey(key) && isStored(snapshot[i + 1], map.get(key));
    }
    return same;
  }

  private boolean hasElements(Collection<?> elements, @Nullable Object[] snapshot) {
    boolean same = elements.size() == snapshot.length;
    if (elements instanceof Set && !(elements instanceof SequencedSet)) {
      for (int i = 0; same && i < snapshot.length; i++) {
        same = elements.contains(snapshots.value(snapshot[i]));
      }
      return same;
    }
    Iterator<?> iterator = elements.iterator();
    for (int i = 0; same && i < snapshot.length; i++) {
      same = isStored(snapshot[i], iterator.next());
    }
    return same;
  }

  /**
   * Replaces the contents of the twin, which has those of the snapshot. If the new contents of a
   * list, deque or map only add at the end, it appends.
   */
  private void fill(Object persistent, List<@Nullable Object> stored, @Nullable Object[] snapshot) {
    int same = prefix(stored, snapshot);
    if (same < snapshot.length || persistent instanceof Set) {
      replace(persistent, stored);
    } else {
      add(persistent, stored.subList(same, stored.size()));
    }
  }

  private static void replace(Object persistent, List<@Nullable Object> contents) {
    if (persistent instanceof Map<?, ?> map) {
      map.clear();
    } else {
      ((Collection<?>) persistent).clear();
    }
    add(persistent, contents);
  }

  @SuppressWarnings("unchecked") // the twin is of the same kind as the collection
  static void add(Object persistent, List<@Nullable Object> contents) {
    if (persistent instanceof Map<?, ?>) {
      Map<@Nullable Object, @Nullable Object> map =
          (Map<@Nullable Object, @Nullable Object>) persistent;
      for (int i = 0; i < contents.size(); i += 2) {
        map.put(contents.get(i), contents.get(i + 1));
      }
    } else {
      ((Collection<@Nullable Object>) persistent).addAll(contents);
    }
  }

  /** Returns how many of the first contents are those of the snapshot. */
  private int prefix(List<@Nullable Object> stored, @Nullable Object[] snapshot) {
    int same = 0;
    while (same < snapshot.length
        && same < stored.size()
        && snapshots.isSame(stored.get(same), snapshot[same])) {
      same++;
    }
    return same;
  }

  private static NotPersistableException changedBoth(Path path) {
    return new NotPersistableException(
        "%s was changed in a plain object after its conversion and in its persistent twin, within one transaction, and only one of the two can be stored; change the twin only, which reading it back returns"
            .formatted(path));
  }
}
