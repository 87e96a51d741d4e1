package io.pmstore.proxy.slot;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The contribution of components to the hash codes of records. It stays the same when a component's
 * type is widened.
 */
public final class ComponentHash {
  private ComponentHash() {}

  /**
   * Returns the contribution of a component to the hash code of its record, which is the sum of
   * them. It is 0 for null, zero and false.
   *
   * @param salt tells components apart
   */
  public static int of(@Nullable Object part, int salt, ToIntFunction<@Nullable Object> ofPart) {
    return isNothing(part) ? 0 : mixed(salt ^ ofPart.applyAsInt(widest(part)));
  }

  /** Spreads a hash code over all bits: the finalizer of MurmurHash3 (Austin Appleby). */
  private static int mixed(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x85eb_ca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2_ae35;
    return mixed ^ mixed >>> 16;
  }

  private static boolean isNothing(@Nullable Object part) {
    return switch (part) {
      case null -> true;
      case Boolean flag -> !flag;
      case Character character -> character == 0;
      case Number number when isPrimitive(number) -> number.doubleValue() == 0;
      default -> false;
    };
  }

  private static boolean isPrimitive(Number number) {
    return widest(number) instanceof Long || widest(number) instanceof Double;
  }

  /**
   * Returns the contribution of a component that is a collection: from its contents, as the {@code
   * equals} of a list, a set or a map compares them. It is 0 for the others, which compare by
   * identity.
   */
  public static int ofContents(Object collection, ToIntFunction<@Nullable Object> ofElement) {
    int hash = 0;
    switch (collection) {
      case List<?> list -> {
        for (Object element : list) {
          hash = 31 * hash + ofElement.applyAsInt(element);
        }
      }
      case Set<?> set -> {
        for (Object element : set) {
          hash += mixed(ofElement.applyAsInt(element));
        }
      }
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          hash +=
              mixed(
                  31 * ofElement.applyAsInt(entry.getKey())
                      + ofElement.applyAsInt(entry.getValue()));
        }
      }
      default -> {}
    }
    return hash;
  }

  /**
   * Returns a component converted to a type that does not depend on how far its own was widened: an
   * integer, and a floating-point number that is one, to a {@code Long}, another to a {@code
   * Double}.
   */
  private static @Nullable Object widest(@Nullable Object part) {
    return switch (part) {
      case Byte number -> number.longValue();
      case Short number -> number.longValue();
      case Integer number -> number.longValue();
      case Character character -> (long) character;
      case Float number -> widest(number.doubleValue());
      case Double number when (double) number.longValue() == number -> number.longValue();
      case null, default -> part;
    };
  }
}
