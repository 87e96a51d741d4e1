package io.pmstore.proxy.value;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Optional numbers in cells. The codes are part of the format. */
final class OptionalCells {
  private static final int INT = 1;
  private static final int LONG = 2;
  private static final int DOUBLE = 3;

  private OptionalCells() {}

  /** Returns the first word of a value's cell, or null if the value is no optional number. */
  static @Nullable Long first(Object value) {
    return switch (value) {
      case OptionalInt number -> first(INT, number.isPresent());
      case OptionalLong number -> first(LONG, number.isPresent());
      case OptionalDouble number -> first(DOUBLE, number.isPresent());
      default -> null;
    };
  }

  private static long first(int kind, boolean present) {
    return CellLayout.first(CellLayout.OPTIONAL, present ? 1 : 0, kind);
  }

  /** Returns the second word of a value's cell. Equal values have the same. */
  static long second(Object value) {
    return switch (value) {
      case OptionalInt number -> number.orElse(0);
      case OptionalLong number -> number.orElse(0);
      // Not the raw bits: Double.compare considers all NaN values equal.
      case OptionalDouble number -> Double.doubleToLongBits(number.orElse(0));
      default -> throw new IllegalArgumentException(value + " is no optional number");
    };
  }

  static Object read(long first, long second) {
    boolean present = CellLayout.a(first) != 0;
    return switch (CellLayout.b(first)) {
      case INT -> present ? OptionalInt.of((int) second) : OptionalInt.empty();
      case LONG -> present ? OptionalLong.of(second) : OptionalLong.empty();
      case DOUBLE ->
          present ? OptionalDouble.of(Double.longBitsToDouble(second)) : OptionalDouble.empty();
      default ->
          throw new StoreDamagedException(
              "a cell holds an optional number of kind %s, which this program does not know; restore the store from a backup, or open it with the program that wrote it"
                  .formatted(CellLayout.b(first)));
    };
  }
}
