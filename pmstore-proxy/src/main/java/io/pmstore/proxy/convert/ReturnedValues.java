package io.pmstore.proxy.convert;

import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.CollectionClasses;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.convert.WorkingValues.Slot;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.proxy.value.ValueCells;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Warns of changes that a program makes in arrays, dates, calendars and time zones, or in those in
 * records and {@code Optional}s, or in collections that the constructor of a record has copied,
 * that a property has returned: they are copies, so such a change is not stored. It keeps a second
 * copy of some small ones, {@value #MAX} at a time, and {@link LostChanges} compares the two later.
 * If the program has set the property meanwhile, or the transaction has not committed, nothing is
 * lost. Thread-safe.
 */
final class ReturnedValues {
  private static final int MAX = 64;

  private static final int ELEMENTS_MAX = 1000;

  private final Heap heap;
  private final StoreSchema schema;
  private final Snapshots snapshots;
  private final LostChanges lostChanges;
  private final EmbeddedValues embedded;
  private final ValueCells values;
  private final Map<Slot, Returned> bySlot = new ConcurrentHashMap<>();
  private final AtomicInteger kept = new AtomicInteger(); // also those whose properties were set

  ReturnedValues(StoreContext store, Converter converter, LostChanges lostChanges) {
    this.heap = store.heap();
    this.schema = store.schema();
    this.snapshots = converter.snapshots();
    this.lostChanges = lostChanges;
    this.embedded = converter.slots().embedded();
    this.values = store.values();
  }

  /** A value that a property has returned. */
  private final class Returned implements LostChanges.Suspect {
    private final Slot slot;
    private final String path; // as text: the object may be freed before anybody asks
    private final Object value;
    private final @Nullable Object before;
    private final AtomicBoolean isSettled; // its transaction has committed, or there was none

    Returned(Slot slot, Path path, Object value) {
      this.slot = slot;
      this.path = path.toString();
      this.value = value;
      this.before = snapshots.keptOfReturned(value);
      this.isSettled = settled();
    }

    @Override
    public @Nullable String lost() {
      kept.decrementAndGet();
      return bySlot.remove(slot, this) && isSettled.get() && !snapshots.isShown(before, value)
          ? "the %s that %s returned was changed. It is a copy, so the change is not stored. Set the property to the changed value; or, if only the copy is to change, change one of your own, such as clone() makes"
              .formatted(value.getClass().getSimpleName(), path)
          : null;
    }
  }

  /**
   * Notes that a property returns a value outside of the methods that may change it in place.
   *
   * @param offset of the property's cell
   * @param property its index in today's shape
   */
  void add(HeapObject object, int offset, int property, Object value) {
    if (kept.get() < MAX && lostChanges.hasRoom() && isChangeable(value)) {
      Slot slot = new Slot(object.identity(), offset);
      if (!bySlot.containsKey(slot) && left(value, ELEMENTS_MAX) >= 0) {
        add(slot, new Returned(slot, Path.ofProperty(schema, object, property), value));
      }
    }
  }

  /** Returns true for a value that can change in place, and for a record that has copied a list. */
  private boolean isChangeable(Object value) {
    return InPlace.changes(value)
        || (value instanceof Record
            && Arrays.stream(embedded.parts(value))
                .anyMatch(part -> part != null && CollectionClasses.contains(part.getClass())));
  }

  private void add(Slot slot, Returned returned) {
    if (bySlot.putIfAbsent(slot, returned) == null) {
      kept.incrementAndGet();
      lostChanges.add(returned);
    }
  }

  /** Returns what the commit of the current transaction makes true. The transaction keeps it. */
  private AtomicBoolean settled() {
    AtomicBoolean settled = new AtomicBoolean(!heap.isWritable());
    if (!settled.get()) {
      heap.onCommit(() -> settled.set(true));
    }
    return settled;
  }

  /** Notes that a property is set: changes in what it returned before are not lost. */
  void set(HeapObject object, int offset) {
    if (!bySlot.isEmpty()) {
      bySlot.remove(new Slot(object.identity(), offset));
    }
  }

  /**
   * Returns how many elements and components are left of a number; less than 0 if the value has
   * more, or refers to objects of the store.
   */
  private int left(@Nullable Object value, int elements) {
    if (value == null) {
      return elements;
    }
    if (EmbeddedValues.hasComponents(value)) {
      return leftOf(embedded.parts(value), elements);
    }
    if (value.getClass().isArray()) {
      if (!isOfValues(value)) {
        return -1;
      }
      return value instanceof Object[] parts
          ? leftOf(parts, elements)
          : elements - Array.getLength(value);
    }
    if (Snapshots.isPlainCollection(value)) {
      return leftOf(ChangeCheck.contents(value).toArray(), elements);
    }
    return InPlace.isDateOrZone(value) || values.isValue(value) ? elements : -1;
  }

  private int leftOf(@Nullable Object[] parts, int elements) {
    int rest = elements - parts.length;
    for (int i = 0; rest >= 0 && i < parts.length; i++) {
      rest = left(parts[i], rest);
    }
    return rest;
  }

  /** Returns true for an array whose elements refer to no objects of the store. */
  private static boolean isOfValues(Object value) {
    Class<?> element = value.getClass().componentType();
    while (element != null && element.isArray()) {
      element = element.componentType();
    }
    return element != null
        && (element.isPrimitive()
            || element == String.class
            || Number.class.isAssignableFrom(element));
  }
}
