package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Date;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values in the cells of one store: everything that a cell can hold but objects. Safe for use by
 * any number of threads; writes are made inside a transaction.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
public final class ValueCells {
  private static final int LONG_BITS = 63;
  private static final int LONG_DIGITS = 18; // all numbers of so many fit into a long

  private final Heap heap;
  private final StoreSchema schema;

  /**
   * Creates the cells of a store.
   *
   * @param heap the store's heap
   * @param schema knows its enums
   */
  public ValueCells(Heap heap, StoreSchema schema) {
    this.heap = heap;
    this.schema = schema;
  }

  /**
   * Writes a value into a cell.
   *
   * @param object the address of the object that holds the cell
   * @param offset of the cell, in bytes
   * @param value its new value, or null
   * @return false, with nothing written, if the value is not of a value type
   */
  public boolean write(long object, int offset, @Nullable Object value) {
    switch (value) {
      case null -> put(object, offset, CellLayout.NULL, 0, 0);
      case String string -> StringCells.write(heap, object, offset, string);
      case Long number -> put(object, offset, CellLayout.LONG, 0, number);
      case Integer number -> put(object, offset, CellLayout.INTEGER, 0, number);
      case BigDecimal number when number.getClass() == BigDecimal.class ->
          write(object, offset, number);
      case Enum<?> constant -> {
        EnumNumbers numbers = schema.enumNumbers(constant.getDeclaringClass());
        put(object, offset, CellLayout.ENUM, numbers.typeId(), numbers.number(constant));
      }
      case Boolean flag -> put(object, offset, CellLayout.BOOLEAN, 0, flag ? 1 : 0);
      case Double number ->
          put(object, offset, CellLayout.DOUBLE, 0, Double.doubleToRawLongBits(number));
      case Float number ->
          put(object, offset, CellLayout.FLOAT, 0, Float.floatToRawIntBits(number));
      case Short number -> put(object, offset, CellLayout.SHORT, 0, number);
      case Byte number -> put(object, offset, CellLayout.BYTE, 0, number);
      case Character character -> put(object, offset, CellLayout.CHARACTER, 0, character);
      case BigInteger number when number.getClass() == BigInteger.class -> {
        if (number.bitLength() <= LONG_BITS) {
          put(object, offset, CellLayout.BIG_INTEGER, 0, number.longValue());
        } else {
          put(object, offset, CellLayout.BIG_INTEGER_LONG, 0, heap.newBlob(number.toByteArray()));
        }
      }
      case UUID uuid -> {
        byte[] bytes =
            ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        put(object, offset, CellLayout.UUID, 0, heap.newBlob(bytes));
      }
      case Date date when date.getClass() == Date.class ->
          put(object, offset, CellLayout.DATE, 0, date.getTime());
      default -> {
        return TimeCells.write(heap, object, offset, value) || writeBytes(object, offset, value);
      }
    }
    return true;
  }

  /** Writes an array of a primitive type or a value that is kept as a text. */
  private boolean writeBytes(long object, int offset, Object value) {
    SlotKind elements = ArrayCells.kind(value);
    if (elements != null) {
      long blob = heap.newBlob(ArrayCells.bytes(value));
      put(object, offset, CellLayout.PRIMITIVE_ARRAY, elements.code(), blob);
      return true;
    }
    TextCells text = TextCells.of(value);
    if (text != null) {
      long blob = heap.newBlob(TextCells.text(value).getBytes(UTF_8));
      put(object, offset, CellLayout.TEXT, text.code, blob);
      return true;
    }
    return false;
  }

  private void write(long object, int offset, BigDecimal number) {
    if (number.precision() <= LONG_DIGITS) {
      // Without the BigInteger that unscaledValue() makes.
      long unscaled = number.scaleByPowerOfTen(number.scale()).longValue();
      put(object, offset, CellLayout.BIG_DECIMAL, number.scale(), unscaled);
      return;
    }
    BigInteger unscaled = number.unscaledValue();
    if (unscaled.bitLength() <= LONG_BITS) {
      put(object, offset, CellLayout.BIG_DECIMAL, number.scale(), unscaled.longValue());
    } else {
      long blob = heap.newBlob(unscaled.toByteArray());
      put(object, offset, CellLayout.BIG_DECIMAL_LONG, number.scale(), blob);
    }
  }

  private void put(long object, int offset, int tag, int b, long c) {
    heap.putLong(object, offset, CellLayout.first(tag, 0, b));
    heap.putLong(object, offset + CellLayout.C_OFFSET, c);
  }

  /**
   * Says whether a cell holds a value, where that is plain from its words. Equal values of most
   * types are equal cells.
   *
   * @param first the first word of a cell
   * @param second its second word
   * @param value what to compare with, not null
   * @return whether they are equal; null if the value must be read to know
   */
  public @Nullable Boolean sameAs(long first, long second, Object value) {
    return switch (value) {
      case Long number -> CellLayout.tag(first) == CellLayout.LONG && second == number;
      case Integer number -> CellLayout.tag(first) == CellLayout.INTEGER && second == number;
      case String string when string.length() <= CellLayout.INLINE_MAX -> {
        if (!StringCells.isLatin1(string)) {
          yield CellLayout.tag(first) == CellLayout.STRING_UTF16 ? null : Boolean.FALSE;
        }
        yield first == StringCells.inlineFirst(string)
            && second == StringCells.inlineSecond(string);
      }
      default -> null;
    };
  }

