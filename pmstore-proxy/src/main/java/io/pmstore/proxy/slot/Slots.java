package io.pmstore.proxy.slot;

import io.pmstore.NotPersistableException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.proxy.value.WordValues;
import io.pmstore.spi.PersistentObject;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The slots of one store's objects. Thread-safe. Writes run inside a transaction, reads inside a
 * transaction or a consistent read.
 *
 * <p>Parameters: {@code object} is the address of the object that has the slot, {@code offset} the
 * slot's offset in bytes, {@code numbers} are those of its constants if it is of an enum, {@code
 * path} leads to it.
 */
public final class Slots {
  private final Heap heap;
  private final StoreObjects objects;
  private final ValueCells values;
  private final EmbeddedValues embedded;
  private final OlderSlots older;

  public Slots(StoreContext store) {
    this.heap = store.heap();
    this.objects = store.objects();
    this.values = store.values();
    this.older = new OlderSlots(store, this);
    this.embedded = new EmbeddedValues(store, this);
  }

  /** Returns the records and arrays of references in cells. */
  public EmbeddedValues embedded() {
    return embedded;
  }

  /** Returns the reader of objects of older shapes. */
  public OlderSlots older() {
    return older;
  }

  // ---- reading

  /** Reads a slot. Returns its value, boxed if it is primitive, or null. */
  @Nullable Object read(long object, Property slot, @Nullable EnumNumbers numbers) {
    int offset = slot.offset();
    return switch (slot.kind()) {
      case REFERENCE -> {
        long target = heap.getLong(object, offset);
        yield target == 0 ? null : objects.at(target);
      }
      case CELL -> readCell(object, offset);
      case ENUM -> required(numbers, slot).ofSlot(heap.getInt(object, offset));
      default ->
          slot.kind().isWord()
              ? WordValues.read(heap, slot.kind(), heap.getLong(object, offset))
              : PrimitiveSlots.read(heap, object, offset, slot.kind());
    };
  }

  private static EnumNumbers required(@Nullable EnumNumbers numbers, Property slot) {
    if (numbers == null) {
      throw new IllegalArgumentException(slot + " is not of an enum");
    }
    return numbers;
  }

  /** Reads the value, the object or null in a cell. */
  public @Nullable Object readCell(long object, int offset) {
    long first = heap.getLong(object, offset);
    return first == CellLayout.NULL
        ? null
        : cell(object, first, heap.getLong(object, offset + CellLayout.C_OFFSET));
  }

  /**
   * Returns the value, the object or null of a cell with these two words.
   *
   * @throws io.pmstore.PmStoreException if the constructor of a record rejects what was stored
   */
  public @Nullable Object cell(long first, long second) {
    return cell(0, first, second);
  }

  private @Nullable Object cell(long object, long first, long second) {
    return switch (CellLayout.tag(first)) {
      case CellLayout.OBJECT -> objects.at(second);
      case CellLayout.EMBEDDED -> embedded.readNested(second);
      default -> values.read(object, first, second);
    };
  }

  // ---- writing

  /**
   * Writes a slot, whose value {@code admission} converts if it has to be converted. Returns what
   * was stored.
   *
   * @param value not null if the slot is primitive
   * @throws NotPersistableException if the value cannot be stored
   */
  public @Nullable Object write(
      long object,
      Property slot,
      @Nullable EnumNumbers numbers,
      @Nullable Object value,
      Path path,
      Admission admission) {
    int offset = slot.offset();
    switch (slot.kind()) {
      case ENUM -> heap.putInt(object, offset, required(numbers, slot).inSlot((Enum<?>) value));
      case BOOLEAN, BYTE, SHORT, CHAR, INT, LONG, FLOAT, DOUBLE ->
          PrimitiveSlots.write(heap, object, offset, slot.kind(), Objects.requireNonNull(value));
      default -> {
        if (writeDirect(object, offset, slot.kind(), value)) {
          return Facades.unwrapped(value);
        }
        Object stored = admission.admit(value, path);
        writeAdmitted(object, offset, slot.kind(), stored, path, admission);
        return stored;
      }
    }
    return value;
  }

  /**
   * Writes a value that needs no conversion into a reference, a word or a cell: an object of this
   * store, null, or a value without parts. Returns false, and writes nothing, if the value needs a
   * conversion, or cannot be in such a slot.
   */
  public boolean writeDirect(long object, int offset, SlotKind kind, @Nullable Object value) {
    if (kind.isWord()) {
      boolean fits = WordValues.isOf(kind, value);
      if (fits) {
        WordValues.write(heap, object, offset, kind, value);
      }
      return fits;
    }
    if (value instanceof PersistentObject persistent) {
      if (!objects.isHere(persistent)) {
        return false;
      }
      long target = objects.addressToLink(persistent);
      if (kind == SlotKind.CELL) {
        ValueCells.put(heap, object, offset, CellLayout.OBJECT, target);
      } else {
        heap.putLong(object, offset, target);
      }
      return true;
    }
    if (kind == SlotKind.CELL) {
      return values.write(object, offset, value);
    }
    if (value == null) {
      heap.putLong(object, offset, 0);
    }
    return value == null;
  }

  /**
   * Writes a value like {@link #writeDirect} into a property of an object that is in the store. A
   * string may take the space of the present one.
   */
  public boolean overwriteDirect(long object, int offset, SlotKind kind, @Nullable Object value) {
    if (kind == SlotKind.CELL && value instanceof String string) {
      values.overwrite(object, offset, string);
      return true;
    }
    return writeDirect(object, offset, kind, value);
  }

  /**
   * Writes into a reference, a word or a cell what {@code admission} has returned, which converts
   * the parts of a record or array too.
   *
   * @throws NotPersistableException if a value is to be written into a reference, or one of a
   *     subclass into a word
   */
  public void writeAdmitted(
      long object,
      int offset,
      SlotKind kind,
      @Nullable Object stored,
      Path path,
      Admission admission) {
    if (writeDirect(object, offset, kind, stored)) {
      return;
    }
    if (kind.isWord()) {
      throw new NotPersistableException(
          "%s is of %s, a subclass of what the property is declared as; declare the property with that class"
              .formatted(path, Objects.requireNonNull(stored).getClass()));
    }
    if (kind == SlotKind.REFERENCE) {
      throw new NotPersistableException(
          "%s is of %s, a value, where an object is kept by reference; declare the property with an interface that is not annotated with @Persistent"
              .formatted(path, Objects.requireNonNull(stored).getClass()));
    }
    if (stored == null || !EmbeddedValues.isEmbedded(stored)) {
      throw new IllegalStateException("an admission let through what is no value: " + stored);
    }
    embedded.write(object, offset, stored, path, admission);
  }
}
