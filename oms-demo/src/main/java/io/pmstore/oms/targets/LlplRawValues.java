package io.pmstore.oms.targets;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.intel.pmem.llpl.MemoryBlock;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * How values lie in blocks: decimals as longs in units of the last decimal, strings as their length
 * and their bytes.
 */
final class LlplRawValues {
  private static final long NO_DECIMAL = Long.MIN_VALUE;

  private LlplRawValues() {}

  static long ofDecimal(@Nullable BigDecimal value, int scale) {
    return value == null ? NO_DECIMAL : value.setScale(scale).unscaledValue().longValueExact();
  }

  static @Nullable BigDecimal toDecimal(long value, int scale) {
    return value == NO_DECIMAL ? null : BigDecimal.valueOf(value, scale);
  }

  /** Returns the space that strings with these bytes take, in bytes. */
  static long size(byte[]... texts) {
    long size = 0;
    for (byte[] text : texts) {
      size += Integer.BYTES + text.length;
    }
    return size;
  }

  /** Writes strings, one behind the other. */
  static void put(MemoryBlock block, long offset, byte[]... texts) {
    long at = offset;
    for (byte[] text : texts) {
      block.setInt(at, text.length);
      at += Integer.BYTES;
      if (text.length > 0) {
        block.copyFromArray(text, 0, at, text.length);
        at += text.length;
      }
    }
  }

  /** Reads the string at an offset. */
  static String get(MemoryBlock block, long offset) {
    byte[] text = new byte[block.getInt(offset)];
    if (text.length > 0) {
      block.copyToArray(offset + Integer.BYTES, text, 0, text.length);
    }
    return new String(text, UTF_8);
  }

  /** Where the string behind the one at an offset begins. */
  static long next(MemoryBlock block, long offset) {
    return offset + Integer.BYTES + block.getInt(offset);
  }
}
