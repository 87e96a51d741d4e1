package io.pmstore.proxy.value;

import io.pmstore.NotPersistableException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.SlotKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
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

  /** Returns the bytes of an array's elements. */
  static byte[] bytes(Object array) {
    return switch (array) {
      case byte[] bytes -> bytes.clone();
      case boolean[] flags -> bytes(flags);
      case short[] numbers ->
          filled(numbers.length, Short.BYTES, bytes -> bytes.asShortBuffer().put(numbers));
      case char[] characters ->
          filled(characters.length, Character.BYTES, bytes -> bytes.asCharBuffer().put(characters));
      case int[] numbers ->
          filled(numbers.length, Integer.BYTES, bytes -> bytes.asIntBuffer().put(numbers));
      case long[] numbers ->
          filled(numbers.length, Long.BYTES, bytes -> bytes.asLongBuffer().put(numbers));
      case float[] numbers ->
          filled(numbers.length, Float.BYTES, bytes -> bytes.asFloatBuffer().put(numbers));
      case double[] numbers ->
          filled(numbers.length, Double.BYTES, bytes -> bytes.asDoubleBuffer().put(numbers));
      default -> throw new IllegalArgumentException(array + " is no array of a primitive type");
    };
  }

  private static byte[] bytes(boolean[] flags) {
    byte[] bytes = new byte[flags.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (flags[i] ? 1 : 0);
    }
    return bytes;
  }

  private static byte[] filled(int length, int width, Consumer<ByteBuffer> fill) {
    if (length > Integer.MAX_VALUE / width) {
      throw new NotPersistableException(
          "an array of %,d elements of %d bytes has more than %,d bytes; keep it in parts, in a java.util.List of arrays"
              .formatted(length, width, Integer.MAX_VALUE));
    }
    byte[] bytes = new byte[length * width];
    fill.accept(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
    return bytes;
  }

  /** Returns an array of the elements in {@code bytes}. */
  static Object array(int kindCode, byte[] bytes) {
    SlotKind kind = SlotKind.ofCode(kindCode);
    int length = bytes.length / kind.width();
    if (length * kind.width() != bytes.length) {
      throw new StoreDamagedException(
          "an array of %s has %d bytes, which is no multiple of %d; restore the store from a backup"
              .formatted(kind, bytes.length, kind.width()));
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    return switch (kind) {
      case BYTE -> bytes;
      case BOOLEAN -> flags(bytes);
      case SHORT -> {
        short[] numbers = new short[length];
        buffer.asShortBuffer().get(numbers);
        yield numbers;
      }
      case CHAR -> {
        char[] characters = new char[length];
        buffer.asCharBuffer().get(characters);
        yield characters;
      }
      case INT -> {
        int[] numbers = new int[length];
        buffer.asIntBuffer().get(numbers);
        yield numbers;
      }
      case LONG -> {
        long[] numbers = new long[length];
        buffer.asLongBuffer().get(numbers);
        yield numbers;
      }
      case FLOAT -> {
        float[] numbers = new float[length];
        buffer.asFloatBuffer().get(numbers);
        yield numbers;
      }
      case DOUBLE -> {
        double[] numbers = new double[length];
        buffer.asDoubleBuffer().get(numbers);
        yield numbers;
      }
      default ->
          throw new StoreDamagedException(
              "an array says that its elements are of kind "
                  + kind
                  + ", which is no primitive type; restore the store from a backup");
    };
  }

  private static boolean[] flags(byte[] bytes) {
    boolean[] flags = new boolean[bytes.length];
    for (int i = 0; i < flags.length; i++) {
      flags[i] = bytes[i] != 0;
    }
    return flags;
  }
}
