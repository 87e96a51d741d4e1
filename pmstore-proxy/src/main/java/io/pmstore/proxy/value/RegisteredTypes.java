package io.pmstore.proxy.value;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.PmStoreException;
import io.pmstore.ValueCodec;
import io.pmstore.core.catalogue.Catalogue;
import io.pmstore.core.catalogue.ValueType;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.proxy.schema.StoreSchema;
import io.pmstore.spi.PersistentObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The value types that the program has registered with one store, and constants, which no program
 * has to register. Thread-safe.
 */
public final class RegisteredTypes {
  private final Catalogue catalogue;
  private final Map<Class<?>, Registered> registered = new HashMap<>();
  private final Map<String, Registered> byName = new HashMap<>();
  private final Map<Class<?>, Optional<Registered>> byClass = new ConcurrentHashMap<>();
  private final Registered constants;

  /** A codec, and the class that it was registered for. */
  private record Registered(Class<?> type, ValueCodec<Object> codec) {
    @Override
    public String toString() {
      return "the codec \"" + codec.name() + "\" of " + type.getName();
    }
  }

  /** A value as a cell keeps it. */
  @SuppressWarnings("ArrayRecordComponent") // it is passed on at once and never compared
  record Encoded(int typeId, byte[] bytes) {}

  /**
   * Takes the types of a store.
   *
   * @param schema returns what names the store's classes, once it is used
   * @throws IllegalArgumentException if cells keep values of such a class without a codec
   */
  public RegisteredTypes(
      Catalogue catalogue, Map<Class<?>, ValueCodec<?>> codecs, Supplier<StoreSchema> schema) {
    this.catalogue = catalogue;
    this.constants = new Registered(Object.class, new Constants(schema));
    byName.put(constants.codec().name(), constants);
    codecs.forEach(
        (type, codec) -> {
          if (PropertyTypes.isValue(type)) {
            throw new IllegalArgumentException(
                "%s cannot be registered as a value type: pmstore keeps its values without a codec; take it out of the options"
                    .formatted(type.getName()));
          }
          if (codec.name().equals(Constants.NAME)) {
            throw new IllegalArgumentException(
                "%s cannot be registered with a codec of the name %s, which is pmstore's own; give it another name"
                    .formatted(type.getName(), codec.name()));
          }
          @SuppressWarnings("unchecked") // the codec gets values of its class only
          Registered entry = new Registered(type, (ValueCodec<Object>) codec);
          registered.put(type, entry);
          byName.put(codec.name(), entry);
        });
  }

  /** Returns true if a class has a codec, of its own or of a superclass or interface. */
  public boolean has(Class<?> type) {
    return find(type) != null;
  }

  private @Nullable Registered find(Class<?> type) {
    if (registered.isEmpty()) {
      return Constants.isOne(type) ? constants : null;
    }
    Optional<Registered> known = byClass.get(type);
    if (known == null) {
      known = Optional.ofNullable(nearest(type));
      byClass.put(type, known);
    }
    return known.orElse(null);
  }

  private @Nullable Registered nearest(Class<?> type) {
    if (PropertyTypes.isKeptWithoutCodec(type) || PersistentObject.class.isAssignableFrom(type)) {
      return null;
    }
    for (Class<?> k = type; k != null; k = k.getSuperclass()) {
      Registered own = registered.get(k);
      if (own != null) {
        return own;
      }
    }
    Registered nearest = null;
    for (Registered one : registered.values()) {
      if (one.type().isAssignableFrom(type)
          && (nearest == null || nearest.type().isAssignableFrom(one.type()))) {
        nearest = one;
      }
    }
    return nearest == null && Constants.isOne(type) ? constants : nearest;
  }

  boolean isValue(Object object) {
    return !(object instanceof PersistentObject) && find(object.getClass()) != null;
  }

  /** Returns the hash code of a value, or null if it has no codec or compares by identity. */
  @Nullable Integer hash(Object value) {
    return isValue(value) && hasOwnEquals(value) ? Integer.valueOf(value.hashCode()) : null;
  }

