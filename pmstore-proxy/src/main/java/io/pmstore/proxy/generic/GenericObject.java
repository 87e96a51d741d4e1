package io.pmstore.proxy.generic;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.core.catalogue.Shape;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.util.Comparator;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An object of a persistent class. Two are equal if they stand for the same object of a store.
 *
 * <p>Such an object may be the comparator of a sorted collection, which this program cannot use:
 * see {@link #compare}. Thread-safe.
 */
@SuppressWarnings("UnusedVariable") // it only stands for a comparator
public final class GenericObject implements PersistentObject, Comparator<@Nullable Object> {
  private final GenericStore store;
  private final long address;
  private final Shape shape;

  GenericObject(GenericStore store, long address, Shape shape) {
    this.store = store;
    this.address = address;
    this.shape = shape;
  }

  /** Returns the address that references to it hold. */
  public long address() {
    return address;
  }

  /** Returns its shape, which may be an older one of its class. */
  public Shape shape() {
    return shape;
  }

  /** Returns the name of its class today. */
  public String className() {
    return store.catalogue().newest(shape).className();
  }

  /** Returns its size in bytes, its header included. */
  public int size() {
    return store.heap().size(store.heap().bodies().body(address));
  }

  /**
   * Returns the value of a property of its shape.
   *
   * @throws StoreDamagedException if it cannot be read
   */
  public @Nullable Object get(Property property) {
    return store.read(address, shape, property);
  }

  /** Returns the value of a property of its shape, or what is wrong with it. */
  public @Nullable Object getOrDamage(Property property) {
    try {
      return get(property);
    } catch (StoreDamagedException e) {
      return new GenericDamage(address, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the values of all properties, in the order of their names; what is wrong stands for
   * those that cannot be read.
   */
  public SequencedMap<String, @Nullable Object> valuesOrDamage() {
    TreeMap<String, @Nullable Object> values = new TreeMap<>();
    shape.properties().forEach(property -> values.put(property.name(), getOrDamage(property)));
    return values;
  }

  /** Returns the property of a name, or null. */
  public @Nullable Property property(String name) {
    for (Property property : shape.properties()) {
      if (property.name().equals(name)) {
        return property;
      }
    }
    return null;
  }

  /** Returns the values of all properties, in the order of their names. */
  public SequencedMap<String, @Nullable Object> values() {
    TreeMap<String, @Nullable Object> values = new TreeMap<>();
    shape.properties().forEach(property -> values.put(property.name(), get(property)));
    return values;
  }

  @Override
  public ObjectHandle pmstoreHandle() {
    return store.heap().object(address);
  }

  /** Throws {@link UnsupportedOperationException}: only its class can compare. */
  @Override
  public int compare(@Nullable Object one, @Nullable Object other) {
    return GenericComparator.unknown(toString());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof GenericObject object
        && object.address == address
        && object.store == store;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(address);
  }

  @Override
  public String toString() {
    return className() + "@" + address;
  }
}
