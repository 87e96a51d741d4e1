package io.pmstore.proxy.convert;

import io.pmstore.core.heap.CallSite;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Warns of changes that a program makes in copies that a property or a collection has returned,
 * because such changes are not stored. These copies are arrays, dates, calendars and time zones,
 * the same in records and {@code Optional}s, and collections that the constructor of a record has
 * copied. It keeps a second copy of some small ones, {@value #MAX} at a time, and {@link
 * LostChanges} compares the two later. If the program has set the property or changed the
 * collection meanwhile, or the transaction has not committed, nothing is lost. Thread-safe.
 */
public final class ReturnedValues {
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

  /** A value that a property or a collection has returned. */
  private abstract class Returned implements LostChanges.Suspect {
    private final Object value;
    private final @Nullable Object before;
    private final AtomicBoolean isSettled; // its transaction has committed, or there was none
    private final String source; // as text: the object may be freed before anybody asks
    private final String remedy;

    Returned(Object value, String source, String remedy) {
      this.value = value;
      this.before = snapshots.keptOfReturned(value);
      this.isSettled = settled();
      this.source = source;
      this.remedy = remedy;
    }

    /** Returns true if what has returned the value has not changed since. Called once. */
    abstract boolean isUnchanged();

    @Override
    public @Nullable String lost() {
      kept.decrementAndGet();
      return isUnchanged() && isSettled.get() && !snapshots.isShown(before, value)
          ? "the %s that %s was changed. It is a copy, so the change is not stored. %s; or, if only the copy is to change, change one of your own, such as clone() makes"
              .formatted(value.getClass().getSimpleName(), source, remedy)
          : null;
    }
  }

  private final class OfProperty extends Returned {
    private final Slot slot;

    OfProperty(Slot slot, Path path, Object value) {
      super(value, path + " returned", "Set the property to the changed value");
      this.slot = slot;
    }

    @Override
    boolean isUnchanged() {
      return bySlot.remove(slot, this);
    }
  }

  private final class OfCollection extends Returned {
    private final Supplier<?> lastChange;
    private final Object seen;

    OfCollection(Object value, Supplier<?> lastChange) {
      super(
          value,
          "a collection returned at " + CallSite.current(),
          "Put the changed value into the collection, by set or put");
      this.lastChange = lastChange;
      this.seen = lastChange.get();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a change is an object of its own
    boolean isUnchanged() {
      return lastChange.get() == seen;
    }
  }

  /**
   * Notes that a property returns a value outside of the methods that may change it in place.
   *
   * @param offset of the property's cell
   * @param property its index in today's shape
   */
  void add(HeapObject object, int offset, int property, Object value) {
    if (watches(value)) {
      Slot slot = new Slot(object.identity(), offset);
      if (!bySlot.containsKey(slot) && isSmall(value)) {
        OfProperty returned =
            new OfProperty(slot, Path.ofProperty(schema, object, property), value);
        if (bySlot.putIfAbsent(slot, returned) == null) {
          add(returned);
        }
      }
    }
  }

  /**
   * Notes that a collection returns a value that this {@linkplain #watches}.
   *
   * @param lastChange returns another object when the collection has changed
   */
  public void add(Object value, Supplier<?> lastChange) {
    if (isSmall(value)) {
      add(new OfCollection(value, lastChange));
    }
  }

  /**
   * Returns true if there is room for a value, and it can change in place, or is a record that has
   * copied a collection.
   */
  public boolean watches(Object value) {
    return kept.get() < MAX
        && lostChanges.hasRoom()
        && (InPlace.changes(value)
            || (InPlace.mayHoldCollection(value.getClass()) && hasCopiedCollection(value)));
  }

  private boolean hasCopiedCollection(Object value) {
    return Arrays.stream(embedded.parts(value))
        .anyMatch(part -> part != null && CollectionClasses.contains(part.getClass()));
  }

  private void add(Returned returned) {
    kept.incrementAndGet();
    lostChanges.add(returned);
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

  private boolean isSmall(Object value) {
    return left(value, ELEMENTS_MAX) >= 0;
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
