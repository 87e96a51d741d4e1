package io.pmstore.core.memory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Access to the bytes of an array as little-endian values, as memory and files have them. An index
 * counts bytes, and need not be aligned.
 */
public final class LittleEndian {
  /** A {@code short}. */
  public static final VarHandle SHORT = view(short[].class);

  /** A {@code char}. */
  public static final VarHandle CHAR = view(char[].class);

  /** An {@code int}. */
  public static final VarHandle INT = view(int[].class);

  /** A {@code long}. */
  public static final VarHandle LONG = view(long[].class);

  private LittleEndian() {}

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }
}
