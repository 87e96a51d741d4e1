package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.ClassRefusedException;
import io.pmstore.NotPersistableException;
import io.pmstore.ValueCodec;
import io.pmstore.core.heap.Utf8;
import io.pmstore.proxy.bean.ConstantFields;
import io.pmstore.proxy.bean.PropertyTypes;
import io.pmstore.proxy.schema.StoreSchema;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Objects without state that {@code static final} fields hold, such as a strategy that is an
 * anonymous class. The store keeps the names of the class and the field. A reader gets the object
 * that the field holds then.
 */
final class Constants implements ValueCodec<Object> {
  static final String NAME = "pmstore.constant";

  /** A field, and the class that declares it. */
  private record Constant(Class<?> owner, String field) {
    @Nullable Object value() {
      return ConstantFields.value(owner, field);
    }
  }

  private static final ClassValue<Optional<Constant>> BY_CLASS =
      new ClassValue<>() {
        @Override
        protected Optional<Constant> computeValue(Class<?> type) {
          return canBeOne(type) ? constant(type) : Optional.empty();
        }
      };

  private final Supplier<StoreSchema> schema;

  /** Takes what names the classes of the store. */
  Constants(Supplier<StoreSchema> schema) {
    this.schema = schema;
  }

  /** Returns true for a class that has no state and whose object a constant is. */
  static boolean isOne(Class<?> type) {
    return BY_CLASS.get(type).isPresent();
  }

  private static boolean canBeOne(Class<?> type) {
    if (type.isHidden()
        || type.isInterface()
        || PropertyTypes.isKeptWithoutCodec(type)
        || Collection.class.isAssignableFrom(type)
        || Map.class.isAssignableFrom(type)) {
      return false;
    }
    for (Class<?> k = type; k != Object.class; k = k.getSuperclass()) {
      boolean isOfJdk = k.getModule() == Object.class.getModule();
      if (isOfJdk || hasInstanceFields(k)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasInstanceFields(Class<?> type) {
    return Stream.of(type.getDeclaredFields())
        .anyMatch(field -> !Modifier.isStatic(field.getModifiers()));
  }

  /** Finds a constant that holds an object of a class, in it or in a class around it. */
  private static Optional<Constant> constant(Class<?> type) {
    for (Class<?> k = type; k != null; k = k.getEnclosingClass()) {
      String field = ConstantFields.holding(k, type, held -> held.getClass() == type);
      if (field != null) {
        return Optional.of(new Constant(k, field));
      }
    }
    return Optional.empty();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a reader gets the constant, not an object like it
  public byte[] encode(Object value) {
    Constant constant = BY_CLASS.get(value.getClass()).orElseThrow();
    if (constant.value() != value) {
      throw new NotPersistableException(
          "an object of class %s is not the one that the constant %s of %s holds, which is what a reader would get; assign the constant, or annotate the class with @Persistent"
              .formatted(value.getClass().getName(), constant.field(), constant.owner().getName()));
    }
    String name = schema.get().nameToStore(constant.owner()) + "#" + constant.field();
    return Utf8.bytes(name, "constant", "rename it, or its class");
  }

  @Override
  public Object decode(int version, byte[] bytes) {
    String name = new String(bytes, UTF_8);
    int at = name.indexOf('#');
    Class<?> owner = schema.get().classOfName(name.substring(0, Math.max(at, 0)));
    String field = name.substring(at + 1);
    Object value = ConstantFields.value(owner, field);
    if (value == null) {
      throw new ClassRefusedException(
          "the store holds the constant %s of class %s, which has no static final field of that name that holds an object and can be read; put it back"
              .formatted(field, owner.getName()));
    }
    return value;
  }
}
