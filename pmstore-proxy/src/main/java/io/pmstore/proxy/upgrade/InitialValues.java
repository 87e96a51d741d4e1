package io.pmstore.proxy.upgrade;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.value.ValueCells;
import io.pmstore.proxy.value.Widening;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the properties of an object are that nobody has set: what the no-argument constructor of its
 * class leaves in them, initialisers included; for a class without one zero, false and null. Safe
 * for use by any number of threads.
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
      Object plain = type.newPlain();
      for (int i = 0; i < values.length; i++) {
        Property property = properties.get(i);
        Object value = type.readPlain(plain, i);
        own[i] = value != null && !canBeShared(value);
        values[i] = own[i] ? null : value;
        if (value != null && property.kind().isPrimitive()) {
          bitsByOffset[property.offset()] = Widening.bits(value);
        }
      }
    }

    /** Whether each object has a value of its own: a collection, say, or an array. */
    boolean isOwn(int property) {
      return own[property];
    }

    /** The value that all objects have; null if each has its own. */
    @Nullable Object shared(int property) {
      return values[property];
    }

    /** A value for one object. */
    @Nullable Object fresh(int property) {
      return type.readPlain(type.newPlain(), property);
    }

    /** The bits of a primitive property, as {@link Widening#bits} has them. */
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

  @SuppressWarnings("JavaUtilDate") // users have such values
  private static boolean canBeShared(Object value) {
    return value instanceof Record
        || (ValueCells.isValue(value) && !value.getClass().isArray() && !(value instanceof Date));
  }
}
