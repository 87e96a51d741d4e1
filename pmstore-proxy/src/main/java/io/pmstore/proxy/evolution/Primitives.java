package io.pmstore.proxy.evolution;

import io.pmstore.core.catalogue.SlotKind;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which primitive values can become which others without loss. */
final class Primitives {
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

  /** Says whether every value of a primitive kind is one of another primitive kind. */
  static boolean widens(SlotKind from, SlotKind to) {
    return WIDER.getOrDefault(from, Set.of()).contains(to);
  }

  /** The kind in whose box a primitive value is kept in a cell of a type. */
  static SlotKind boxKind(SlotKind primitive, String typeName) {
    for (Map.Entry<SlotKind, Class<?>> box : BOXES.entrySet()) {
      if (box.getValue().getName().equals(typeName)) {
        return box.getKey();
      }
    }
    return primitive;
  }

  /** The primitive kind that a class is the box of; null if it is none. */
  static @Nullable SlotKind kind(Class<?> box) {
    for (Map.Entry<SlotKind, Class<?>> each : BOXES.entrySet()) {
      if (each.getValue() == box) {
        return each.getKey();
      }
    }
    return null;
  }

  /** The class of the box of a primitive kind. */
  static Class<?> box(SlotKind primitive) {
    Class<?> box = BOXES.get(primitive);
    if (box == null) {
      throw new IllegalArgumentException(primitive + " is not primitive");
    }
    return box;
  }
}
