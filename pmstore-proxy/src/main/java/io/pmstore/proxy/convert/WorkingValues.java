package io.pmstore.proxy.convert;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.HeapObject;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.spi.EnhancedArrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of properties that a program can change in place: arrays, dates, and records that
 * contain them. Within a transaction, a method that may change such a value gets the same object
 * each time it reads the property, and so does code that has set it. When the body of the
 * transaction has ended, the changes in these objects are written. Thread-safe.
 *
 * <p>A working value belongs to its property as long as the property's cell has the words that it
 * had when the value was read or written. A property that was set since has another value, as in
 * plain Java.
 *
 * <p>A roll-back gives an object that the program set what it held before methods changed it:
 * otherwise a body that runs again would begin with their changes.
 */
public final class WorkingValues {
  /** The place of a property. */
  record Slot(long object, int offset) {}

  /**
   * The value of a property, and the words of its cell.
   *
   * @param isGiven whether the program set the property to this very object, and has it still
   */
  private record Working(
      HeapObject object,
      int offset,
      int property,
      Object value,
      long first,
      long second,
      boolean isGiven) {}

  private final Heap heap;
  private final StoreSchema schema;
  private final Slots slots;
  private final Converter converter;
  private final ReturnedValues returned;

  /** The working values of one thread. */
  private static final class Values {
    private final SequencedMap<Slot, Working> bySlot = new LinkedHashMap<>();
    private final IdentityHashMap<Object, InPlaceState> before =
        new IdentityHashMap<>(); // of given objects
    private final UnwrittenValues unwritten = new UnwrittenValues();
    private int methods; // running methods that may change values in place
    private boolean isWatched; // the transaction will write them back
  }

  @SuppressWarnings("ThreadLocalUsage") // one for each store, and emptied with each transaction
  private final ThreadLocal<@Nullable Values> current = new ThreadLocal<>();

  WorkingValues(StoreContext store, Slots slots, Converter converter, ReturnedValues returned) {
    this.returned = returned;
    this.heap = store.heap();
    this.schema = store.schema();
    this.slots = slots;
    this.converter = converter;
  }

  /**
   * Returns the value of a property in the current transaction, or the committed value.
   *
   * @param offset of the property's cell
   * @param property its index in today's shape
   * @param first the cell's first word
   * @param second its second word
   * @return the same object until the property is set, if a running method may change it
   */
  public @Nullable Object read(
      HeapObject object, int offset, int property, long first, long second) {
    Values mine = current.get();
    if (mine == null) {
      Object value = slots.cell(first, second);
      if (value != null) {
        returned.add(object, offset, property, value);
      }
      return value;
    }
    Working known = mine.bySlot.get(new Slot(object.identity(), offset));
    if (known != null && known.first() == first && known.second() == second) {
      if (known.isGiven() && mine.methods > 0) {
        mine.before.computeIfAbsent(
            known.value(), value -> InPlaceState.of(value, slots.embedded()));
      }
      return known.value();
    }
    Object value = slots.cell(first, second);
    if (value != null && isNeeded(value)) {
      add(mine, new Working(object, offset, property, value, first, second, false));
    } else if (value != null && mine.methods > 0 && InPlace.changes(value)) {
      addUnwritten(mine, object, offset, property, value);
      mine.unwritten.trim();
    } else if (value != null && mine.methods == 0) {
      returned.add(object, offset, property, value);
    }
    return value;
  }

  private void addUnwritten(
      Values mine, HeapObject object, int offset, int property, Object value) {
    mine.unwritten.add(
        new Slot(object.identity(), offset),
        InPlaceState.of(value, slots.embedded()),
        Path.ofProperty(schema, object, property),
        heap.isReadOnly());
  }

  /**
   * Returns true if a method that is running may change a value in place, and the change can be
   * written.
   */
  public boolean isNeeded(Object value) {
    return isChanging() && InPlace.changes(value) && heap.isWritable();
  }

  /** Returns true if the calling thread is inside {@link #changing}. */
  public boolean isChanging() {
    Values mine = current.get();
    return mine != null && mine.methods > 0;
  }

