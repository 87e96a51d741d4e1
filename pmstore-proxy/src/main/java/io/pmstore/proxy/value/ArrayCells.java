package io.pmstore.proxy.value;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.SlotKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Arrays of primitive types as the bytes of their elements, little-endian. */
final class ArrayCells {
  private ArrayCells() {}

  /** Returns the kind of the elements, or null if the object is no array of a primitive type. */
  static @Nullable SlotKind kind(Object object) {
    return switch (object) {
      case byte[] _ -> SlotKind.BYTE;
      case int[] _ -> SlotKind.INT;
      case long[] _ -> SlotKind.LONG;
      case double[] _ -> SlotKind.DOUBLE;
      case char[] _ -> SlotKind.CHAR;
      case float[] _ -> SlotKind.FLOAT;
      case short[] _ -> SlotKind.SHORT;
      case boolean[] _ -> SlotKind.BOOLEAN;
      default -> null;
    };
  }

  /** Returns the layout of elements in the heap, where they need not be aligned. */
  private static ValueLayout layout(SlotKind elements) {
    return switch (elements) {
      case BYTE -> ValueLayout.JAVA_BYTE;
      case SHORT -> ValueLayout.JAVA_SHORT_UNALIGNED;
      case CHAR -> ValueLayout.JAVA_CHAR_UNALIGNED;
      case INT -> ValueLayout.JAVA_INT_UNALIGNED;
      case LONG -> ValueLayout.JAVA_LONG_UNALIGNED;
      case FLOAT -> ValueLayout.JAVA_FLOAT_UNALIGNED;
      case DOUBLE -> ValueLayout.JAVA_DOUBLE_UNALIGNED;
      default ->
          throw new StoreDamagedException(
              "an array says that its elements are of kind %s, which is no primitive type; restore the store from a backup"
                  .formatted(elements));
    };
  }

  private static MemorySegment segment(Object array) {
    return switch (array) {
      case byte[] bytes -> MemorySegment.ofArray(bytes);
      case short[] numbers -> MemorySegment.ofArray(numbers);
      case char[] characters -> MemorySegment.ofArray(characters);
      case int[] numbers -> MemorySegment.ofArray(numbers);
      case long[] numbers -> MemorySegment.ofArray(numbers);
      case float[] numbers -> MemorySegment.ofArray(numbers);
      case double[] numbers -> MemorySegment.ofArray(numbers);
      default -> throw new IllegalArgumentException(array + " is no array of a primitive type");
    };
  }

  /** Copies all elements from native order to little-endian, or back. */
  private static void copy(Object from, Object to, SlotKind elements, int length) {
    ValueLayout in = layout(elements).withOrder(ByteOrder.nativeOrder());
    ValueLayout stored = in.withOrder(ByteOrder.LITTLE_ENDIAN);
    boolean isStored = from instanceof byte[];
    MemorySegment.copy(
        segment(from), isStored ? stored : in, 0, segment(to), isStored ? in : stored, 0, length);
  }

  /** Returns the bytes of the elements of an array, which are of the kind. */
  static byte[] bytes(Object array, SlotKind elements) {
    int length = Array.getLength(array);
    if (length > Integer.MAX_VALUE / elements.width()) {
      throw new NotPersistableException(
          "an array of %,d elements of %d bytes has more than %,d bytes; keep it in parts, in a java.util.List of arrays"
              .formatted(length, elements.width(), Integer.MAX_VALUE));
    }
    byte[] bytes = new byte[length * elements.width()];
    if (array instanceof boolean[] flags) {
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (flags[i] ? 1 : 0);
      }
    } else {
      copy(array, bytes, elements, length);
    }
    return bytes;
  }

  /** Returns an array of the elements in {@code bytes}. */
  static Object array(int kindCode, byte[] bytes) {
    SlotKind elements = SlotKind.ofCode(kindCode);
    int length = bytes.length / elements.width();
    if (length * elements.width() != bytes.length) {
      throw new StoreDamagedException(
          "an array of %s has %d bytes, which is no multiple of %d; restore the store from a backup"
              .formatted(elements, bytes.length, elements.width()));
    }
    if (elements == SlotKind.BOOLEAN) {
      boolean[] flags = new boolean[length];
      for (int i = 0; i < length; i++) {
        flags[i] = bytes[i] != 0;
      }
      return flags;
    }
    Object array = Array.newInstance(layout(elements).carrier(), length);
    copy(bytes, array, elements, length);
    return array;
  }
}
