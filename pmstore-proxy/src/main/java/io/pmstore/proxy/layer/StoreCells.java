package io.pmstore.proxy.layer;

import io.pmstore.NotPersistableException;
import io.pmstore.Persistent;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.bytecode.PersistentClasses;
import io.pmstore.proxy.collection.CellCodec;
import io.pmstore.proxy.convert.Converter;
import io.pmstore.proxy.facade.Facades;
import io.pmstore.proxy.identity.StoreObjects;
import io.pmstore.proxy.path.Path;
import io.pmstore.proxy.schema.Binding;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.proxy.slot.ComponentHash;
import io.pmstore.proxy.slot.CopiedCollections;
import io.pmstore.proxy.slot.EmbeddedValues;
import io.pmstore.proxy.slot.Slots;
import io.pmstore.proxy.slot.StoreContext;
import io.pmstore.proxy.value.KeyedHash;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.spi.PersistentObject;
import java.net.URL;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The cells of one store: values, and references to its objects. Thread-safe. */
final class StoreCells implements CellCodec {
  private final Heap heap;
  private final StoreSchema schema;
  private final StoreObjects objects;
  private final ValueCells values;
  private final Slots slots;
  private final EmbeddedValues embedded;
  private final Converter converter;

  StoreCells(StoreContext store, Slots slots, Converter converter) {
    this.heap = store.heap();
    this.schema = store.schema();
    this.objects = store.objects();
    this.values = store.values();
    this.slots = slots;
    this.embedded = slots.embedded();
    this.converter = converter;
  }

  @Override
  public @Nullable String comparatorName(Comparator<?> comparator) {
    return schema.comparatorName(comparator);
  }

  @Override
  public Comparator<?> comparator(String name) {
    return schema.comparator(name);
  }

  @Override
  public @Nullable Object readCell(long object, int offset) {
    return slots.readCell(object, offset);
  }

  @Override
  public void writeCell(long object, int offset, @Nullable Object value) {
    if (!slots.writeDirect(object, offset, SlotKind.CELL, value)) {
      Path path = Path.of(Objects.requireNonNull(value)); // writeDirect has written null
      converter.write(object, offset, SlotKind.CELL, value, path);
    }
  }

  @Override
  public boolean watches(Object value) {
    boolean isConstant =
        value instanceof PersistentObject || value instanceof String || value instanceof Number;
    return !isConstant && converter.returnedValues().watches(value);
  }

  @Override
  public void returned(Object value, Supplier<?> lastChange) {
    converter.returnedValues().add(value, lastChange);
  }

  @Override
  public long referenceTo(@Nullable Object stored) {
    if (stored == null) {
      return 0;
    }
    return stored instanceof PersistentObject persistent && objects.isHere(persistent)
        ? objects.addressToLink(persistent)
        : NO_REFERENCE;
  }

  @Override
  public @Nullable Object readReference(long reference) {
    return reference == 0 ? null : objects.at(reference);
  }

  @Override
  public @Nullable Object[] readReferences(long[] references) {
    return objects.at(references);
  }

  @Override
  public boolean referenceEquals(long reference, @Nullable Object value) {
    if (value == null || reference == 0) {
      return value == null && reference == 0;
    }
    return isObjectEqual(reference, value);
  }

  @Override
  public @Nullable Object stored(@Nullable Object value) {
    if (value == null) {
      return null;
    }
    boolean hasParts =
        EmbeddedValues.hasComponents(value)
            || (value instanceof Object[] && !values.isValue(value));
    return hasParts ? asOne(() -> storedParts(value)) : converter.admit(value, Path.of(value));
  }

  private Object storedParts(Object value) {
    if (value instanceof Object[] array) {
      embedded.checkDepth(array, Path.of(array));
      for (Object element : array) {
        stored(element); // so that it is refused before the first change
      }
      return array;
    }
    return embedded.map(value, this::storedPart);
  }