  /**
   * Runs a method that may change values in place. The values that are read during the method stay
   * the same objects until the transaction has ended. If that is one of the method's own, later
   * changes in them are refused.
   *
   * @return what the method returned
   * @throws Exception what it threw
   * @throws IllegalStateException if it changed a value that it had read where nothing can be
   *     written, or in a transaction that had ended
   */
  public @Nullable Object changing(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception {
    Values mine = values();
    mine.methods++;
    try {
      Object result = body.run();
      if (mine.methods == 1) {
        mine.unwritten.check();
      }
      return result;
    } finally {
      mine.methods--;
      removeIfUnused(mine);
    }
  }

  private Values values() {
    Values mine = current.get();
    if (mine == null) {
      mine = new Values();
      current.set(mine);
    }
    return mine;
  }

  private void removeIfUnused(Values mine) {
    if (mine.methods == 0) {
      mine.unwritten.clear();
      if (mine.bySlot.isEmpty()) {
        current.remove();
      }
    }
  }

  /** Notes that a property is set: what was read from it before does not matter any more. */
  public void set(HeapObject object, int offset) {
    returned.set(object, offset);
    Values mine = current.get();
    if (mine != null) {
      mine.unwritten.remove(new Slot(object.identity(), offset));
    }
  }

  /**
   * Notes that a property was set to a mutable value, which the program still has.
   *
   * @param at the address of the object's fields
   * @param offset of the property's cell
   * @param property its index in today's shape
   */
  public void written(HeapObject object, long at, int offset, int property, Object value) {
    long first = heap.getLong(at, offset);
    long second = heap.getLong(at, offset + CellLayout.C_OFFSET);
    add(values(), new Working(object, offset, property, value, first, second, true));
  }

  /**
   * Keeps a value of a property, which code may change that is no method of the class. Called
   * inside a transaction that can write.
   *
   * @param offset of the property's cell
   * @param property its index in today's shape
   * @return false if the property has another working value
   */
  @SuppressWarnings("ReferenceEquality") // the program has the one or the other
  public boolean follow(HeapObject object, int offset, int property, Object value) {
    Values mine = values();
    long at = object.address();
    long first = heap.getLong(at, offset);
    long second = heap.getLong(at, offset + CellLayout.C_OFFSET);
    Working known = mine.bySlot.get(new Slot(object.identity(), offset));
    if (known != null && known.first() == first && known.second() == second) {
      return known.value() == value;
    }
    add(mine, new Working(object, offset, property, value, first, second, false));
    // The program may have read it before the transaction, which may run again.
    mine.before.computeIfAbsent(value, v -> InPlaceState.of(v, slots.embedded()));
    return true;
  }

  private void add(Values mine, Working working) {
    boolean isFirst = !mine.isWatched;
    if (isFirst) {
      heap.onCommit(() -> committed(mine));
      heap.onRollback(
          () -> {
            mine.before.values().forEach(InPlaceState::restore);
            mine.before.keySet().forEach(EnhancedArrays::noteElements);
            end(mine);
          });
      heap.beforeCommit(this::writeBack);
      mine.isWatched = true;
    }
    mine.bySlot.put(new Slot(working.object().identity(), working.offset()), working);
    if (isFirst) {
      mine.unwritten.trim(); // may throw, and the program may go on
    }
  }

  private void committed(Values mine) {
    if (mine.methods > 0) { // a method that has transactions of its own may have the values still
      mine.bySlot.sequencedValues().reversed().stream()
          .filter(one -> !one.isGiven() || mine.before.containsKey(one.value()))
          .limit(UnwrittenValues.KEPT_MAX)
          .forEach(
              one -> addUnwritten(mine, one.object(), one.offset(), one.property(), one.value()));
    }
    end(mine);
  }

  private void end(Values mine) {
    mine.bySlot.clear();
    mine.before.clear();
    mine.isWatched = false;
    removeIfUnused(mine);
  }

  /** Writes what the program has changed in the working values of the current transaction. */
  void writeBack() {
    Values mine = current.get();
    if (mine != null) {
      // A conversion on the way adds working values, which are as they were stored.
      for (Slot slot : List.copyOf(mine.bySlot.keySet())) {
        Working written = writtenBack(Objects.requireNonNull(mine.bySlot.get(slot)));
        mine.bySlot.put(slot, written);
        EnhancedArrays.stored(written.value(), written.object());
      }
    }
  }

  private Working writtenBack(Working working) {
    HeapObject object = working.object();
    long at = object.address();
    int offset = working.offset();
    long first = heap.getLong(at, offset);
    long second = heap.getLong(at, offset + CellLayout.C_OFFSET);
    boolean isOfProperty = first == working.first() && second == working.second();
    if (!isOfProperty || converter.snapshots().isSame(working.value(), slots.cell(first, second))) {
      return working;
    }
    long before = object.valueVersion(offset);
    long to = object.addressToWrite();
    Path path = Path.ofProperty(schema, object, working.property());
    Object stored = converter.admit(working.value(), path);
    slots.writeAdmitted(to, offset, SlotKind.CELL, stored, path, converter);
    returned.set(object, offset);
    EnhancedArrays.writtenBack(working.value(), object, offset, before);
    return new Working(
        object,
        offset,
        working.property(),
        working.value(),
        heap.getLong(to, offset),
        heap.getLong(to, offset + CellLayout.C_OFFSET),
        working.isGiven());
  }
}
