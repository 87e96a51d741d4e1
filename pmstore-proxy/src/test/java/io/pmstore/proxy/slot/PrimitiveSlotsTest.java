package io.pmstore.proxy.slot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.proxy.evolution.Primitives;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class PrimitiveSlotsTest {
  private static final List<Object> VALUES =
      List.of(
          false,
          true,
          (byte) 0,
          Byte.MIN_VALUE,
          Byte.MAX_VALUE,
          Short.MIN_VALUE,
          Short.MAX_VALUE,
          Character.MIN_VALUE,
          Character.MAX_VALUE,
          Integer.MIN_VALUE,
          -1,
          Integer.MAX_VALUE,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          0f,
          -0f,
          Float.MIN_VALUE,
          -Float.MAX_VALUE,
          Float.NaN,
          Float.NEGATIVE_INFINITY,
          -0d,
          Double.MIN_VALUE,
          Double.MAX_VALUE,
          Double.NaN,
          Double.POSITIVE_INFINITY);

  private static Stream<Object> values() {
    return VALUES.stream();
  }

  private static SlotKind kind(Object value) {
    return Objects.requireNonNull(Primitives.kind(value.getClass()));
  }

  @ParameterizedTest
  @MethodSource("values")
  void theBitsOfAValueAreThoseOfNoOther(Object value) {
    SlotKind kind = kind(value);
    assertEquals(value, PrimitiveSlots.value(PrimitiveSlots.bits(value, kind), kind));
  }

  /** Compares with the conversion that the JVM makes. */
  @ParameterizedTest
  @MethodSource("values")
  void aValueIsWidenedAsByJava(Object value) throws Throwable {
    SlotKind from = kind(value);
    for (SlotKind to : SlotKind.values()) {
      if (Primitives.widens(from, to)) {
        Class<?> type = MethodType.methodType(Primitives.box(to)).unwrap().returnType();
        Object expected =
            MethodHandles.identity(type).asType(MethodType.genericMethodType(1)).invokeExact(value);
        long bits = PrimitiveSlots.widened(PrimitiveSlots.bits(value, from), from, to);
        assertEquals(expected, PrimitiveSlots.value(bits, to), () -> from + " to " + to);
      }
    }
  }

  @Test
  void otherSlotsAreRefused() {
    for (SlotKind kind : EnumSet.of(SlotKind.REFERENCE, SlotKind.ENUM, SlotKind.CELL)) {
      assertThrows(IllegalArgumentException.class, () -> PrimitiveSlots.value(0, kind));
      assertThrows(IllegalArgumentException.class, () -> PrimitiveSlots.bits("", kind));
    }
  }
}
