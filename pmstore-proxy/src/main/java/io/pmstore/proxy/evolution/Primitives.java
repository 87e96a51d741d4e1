package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.SlotKind;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lossless conversions between primitive types. */
public final class Primitives {
  private static final Map<SlotKind, Class<?>> BOXES =
      Map.of(
          SlotKind.BOOLEAN, Boolean.class,
          SlotKind.BYTE, Byte.class,
          SlotKind.SHORT, Short.class,
          SlotKind.CHAR, Character.class,
          SlotKind.INT, Integer.class,
          SlotKind.LONG, Long.class,
          SlotKind.FLOAT, Float.class,
          SlotKind.DOUBLE, Double.class);

  private static final Map<SlotKind, Set<SlotKind>> WIDER =
      Map.of(
          SlotKind.BYTE,
          EnumSet.of(SlotKind.SHORT, SlotKind.INT, SlotKind.LONG, SlotKind.FLOAT, SlotKind.DOUBLE),
          SlotKind.SHORT,
          EnumSet.of(SlotKind.INT, SlotKind.LONG, SlotKind.FLOAT, SlotKind.DOUBLE),
          SlotKind.CHAR,
          EnumSet.of(SlotKind.INT, SlotKind.LONG, SlotKind.FLOAT, SlotKind.DOUBLE),
          SlotKind.INT,
          EnumSet.of(SlotKind.LONG, SlotKind.DOUBLE),
          SlotKind.FLOAT,
          EnumSet.of(SlotKind.DOUBLE));

  private Primitives() {}

  /** Returns true if every value of a primitive kind is also a value of another primitive kind. */
  public static boolean widens(SlotKind from, SlotKind to) {
    return WIDER.getOrDefault(from, Set.of()).contains(to);
  }

  /** Returns the primitive kind in whose box a cell of the type keeps a primitive value. */
  static SlotKind boxKind(SlotKind primitive, String typeName) {
    for (Map.Entry<SlotKind, Class<?>> box : BOXES.entrySet()) {
      if (box.getValue().getName().equals(typeName)) {
        return box.getKey();
      }
    }
    return primitive;
  }

  /** Returns the primitive kind whose box a class is, or null. */
  public static @Nullable SlotKind kind(Class<?> box) {
    for (Map.Entry<SlotKind, Class<?>> each : BOXES.entrySet()) {
      if (each.getValue() == box) {
        return each.getKey();
      }
    }
    return null;
  }

  /** Returns the box class of a primitive kind. */
  public static Class<?> box(SlotKind primitive) {
    Class<?> box = BOXES.get(primitive);
    if (box == null) {
      throw new IllegalArgumentException(primitive + " is not primitive");
    }
    return box;
  }
}