  @Override
  public boolean convertsNothing(@Nullable Object value) {
    return value == null || PersistentObject.isPersistent(value) || ValueCells.isKnownValue(value);
  }

  @Override
  public <T extends @Nullable Object> T asOne(Supplier<T> storing) {
    return converter.asOne(storing);
  }

  /** Returns what is stored for a component, which the constructor of its record may read. */
  private Object storedPart(Object part) {
    Object stored = Objects.requireNonNull(stored(part));
    converter.fillNow(part);
    return stored;
  }

  @Override
  public boolean cellEquals(long object, int offset, @Nullable Object value) {
    long first = heap.getLong(object, offset);
    if (value == null || first == CellLayout.NULL) {
      return value == null && first == CellLayout.NULL;
    }
    long second = heap.getLong(object, offset + CellLayout.C_OFFSET);
    if (CellLayout.tag(first) == CellLayout.OBJECT) {
      return isObjectEqual(second, value);
    }
    if (CellLayout.tag(first) == CellLayout.EMBEDDED) {
      // Calls equals of what is stored: its parts are persistent.
      Object asked = immutable(value);
      return EmbeddedValues.isEmbedded(asked)
          && Objects.deepEquals(slots.cell(first, second), persistent(asked));
    }
    Boolean same = values.sameAs(first, second, value);
    return same != null ? same : Objects.deepEquals(value, values.read(object, first, second));
  }

