package io.pmstore.proxy.value;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.catalogue.WordLayout;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.bean.PropertyTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Values in words ({@link WordLayout}): of properties whose declared type has a kind of word.
 * Thread-safe. Writes run inside a transaction.
 */
@SuppressWarnings({"JavaLocalDateTimeGetNano", "JavaDurationGetSecondsGetNano"}) // both are stored
public final class WordValues {
  private static final long NANOS = 1_000_000_000;
  // So many seconds, with any nanoseconds, fit into a word: 146 years.
  private static final long SECONDS_MAX = (Long.MAX_VALUE >> 1) / NANOS - 1;
  private static final int LONG_DIGITS = 18; // all numbers with so many digits fit into a long
  private static final long UNSCALED_MAX = Long.MAX_VALUE >> (WordLayout.SCALE_BITS + 1);

  private WordValues() {}

  /** Returns true if a value is null, or one of a kind of word. */
  public static boolean isOf(SlotKind kind, @Nullable Object value) {
    return value == null || PropertyTypes.wordClass(kind) == value.getClass();
  }

  // ---- writing

  /**
   * Writes a value into a word.
   *
   * @param object the address of the object that has the word
   * @param offset of the word in the object, in bytes
   * @param value null, or a value of the kind
   */
  public static void write(
      Heap heap, long object, int offset, SlotKind kind, @Nullable Object value) {
    heap.putLong(object, offset, value == null ? 0 : word(heap, kind, value));
  }

  private static long word(Heap heap, SlotKind kind, Object value) {
    return switch (kind) {
      case INSTANT_WORD -> {
        Instant at = (Instant) value;
        yield ofTime(heap, at.getEpochSecond(), at.getNano());
      }
      case DECIMAL_WORD -> ofDecimal(heap, (BigDecimal) value);
      case LONG_WORD -> {
        long number = (Long) value;
        yield WordLayout.fits(number)
            ? WordLayout.inline(number)
            : heap.blobs().create(bytes(Long.BYTES).putLong(number).array());
      }
      case INTEGER_WORD, SHORT_WORD, BYTE_WORD -> WordLayout.inline(((Number) value).longValue());
      case CHARACTER_WORD -> WordLayout.inline((Character) value);
      case BOOLEAN_WORD -> WordLayout.inline((Boolean) value ? 1 : 0);
      case FLOAT_WORD -> WordLayout.inline(Float.floatToRawIntBits((Float) value));
      case DATE_WORD -> WordLayout.inline(((LocalDate) value).toEpochDay());
      case TIME_WORD -> WordLayout.inline(((LocalTime) value).toNanoOfDay());
      case DURATION_WORD -> {
        Duration time = (Duration) value;
        yield ofTime(heap, time.getSeconds(), time.getNano());
      }
      case DATE_TIME_WORD -> {
        LocalDateTime at = (LocalDateTime) value;
        yield ofTime(heap, at.toEpochSecond(ZoneOffset.UTC), at.getNano());
      }
      default -> throw noWord(kind);
    };
  }

  private static long ofTime(Heap heap, long seconds, int nanos) {
    return seconds >= -SECONDS_MAX && seconds <= SECONDS_MAX
        ? WordLayout.inline(seconds * NANOS + nanos)
        : heap.blobs()
            .create(bytes(Long.BYTES + Integer.BYTES).putLong(seconds).putInt(nanos).array());
  }

  private static long ofDecimal(Heap heap, BigDecimal number) {
    int scale = number.scale();
    if (number.precision() <= LONG_DIGITS && scale >= 0 && scale <= WordLayout.SCALE_MAX) {
      // Avoids the BigInteger that unscaledValue() makes.
      long unscaled = number.scaleByPowerOfTen(scale).longValue();
      if (Math.abs(unscaled) <= UNSCALED_MAX) {
        return WordLayout.inline(unscaled << WordLayout.SCALE_BITS | scale);
      }
    }
    byte[] unscaled = number.unscaledValue().toByteArray();
    return heap.blobs()
        .create(bytes(Integer.BYTES + unscaled.length).putInt(scale).put(unscaled).array());
  }

  private static ByteBuffer bytes(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }

  // ---- reading

  /**
   * Reads the value in a word, or null.
   *
   * @throws StoreDamagedException if the word holds no value of the kind
   */
  public static @Nullable Object read(Heap heap, SlotKind kind, long word) {
    if (word == 0) {
      return null;
    }
    try {
      return WordLayout.isInline(word)
          ? inline(kind, WordLayout.payload(word))
          : outOfLine(kind, heap.blobs().read(word));
    } catch (DateTimeException | IllegalArgumentException | BufferUnderflowException e) {
      throw new StoreDamagedException(
          "a word of %016x of kind %s is no value: %s; restore the store from a backup"
              .formatted(word, kind, e),
          e);
    }
  }

  private static Object inline(SlotKind kind, long payload) {
    return switch (kind) {
      case INSTANT_WORD ->
          Instant.ofEpochSecond(Math.floorDiv(payload, NANOS), Math.floorMod(payload, NANOS));
      case DECIMAL_WORD ->
          BigDecimal.valueOf(
              payload >> WordLayout.SCALE_BITS, (int) payload & WordLayout.SCALE_MAX);
      case LONG_WORD -> payload;
      case INTEGER_WORD -> (int) payload;
      case SHORT_WORD -> (short) payload;
      case BYTE_WORD -> (byte) payload;
      case CHARACTER_WORD -> (char) payload;
      case BOOLEAN_WORD -> payload != 0;
      case FLOAT_WORD -> Float.intBitsToFloat((int) payload);
      case DATE_WORD -> LocalDate.ofEpochDay(payload);
      case TIME_WORD -> LocalTime.ofNanoOfDay(payload);
      case DURATION_WORD -> Duration.ofNanos(payload);
      case DATE_TIME_WORD ->
          dateTime(Math.floorDiv(payload, NANOS), (int) Math.floorMod(payload, NANOS));
      default -> throw noWord(kind);
    };
  }

  private static Object outOfLine(SlotKind kind, byte[] blob) {
    ByteBuffer bytes = ByteBuffer.wrap(blob).order(ByteOrder.LITTLE_ENDIAN);
    return switch (kind) {
      case LONG_WORD -> bytes.getLong();
      case INSTANT_WORD -> Instant.ofEpochSecond(bytes.getLong(), bytes.getInt());
      case DURATION_WORD -> Duration.ofSeconds(bytes.getLong(), bytes.getInt());
      case DATE_TIME_WORD -> dateTime(bytes.getLong(), bytes.getInt());
      case DECIMAL_WORD -> {
        int scale = bytes.getInt();
        byte[] unscaled = new byte[bytes.remaining()];
        bytes.get(unscaled);
        yield new BigDecimal(new BigInteger(unscaled), scale);
      }
      default -> throw noWord(kind);
    };
  }

  private static LocalDateTime dateTime(long seconds, int nanos) {
    return LocalDateTime.ofEpochSecond(seconds, nanos, ZoneOffset.UTC);
  }

  private static IllegalArgumentException noWord(SlotKind kind) {
    return new IllegalArgumentException("no value of a slot of kind " + kind + " is there");
  }
}
