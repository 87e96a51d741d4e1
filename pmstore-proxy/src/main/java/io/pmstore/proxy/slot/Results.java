package io.pmstore.proxy.slot;

import io.pmstore.PmStoreException;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.evolution.Primitives;
import io.pmstore.proxy.facade.Facades;
import java.lang.invoke.MethodType;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks what migration functions return. */
public final class Results {
  private Results() {}

  /**
   * Returns a function's result as a value of the property's type; widens a number if the property
   * is primitive and of a wider type.
   *
   * @param property names the property in a message
   * @throws PmStoreException if the property cannot have the result
   */
  public static @Nullable Object fitting(
      @Nullable Object result, Class<?> type, Supplier<String> property) {
    if (!type.isPrimitive()) {
      if (result == null || Facades.canFit(result, type)) {
        return result;
      }
    } else if (result != null) {
      Object widened = widened(result, MethodType.methodType(type).wrap().returnType());
      if (widened != null) {
        return widened;
      }
    }
    throw new PmStoreException(
        "the migration of %s returned %s, but the property is of %s; nothing was written. Correct the migration function"
            .formatted(
                property.get(),
                result == null ? "null" : "a " + result.getClass().getName(),
                type.getName()));
  }

  /**
   * Returns a value of a wrapper class as one of another, or null if that would lose information.
   */
  private static @Nullable Object widened(Object value, Class<?> box) {
    if (box.isInstance(value)) {
      return value;
    }
    SlotKind from = Primitives.kind(value.getClass());
    SlotKind to = Primitives.kind(box);
    if (from == null || to == null || !Primitives.widens(from, to)) {
      return null;
    }
    return PrimitiveSlots.value(
        PrimitiveSlots.widened(PrimitiveSlots.bits(value, from), from, to), to);
  }
}