  /**
   * Compares a string with one in a cell, without making a Java object from the cell.
   *
   * @param string a string
   * @param first the first word of a cell that holds a string in line
   * @param second its second word
   * @return what {@code string.compareTo} of the string in the cell returns
   */
  public static int compareInline(String string, long first, long second) {
    return StringCells.compareInline(string, first, second);
  }

  /**
   * Says whether an object is of a value type.
   *
   * @param object any object
   * @return true if a cell can hold it as a value
   */
  public static boolean isValue(Object object) {
    return switch (object) {
      case String _, Long _, Integer _, Enum<?> _, Boolean _, Double _, Float _ -> true;
      case Short _, Byte _, Character _, UUID _ -> true;
      case BigDecimal number -> number.getClass() == BigDecimal.class;
      case BigInteger number -> number.getClass() == BigInteger.class;
      case Date date -> date.getClass() == Date.class;
      default ->
          TimeCells.isValue(object)
              || ArrayCells.kind(object) != null
              || TextCells.of(object) != null;
    };
  }

  /**
   * A hash code that is the same in every JVM and consistent with {@code equals}.
   *
   * @param value any object
   * @return its hash code, or null if it is not of a value type
   */
  public static @Nullable Integer hash(Object value) {
    return switch (value) {
      // Their classes specify what they hash to.
      case String string -> string.hashCode();
      case Long number -> number.hashCode();
      case Integer number -> number.hashCode();
      case BigDecimal number -> hash(number.unscaledValue()) * 31 + number.scale();
      case BigInteger number -> hash(number);
      case Boolean flag -> flag.hashCode();
      case Double number -> number.hashCode();
      case Float number -> number.hashCode();
      case Short number -> number.hashCode();
      case Byte number -> number.hashCode();
      case Character character -> character.hashCode();
      case UUID uuid ->
          Long.hashCode(uuid.getMostSignificantBits() ^ uuid.getLeastSignificantBits());
      case Date date -> date.hashCode();
      default ->
          TextCells.of(value) == null
              ? TimeCells.hash(value)
              : Integer.valueOf(TextCells.text(value).toLowerCase(Locale.ROOT).hashCode());
    };
  }

  private static int hash(BigInteger number) {
    return Arrays.hashCode(number.toByteArray());
  }

  /**
   * Writes a reference to an object into a cell.
   *
   * @param object the address of the object that holds the cell
   * @param offset of the cell, in bytes
   * @param target the address of the object that it refers to
   */
  public void writeReference(long object, int offset, long target) {
    put(object, offset, CellLayout.OBJECT, 0, target);
  }

  /**
   * Reads a value.
   *
   * @param first the first word of a cell that holds no object
   * @param second its second word
   * @return the value, or null
   * @throws StoreDamagedException if the cell is none that this program knows
   */
  public @Nullable Object read(long first, long second) {
    int tag = CellLayout.tag(first);
    return switch (tag) {
      case CellLayout.NULL -> null;
      case CellLayout.STRING -> StringCells.readInline(first, second);
      case CellLayout.STRING_LATIN1 -> StringCells.readLatin1(heap.blob(second));
      case CellLayout.STRING_UTF16 -> StringCells.readUtf16(heap.blob(second));
      case CellLayout.LONG -> second;
      case CellLayout.INTEGER -> (int) second;
      case CellLayout.BIG_DECIMAL -> BigDecimal.valueOf(second, CellLayout.b(first));
      case CellLayout.BIG_DECIMAL_LONG ->
          new BigDecimal(new BigInteger(heap.blob(second)), CellLayout.b(first));
      case CellLayout.ENUM -> schema.enumNumbers(CellLayout.b(first)).constant(second);
      case CellLayout.BOOLEAN -> second != 0;
      case CellLayout.DOUBLE -> Double.longBitsToDouble(second);
      case CellLayout.FLOAT -> Float.intBitsToFloat((int) second);
      case CellLayout.SHORT -> (short) second;
      case CellLayout.BYTE -> (byte) second;
      case CellLayout.CHARACTER -> (char) second;
      case CellLayout.BIG_INTEGER -> BigInteger.valueOf(second);
      case CellLayout.BIG_INTEGER_LONG -> new BigInteger(heap.blob(second));
      case CellLayout.UUID -> {
        ByteBuffer bytes = ByteBuffer.wrap(heap.blob(second));
        yield new UUID(bytes.getLong(), bytes.getLong());
      }
      case CellLayout.DATE -> new Date(second);
      case CellLayout.TEXT ->
          TextCells.value(CellLayout.b(first), new String(heap.blob(second), UTF_8));
      case CellLayout.PRIMITIVE_ARRAY -> ArrayCells.array(CellLayout.b(first), heap.blob(second));
      default -> {
        Object time = TimeCells.read(heap, first, second);
        if (time == null) {
          throw new StoreDamagedException(
              "a cell has tag %02x, which this program does not know; restore the store from a backup, or open it with the program that wrote it"
                  .formatted(tag));
        }
        yield time;
      }
    };
  }
}
