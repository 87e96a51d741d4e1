package io.pmstore.proxy.upgrade;

import io.pmstore.core.catalogue.Property;
import io.pmstore.proxy.bean.InPlace;
import io.pmstore.proxy.bytecode.PersistentClass;
import io.pmstore.proxy.slot.PrimitiveSlots;
import io.pmstore.proxy.value.ValueCells;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
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
      Object plain = type.newPlain();
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
      return own[property] ? type.readPlain(type.newPlain(), property) : values[property];
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
        ? holdsValues(value.getClass(), new HashSet<>())
        : (ValueCells.isKnownValue(value)
            && !value.getClass().isArray()
            && !InPlace.isDateOrZone(value));
  }

  /** Returns true if the components of a record cannot change, by their types. */
  private static boolean holdsValues(Class<?> type, Set<Class<?>> known) {
    return !known.add(type)
        || Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .allMatch(
                held ->
                    held.isRecord()
                        ? holdsValues(held, known)
                        : held.isPrimitive()
                            || held.isEnum()
                            || held == String.class
                            || held == UUID.class
                            || held.getName().startsWith("java.time.")
                            || held == BigDecimal.class
                            || held == BigInteger.class
                            || MethodType.methodType(held).hasWrappers());
  }
}