  @Override
  public int compare(@Nullable Object value, long object, int offset) {
    long first = heap.getLong(object, offset);
    long second = heap.getLong(object, offset + CellLayout.C_OFFSET);
    int tag = CellLayout.tag(first);
    if (value instanceof Long number && tag == CellLayout.LONG) {
      return Long.compare(number, second);
    }
    if (value instanceof Integer number && tag == CellLayout.INTEGER) {
      return Integer.compare(number, (int) second);
    }
    if (value instanceof String string && tag == CellLayout.STRING) {
      return ValueCells.compareInline(string, first, second);
    }
    return compare(value, readCell(object, offset));
  }

  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Enum<?> first
        && other instanceof Enum<?> second
        && first.getDeclaringClass() == second.getDeclaringClass()) {
      return schema.enumNumbersToFind(first.getDeclaringClass()).compare(first, second);
    }
    if (other instanceof PersistentObject && isPlainObject(one)) {
      // The plain object's own code would read the unused fields of the persistent one.
      return -Integer.signum(CellCodec.super.compare(other, one));
    }
    return CellCodec.super.compare(one, other);
  }

  @Override
  public @Nullable Object twin(@Nullable Object value) {
    return value == null ? null : persistent(value);
  }

  private static boolean isPlainObject(@Nullable Object object) {
    return object != null
        && !(object instanceof PersistentObject)
        && object.getClass().isAnnotationPresent(Persistent.class);
  }

  /** Returns the entry that a mutable entry is equal to and the store may have, or the value. */
  private static Object immutable(Object value) {
    return value instanceof Map.Entry<?, ?> entry
            && !EmbeddedValues.hasComponents(value)
            && !(value instanceof PersistentObject)
            && !isPlainObject(value)
        ? new SimpleImmutableEntry<>(entry.getKey(), entry.getValue())
        : value;
  }

  private boolean isObjectEqual(long address, Object value) {
    Object asked = persistent(value);
    if (asked instanceof PersistentObject persistent) {
      long here = objects.addressIfHere(persistent);
      if (here == address) {
        return true;
      }
      if (here != 0 && !hasOwnEquality(persistent)) {
        return false;
      }
    }
    // The plain object's own code would read the unused fields of the persistent one.
    return objects.at(address).equals(asked);
  }

  /** Returns the twin of a plain object that was converted, or the value itself. */
  private Object persistent(Object value) {
    if (value instanceof PersistentObject || values.isValue(value)) {
      return value;
    }
    if (EmbeddedValues.hasComponents(value)) {
      return embedded.map(value, this::persistentPart);
    }
    if (value instanceof Object[] array) {
      embedded.checkDepth(array, Path.of(array));
      return persistentElements(array);
    }
    Object twin = converter.twinOf(value);
    return twin == null ? value : twin;
  }

  /** Returns an array that has the twins of plain objects; the same one if there are none. */
  @SuppressWarnings("ReferenceEquality") // a twin may be equal to its plain object
  private Object persistentElements(Object[] array) {
    Class<?> type = array.getClass().getComponentType();
    Object[] mapped = array.clone();
    boolean same = true;
    for (int i = 0; i < array.length; i++) {
      Object element = array[i] == null ? null : Facades.shown(persistent(array[i]), type);
      if (element != array[i] && type.isInstance(element)) {
        mapped[i] = element;
        same = false;
      }
    }
    return same ? array : mapped;
  }

  /**
   * Returns what a record that was converted has for a part. A plain list, set or map is equal to
   * one that has the twins of its elements, whatever it held when it was converted itself.
   */
  private Object persistentPart(Object part) {
    boolean isCompared = part instanceof List || part instanceof Set || part instanceof Map;
    return isCompared && !(part instanceof PersistentObject)
        ? CopiedCollections.map(part, this::persistentPart)
        : persistent(part);
  }

  /** Returns true for an object of a store, and for a constant of the program that this one has. */
  private boolean isObject(Object asked) {
    return asked instanceof PersistentObject object
        && (PersistentObject.isPersistent(object) || objects.isHere(object));
  }

  private static boolean hasOwnEquality(PersistentObject object) {
    return isCollection(object) || !PersistentClasses.of(object.getClass()).hasIdentityEquals();
  }

  @Override
  public int hash(@Nullable Object key) {
    if (key == null) {
      return 0;
    }
    if (key instanceof Enum<?> constant) {
      return schema.enumNumbersToFind(constant.getDeclaringClass()).hash(constant);
    }
    if (key instanceof Long || key instanceof Integer || key instanceof String) {
      return key.hashCode(); // as for all values, but without a boxed number
    }
    Integer ofValue = values.hash(key);
    if (ofValue != null) {
      return ofValue;
    }
    Object compared = immutable(key);
    if (EmbeddedValues.hasComponents(compared)) {
      return embedded.hasOwnHash(compared)
          ? persistent(compared).hashCode()
          : embedded.hash(compared, this::hashOfPart);
    }
    if (key.getClass().isArray()) {
      throw new NotPersistableException(
          "an array cannot be the key of a map or an element of a set, since no two arrays are"
              + " equal; use a record of what is in it, or a String, as java.util.HexFormat or"
              + " Arrays.toString makes it");
    }
    if (values.isValue(key)) {
      throw new NotPersistableException(
          "a %s cannot be the key of a map or an element of a set, since its class does not say by its contents what it is equal to; use its toString()%s"
              .formatted(
                  key.getClass().getName(), key instanceof URL ? ", or a java.net.URI" : ""));
    }
    Object asked = persistent(key);
    if (isCollection(asked)) {
      if (asked instanceof PersistentObject) {
        throw new NotPersistableException(
            "a collection cannot be the key of a map or an element of a set, since the store keeps"
                + " it as a persistent one, whose hash code changes with its contents; use a record"
                + " of what is in it, or an object of a class annotated with @Persistent");
      }
      return 0;
    }
    if (asked instanceof PersistentObject persistent && isObject(asked)) {
      PersistentClass type = PersistentClasses.of(asked.getClass());
      return type.hasIdentityHash()
          ? Long.hashCode(objects.addressIfHere(persistent))
          : asked.hashCode();
    }
    // A plain object that has no twin: only its class's own equals can find it equal to another
    // object.
    return asked.getClass().isAnnotationPresent(Persistent.class) ? asked.hashCode() : 0;
  }

  private static boolean isCollection(@Nullable Object object) {
    return object instanceof Collection || object instanceof Map;
  }

  /**
   * Returns the hash code of what a record has: of a collection, that of its contents. A plain one
   * that is no list, set or map is equal to itself only, and so to what the store has for it.
   */
  private int hashOfPart(@Nullable Object part) {
    if (part != null && isCollection(part)) {
      boolean isCompared = part instanceof List || part instanceof Set || part instanceof Map;
      return ComponentHash.ofContents(
          isCompared ? part : persistent(part),
          each -> each != null && each.getClass().isArray() ? 0 : hashOfPart(each));
    }
    return hash(part);
  }

  @Override
  public boolean hasLastingHash(@Nullable Object key) {
    if (key instanceof Class<?>) {
      return false; // it has that of its name, which may change
    }
    if (key == null || key instanceof Enum<?> || ValueCells.knownHash(key) != null) {
      return true;
    }
    if (values.isValue(key)) {
      return false;
    }
    if (EmbeddedValues.hasComponents(key)) {
      return embedded.hasLastingHash(key)
          && Arrays.stream(embedded.parts(key))
              .noneMatch(part -> isCollection(part) || !hasLastingHash(part));
    }
    Object asked = persistent(key);
    if (!isObject(asked) || isCollection(asked)) {
      return !asked.getClass().isAnnotationPresent(Persistent.class);
    }
    return objects.isHere((PersistentObject) asked)
        ? isLasting(schema.bind(asked.getClass()))
        : PersistentClasses.of(asked.getClass()).hasIdentityHash();
  }

  /** Returns true if no version of a class has a hashCode of its own under which keys stand. */
  private boolean isLasting(Binding binding) {
    return binding.type().hasIdentityHash() && !schema.catalogue().hasOwnHash(binding.shape());
  }

  @Override
  public void noteOwnHash(@Nullable Object stored) {
    if (stored == null || values.isValue(stored)) {
      return; // its class is asked in every JVM
    }
    if (EmbeddedValues.hasComponents(stored)) {
      if (embedded.hasOwnHash(stored)) {
        embedded.noteOwnHash(stored.getClass());
      } else {
        Arrays.stream(embedded.parts(stored)).forEach(this::noteOwnHash);
      }
    } else if (isObject(stored) && !isCollection(stored)) {
      Binding binding = schema.bind(stored.getClass());
      if (!binding.type().hasIdentityHash()) {
        schema.catalogue().markOwnHash(binding.shape());
      }
    }
  }

  @Override
  public boolean cellHasLastingHash(long object, int offset) {
    long first = heap.getLong(object, offset);
    return switch (CellLayout.tag(first)) {
      case CellLayout.OBJECT -> {
        long target = heap.getLong(object, offset + CellLayout.C_OFFSET);
        yield isLasting(schema.bindingOf(heap.shapeId(heap.bodies().body(target))));
      }
      case CellLayout.EMBEDDED -> hasLastingHash(readCell(object, offset));
      case CellLayout.REGISTERED, CellLayout.CLASS -> false;
      default -> true;
    };
  }

  @Override
  public int secondHash(@Nullable Object key, long secret) {
    if (key == null) {
      return 0;
    }
    if (key instanceof Enum<?>) {
      return KeyedHash.of(hash(key), secret);
    }
    if (ValueCells.isKnownValue(key)) {
      return ValueCells.keyedHash(key, secret);
    }
    if (values.isValue(key)) {
      return 0; // only its class knows what is equal
    }
    if (EmbeddedValues.hasComponents(key)) {
      return embedded.hasOwnHash(key) ? 0 : embedded.hash(key, part -> secondHash(part, secret));
    }
    Object asked = persistent(key);
    return asked instanceof PersistentObject persistent
            && isObject(asked)
            && !isCollection(asked)
            && PersistentClasses.of(asked.getClass()).hasIdentityHash()
        ? KeyedHash.of(objects.addressIfHere(persistent), secret)
        : 0;
  }
}
