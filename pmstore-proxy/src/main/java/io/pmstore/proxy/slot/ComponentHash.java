package io.pmstore.proxy.slot;

import org.jspecify.annotations.Nullable;

/**
 * The contribution of components to the hash codes of records. It stays the same when a component's
 * type is widened.
 */
public final class ComponentHash {
  private ComponentHash() {}

  /** Spreads a hash code over all bits: the finalizer of MurmurHash3 (Austin Appleby). */
  public static int mixed(int hash) {
    int mixed = (hash ^ hash >>> 16) * 0x85eb_ca6b;
    mixed = (mixed ^ mixed >>> 13) * 0xc2b2_ae35;
    return mixed ^ mixed >>> 16;
  }

  /** Returns true if a component contributes nothing. */
  public static boolean isNothing(@Nullable Object part) {
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
   * Returns a component converted to a type that does not depend on how far its own was widened: an
   * integer, and a floating-point number that is one, to a {@code Long}, another to a {@code
   * Double}.
   */
  public static @Nullable Object widest(@Nullable Object part) {
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
