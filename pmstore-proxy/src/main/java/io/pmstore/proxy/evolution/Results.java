package io.pmstore.proxy.evolution;

import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.value.Widening;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What migration functions return. */
public final class Results {
  private Results() {}

  /**
   * A result as a value of a property's type.
   *
   * @param result what a function returned
   * @param type the property's type
   * @param property names it in a message
   * @return the result; a number widened if the property is primitive and of a wider type
   * @throws PmStoreException if the property cannot have it
   */
  public static @Nullable Object fitting(
      @Nullable Object result, Class<?> type, Supplier<String> property) {
    if (!type.isPrimitive()) {
      if (result == null || type.isInstance(result)) {
        return result;
      }
    } else if (result != null) {
      Object widened = widened(result, MethodType.methodType(type).wrap().returnType());
      if (widened != null) {
        return widened;
      }
    }
    throw new PmStoreException(
        "the migration of %s returned %s, but the property is of %s; nothing was written"
            .formatted(
                property.get(),
                result == null ? "null" : "a " + result.getClass().getName(),
                type.getName()));
  }

  /** A value of a wrapper class as one of another, if that loses nothing; or null. */
  private static @Nullable Object widened(Object value, Class<?> box) {
    if (box.isInstance(value)) {
      return value;
    }
    SlotKind from = Primitives.kind(value.getClass());
    SlotKind to = Primitives.kind(box);
    if (from == null || to == null || !Primitives.widens(from, to)) {
      return null;
    }
    double real = value instanceof Number number ? number.doubleValue() : (Character) value;
    return switch (to) {
      case DOUBLE -> real;
      case FLOAT -> (float) real;
      default -> Widening.value((long) real, to);
    };
  }
}
