package io.pmstore.proxy.upgrade;

import io.pmstore.Persistent;
import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.slot.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The initial values of properties: what the no-argument constructor of the class, initializers
 * included, leaves in them; zero, false and null for a class without such a constructor.
 * Thread-safe.
 */
final class InitialValues {
  private final Map<PersistentClass, OfClass> byClass = new ConcurrentHashMap<>();

  /** The initial values of a class. Immutable. */
  static final class OfClass {
    private final PersistentClass type;
    private final @Nullable Object[] values;
    private final boolean[] own;
    private final long[] bitsByOffset;

    private OfClass(PersistentClass type) {
      this.type = type;
      List<Property> properties = type.shape().properties();
      values = new Object[properties.size()];
      own = new boolean[values.length];
      bitsByOffset = new long[type.shape().size()];
      if (!type.canMakePlain()) {
        return;
      }
      Object plain = make(type);
      for (int i = 0; i < values.length; i++) {
        Property property = properties.get(i);
        Object value = type.readPlain(plain, i);
        own[i] = value != null && !canBeShared(value);
        values[i] = own[i] ? null : value;
        if (value != null && property.kind().isPrimitive()) {
          bitsByOffset[property.offset()] = PrimitiveSlots.bits(value, property.kind());
        }
      }
    }

    /**
     * Returns true if each object has a value of its own: a collection or an array, for instance.
     */
    boolean isOwn(int property) {
      return own[property];
    }

    /** Returns the value that all objects share, or else a new one. */
    @Nullable Object value(int property) {
      return own[property] ? type.readPlain(make(type), property) : values[property];
    }

    private static Object make(PersistentClass type) {
      try {
        return type.newPlain();
      } catch (PmStoreException e) {
        throw e;
      } catch (RuntimeException e) {
        throw new PmStoreException(
            "the constructor of class %s threw %s; objects that were stored before the class had all of its properties get the initial values of the new ones from it: let it make an object without arguments, or give a migration function for each new property"
                .formatted(type.type().getName(), e),
            e);
      }
    }

    /** Returns the bits of a primitive property, as {@link PrimitiveSlots#bits} does. */
    long bits(int offset) {
      return bitsByOffset[offset];
    }
  }

  OfClass of(PersistentClass type) {
    OfClass known = byClass.get(type);
    if (known == null) {
      known = new OfClass(type);
      OfClass first = byClass.putIfAbsent(type, known);
      return first == null ? known : first;
    }
    return known;
  }

  private static boolean canBeShared(Object value) {
    return value instanceof Record
        ? !InPlace.mayHold(value.getClass(), InitialValues::isOfOneObject)
        : (ValueCells.isKnownValue(value)
            && !value.getClass().isArray()
            && !InPlace.isDateOrZone(value));
  }

  /** Returns true if a value of a declared type may belong to one object. */
  private static boolean isOfOneObject(Class<?> declared) {
    return InPlace.mayChange(declared)
        || Collection.class.isAssignableFrom(declared)
        || Map.class.isAssignableFrom(declared)
        || declared.isAnnotationPresent(Persistent.class);
  }
}