  private static boolean hasOwnEquals(Object value) {
    try {
      return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * Encodes a value for a cell; returns null if it has no codec.
   *
   * @throws NotPersistableException if the codec fails, or decodes to another value
   */
  @Nullable Encoded encode(Object value) {
    Registered type = value instanceof PersistentObject ? null : find(value.getClass());
    if (type == null) {
      return null;
    }
    byte[] bytes = encoded(type, value);
    Object decoded = decodedAtOnce(type, value, bytes);
    if (decoded.getClass() != value.getClass()) {
      throw wrong(type, value, "decodes an object of class " + decoded.getClass().getName());
    }
    boolean isSame =
        hasOwnEquals(value)
            ? value.equals(decoded) && decoded.equals(value)
            : Arrays.equals(bytes, encoded(type, decoded));
    if (!isSame) {
      throw wrong(type, value, "decodes another value, " + decoded);
    }
    ValueCodec<Object> codec = type.codec();
    ValueType entry = new ValueType(0, type.type().getName(), codec.name(), codec.version());
    return new Encoded(catalogue.define(entry).id(), bytes);
  }

  /** Returns a copy that is equal to the value and shares nothing with it. */
  Object copy(Object value) {
    Registered type = find(value.getClass());
    return type == null ? value : decodedAtOnce(type, value, encoded(type, value));
  }

  /**
   * Returns true if a codec encodes two values alike, which are also equal if their class compares
   * more than identity. Without a codec, equal ones are.
   */
  boolean isEncodedAlike(Object one, Object other) {
    Registered type = find(one.getClass());
    return type == null
        ? Objects.deepEquals(one, other)
        : one.getClass() == other.getClass()
            && (!hasOwnEquals(one) || one.equals(other))
            && Arrays.equals(encoded(type, one), encoded(type, other));
  }

  private static byte[] encoded(Registered type, Object value) {
    if (type.codec() instanceof Constants names) {
      return names.encode(value);
    }
    byte[] bytes =
        call(type, value, "throws %s when it encodes it", () -> type.codec().encode(value));
    if (bytes == null) {
      throw wrong(type, value, "encodes it as null");
    }
    return bytes.clone();
  }

  private static Object decodedAtOnce(Registered type, Object value, byte[] bytes) {
    ValueCodec<Object> codec = type.codec();
    Object decoded =
        call(
            type,
            value,
            "throws %s when it decodes what it has encoded",
            () -> codec.decode(codec.version(), bytes.clone()));
    if (decoded == null) {
      throw wrong(type, value, "decodes null");
    }
    return decoded;
  }

  private static <T extends @Nullable Object> T call(
      Registered type, Object value, String failure, Supplier<T> body) {
    try {
      return body.get();
    } catch (RuntimeException e) {
      NotPersistableException wrong = wrong(type, value, failure.formatted(e));
      wrong.initCause(e);
      throw wrong;
    }
  }

  private static NotPersistableException wrong(Registered type, Object value, String what) {
    return new NotPersistableException(
        "%s cannot keep a value of class %s: it %s; correct the codec, or assign another value"
            .formatted(type, value.getClass().getName(), what));
  }

  /**
   * Decodes a value.
   *
   * @param typeId the type in its cell
   * @param bytes what was encoded
   * @throws ClassRefusedException if the program has no codec for it
   * @throws PmStoreException if the codec fails
   */
  Object decode(int typeId, byte[] bytes) {
    ValueType stored = catalogue.valueType(typeId);
    Registered type = byName.get(stored.name());
    if (type == null) {
      throw new ClassRefusedException(
          "the store holds a value of the value type \"%s\", of class %s, which the options do not name; open the store with PmStoreOptions.valueType(%s.class, ...) and a codec of that name"
              .formatted(
                  stored.name(),
                  stored.className(),
                  stored.className().substring(stored.className().lastIndexOf('.') + 1)));
    }
    if (stored.version() > type.codec().version()) {
      throw new ClassRefusedException(
          "the store holds a value of the value type \"%s\" in version %d, and %s has version %d; use the program that wrote it, or a later one"
              .formatted(stored.name(), stored.version(), type, type.codec().version()));
    }
    Object value;
    try {
      value = type.codec().decode(stored.version(), bytes);
    } catch (RuntimeException e) {
      throw new PmStoreException(
          "%s throws %s when it decodes %d bytes that version %d of it has encoded; let it decode what it could once decode"
              .formatted(type, e, bytes.length, stored.version()),
          e);
    }
    if (value == null) {
      throw new PmStoreException(
          "%s decodes null from %d bytes that version %d of it has encoded; let it return the value"
              .formatted(type, bytes.length, stored.version()));
    }
    return value;
  }
}
