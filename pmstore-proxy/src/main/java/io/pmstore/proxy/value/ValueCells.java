package io.pmstore.proxy.value;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pmstore.PmStoreException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.catalogue.CellLayout;
import io.pmstore.core.catalogue.SlotKind;
import io.pmstore.core.heap.Heap;
import io.pmstore.core.heap.Utf8;
import io.pmstore.proxy.schema.EnumNumbers;
import io.pmstore.proxy.schema.StoreSchema;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Date;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Values in the cells of one store: everything that a cell can hold except objects. Thread-safe.
 * Writes run inside a transaction.
 *
 * <p>Parameters: {@code object} is the address of the object that has a cell, {@code offset} the
 * cell's offset in bytes, {@code first} and {@code second} are the two words of a cell.
 */
@SuppressWarnings("JavaUtilDate") // users have such values
public final class ValueCells {
  private static final int LONG_BITS = 63;
  private static final int LONG_DIGITS = 18; // all numbers with so many digits fit into a long

  private final Heap heap;
  private final StoreSchema schema;
  private final RegisteredTypes registered;

  public ValueCells(Heap heap, StoreSchema schema, RegisteredTypes registered) {
    this.heap = heap;
    this.schema = schema;
    this.registered = registered;
  }

  /** Writes a value into a cell. Returns false, and writes nothing, if it is of no value type. */
  public boolean write(long object, int offset, @Nullable Object value) {
    switch (value) {
      case null -> put(object, offset, CellLayout.NULL, 0, 0);
      case String string -> StringCells.write(heap, object, offset, string, false);
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
          put(
              object,
              offset,
              CellLayout.BIG_INTEGER_LONG,
              0,
              heap.blobs().create(number.toByteArray()));
        }
      }
      case UUID uuid -> {
        byte[] bytes =
            ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array();
        put(object, offset, CellLayout.UUID, 0, heap.blobs().create(bytes));
      }
      case Date date when DateCells.isValue(date) ->
          put(heap, object, offset, DateCells.first(date), date.getTime());
      default -> {
        return TimeCells.write(heap, object, offset, value)
            || writeBytes(object, offset, value)
            || writeRegistered(object, offset, value);
      }
    }
    return true;
  }

  /**
   * Writes a string into a cell. A long one is stored where the present one is, if it takes as much
   * space. No other cell may be a copy of this one: nodes of collections move cells, so this method
   * is for properties only.
   */
  public void overwrite(long object, int offset, String string) {
    StringCells.write(heap, object, offset, string, true);
  }

  /** Writes a primitive array, an optional number, a class, or a value that is kept as a text. */
  private boolean writeBytes(long object, int offset, Object value) {
    SlotKind elements = ArrayCells.kind(value);
    if (elements != null) {
      long blob = heap.blobs().create(ArrayCells.bytes(value, elements));
      put(object, offset, CellLayout.PRIMITIVE_ARRAY, elements.code(), blob);
      return true;
    }
    Long optional = OptionalCells.first(value);
    if (optional != null) {
      put(heap, object, offset, optional, OptionalCells.second(value));
      return true;
    }
    if (value instanceof Class<?> type) {
      byte[] name = Utf8.bytes(schema.nameToStore(type), "class name", "rename the class");
      put(object, offset, CellLayout.CLASS, 0, heap.blobs().create(name));
      return true;
    }
    TextCells text = TextCells.of(value);
    if (text != null) {
      byte[] utf8 =
          Utf8.bytes(
              text.textOf(value),
              value.getClass().getName(),
              "keep the text as a String, which may have it");
      long blob = heap.blobs().create(utf8);
      long first = CellLayout.first(CellLayout.TEXT, TextCells.flags(value), text.code);
      put(heap, object, offset, first, blob);
      return true;
    }
    return false;
  }

  private boolean writeRegistered(long object, int offset, Object value) {
    RegisteredTypes.Encoded encoded = registered.encode(value);
    if (encoded == null) {
      return false;
    }
    long blob = heap.blobs().create(encoded.bytes());
    put(object, offset, CellLayout.REGISTERED, encoded.typeId(), blob);
    return true;
  }

  private void write(long object, int offset, BigDecimal number) {
    if (number.precision() <= LONG_DIGITS) {
      // Avoids the BigInteger that unscaledValue() makes.
      long unscaled = number.scaleByPowerOfTen(number.scale()).longValue();
      put(object, offset, CellLayout.BIG_DECIMAL, number.scale(), unscaled);
      return;
    }
    BigInteger unscaled = number.unscaledValue();
    if (unscaled.bitLength() <= LONG_BITS) {
      put(object, offset, CellLayout.BIG_DECIMAL, number.scale(), unscaled.longValue());
    } else {
      long blob = heap.blobs().create(unscaled.toByteArray());
      put(object, offset, CellLayout.BIG_DECIMAL_LONG, number.scale(), blob);
    }
  }

  private void put(long object, int offset, int tag, int b, long c) {
    put(heap, object, offset, CellLayout.first(tag, 0, b), c);
  }

  /** Writes the two words of a cell. */
  public static void put(Heap heap, long object, int offset, long first, long second) {
    heap.putLong(object, offset, first);
    heap.putLong(object, offset + CellLayout.C_OFFSET, second);
  }

  /**
   * Compares a value, not null, with a cell, as far as the cell's words tell: equal values of most
   * types have equal cells. Returns null if the value must be read to know.
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
   * Compares a string with an in-line string in a cell, as {@link String#compareTo} does, without
   * making a Java object from the cell.
   */
  public static int compareInline(String string, long first, long second) {
    return StringCells.compareInline(string, first, second);
  }

  /** Returns true if a cell can hold the object as a value. */
  public boolean isValue(Object object) {
    return isKnownValue(object) || registered.isValue(object);
  }

  /**
   * Returns a copy of a value of a registered type, which may be mutable; any other object itself.
   */
  public Object copy(Object object) {
    return isKnownValue(object) ? object : registered.copy(object);
  }

  /**
   * Returns true if two values are stored alike. What a cell keeps counts, not {@code equals},
   * which may compare less, or the identity.
   */
  public boolean isStoredAlike(Object one, Object other) {
    TextCells text = TextCells.of(one);
    if (text != null) {
      return text == TextCells.of(other)
          && text.textOf(one).equals(text.textOf(other))
          && TextCells.flags(one) == TextCells.flags(other);
    }
    return isKnownValue(one)
        ? one.getClass() == other.getClass() && Objects.deepEquals(one, other)
        : registered.isEncodedAlike(one, other);
  }

  /** Returns true if a cell of any store can hold the object as a value, without a codec. */
  public static boolean isKnownValue(Object object) {
    return switch (object) {
      case String _, Long _, Integer _, Enum<?> _, Boolean _, Double _, Float _ -> true;
      case Short _, Byte _, Character _, UUID _, Class<?> _ -> true;
      case BigDecimal number -> number.getClass() == BigDecimal.class;
      case BigInteger number -> number.getClass() == BigInteger.class;
      case Date date -> DateCells.isValue(date);
      default ->
          TimeCells.isValue(object)
              || ArrayCells.kind(object) != null
              || OptionalCells.first(object) != null
              || TextCells.of(object) != null;
    };
  }

  /**
   * Returns a hash code that is consistent with {@code equals}: that of {@link #knownHash} or, for
   * a registered type, that of its class. Returns null if the object is of no value type, or of one
   * without such a hash code.
   */
  public @Nullable Integer hash(Object value) {
    Integer known = knownHash(value);
    return known != null || isKnownValue(value) ? known : registered.hash(value);
  }

  /**
   * Returns a hash code that is the same in every JVM and consistent with {@code equals}. Returns
   * null if the object is of no value type, or of one without such a hash code.
   */
  public static @Nullable Integer knownHash(Object value) {
    return switch (value) {
      // The classes specify these hash codes.
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
      case Class<?> type -> type.getName().hashCode();
      default -> {
        Integer time = TimeCells.hash(value);
        if (time != null) {
          yield time;
        }
        if (OptionalCells.first(value) != null) {
          yield Long.hashCode(OptionalCells.second(value));
        }
        TextCells text = TextCells.of(value);
        yield text == null ? null : text.hash(value);
      }
    };
  }

  /**
   * Returns a second hash code of a value that is no enum constant, consistent with {@code equals}.
   * Without the random secret, nobody can predict which values collide. All of its bits are well
   * spread.
   */
  public static int keyedHash(Object value, long secret) {
    return switch (value) {
      case Double number -> KeyedHash.of(Double.doubleToLongBits(number), secret);
      case Float number -> KeyedHash.of(Float.floatToIntBits(number), secret);
      case Number number when isInteger(number) -> KeyedHash.of(number.longValue(), secret);
      case Date date -> KeyedHash.of(date.getTime(), secret);
      case String string -> KeyedHash.of(string, secret);
      case Class<?> _ -> 0; // its name may change
      // Equal values of these classes have equal texts.
      case BigDecimal _, BigInteger _, Boolean _, Character _, UUID _ ->
          KeyedHash.of(value.toString(), secret);
      default -> {
        if (TimeCells.isValue(value)) {
          yield KeyedHash.of(value.toString(), secret);
        }
        if (OptionalCells.first(value) != null) {
          yield KeyedHash.of(OptionalCells.second(value), secret);
        }
        TextCells kind = TextCells.of(value);
        String text = kind == null ? null : kind.keyText(value);
        yield text == null ? 0 : KeyedHash.of(text, secret);
      }
    };
  }

  private static boolean isInteger(Number number) {
    return number instanceof Long
        || number instanceof Integer
        || number instanceof Short
        || number instanceof Byte;
  }

  private static int hash(BigInteger number) {
    return Arrays.hashCode(number.toByteArray());
  }

  /**
   * Reads the value, or null, of a cell that holds no object.
   *
   * @param object the object in which the current view has just read the cell; 0 if it is not known
   * @throws StoreDamagedException if the program does not know the cell's type
   */
  public @Nullable Object read(long object, long first, long second) {
    try {
      return decode(object, first, second);
    } catch (PmStoreException | IllegalStateException e) {
      throw e; // its message explains the failure
    } catch (RuntimeException e) {
      throw new StoreDamagedException(
          "a cell of %016x %016x is no value: %s; restore the store from a backup"
              .formatted(first, second, e),
          e);
    }
  }

  private @Nullable Object decode(long object, long first, long second) {
    int tag = CellLayout.tag(first);
    return switch (tag) {
      case CellLayout.NULL -> null;
      case CellLayout.STRING -> StringCells.readInline(first, second);
      case CellLayout.STRING_LATIN1 -> heap.blobs().read(object, second, StringCells::latin1);
      case CellLayout.STRING_UTF16 -> heap.blobs().read(object, second, StringCells::utf16);
      case CellLayout.LONG -> second;
      case CellLayout.INTEGER -> (int) second;
      case CellLayout.BIG_DECIMAL -> BigDecimal.valueOf(second, CellLayout.b(first));
      case CellLayout.BIG_DECIMAL_LONG ->
          new BigDecimal(new BigInteger(heap.blobs().read(object, second)), CellLayout.b(first));
      case CellLayout.ENUM -> schema.enumNumbers(CellLayout.b(first)).constant(second);
      case CellLayout.BOOLEAN -> second != 0;
      case CellLayout.DOUBLE -> Double.longBitsToDouble(second);
      case CellLayout.FLOAT -> Float.intBitsToFloat((int) second);
      case CellLayout.SHORT -> (short) second;
      case CellLayout.BYTE -> (byte) second;
      case CellLayout.CHARACTER -> (char) second;
      case CellLayout.BIG_INTEGER -> BigInteger.valueOf(second);
      case CellLayout.BIG_INTEGER_LONG -> new BigInteger(heap.blobs().read(object, second));
      case CellLayout.UUID -> {
        ByteBuffer bytes = ByteBuffer.wrap(heap.blobs().read(object, second));
        yield new UUID(bytes.getLong(), bytes.getLong());
      }
      case CellLayout.DATE -> DateCells.read(first, second);
      case CellLayout.TEXT ->
          TextCells.value(
              CellLayout.b(first),
              CellLayout.a(first),
              new String(heap.blobs().read(object, second), UTF_8));
      case CellLayout.CLASS -> schema.classOfName(className(heap.blobs().read(object, second)));
      case CellLayout.REGISTERED ->
          registered.decode(CellLayout.b(first), heap.blobs().read(object, second));
      case CellLayout.OPTIONAL -> OptionalCells.read(first, second);
      case CellLayout.PRIMITIVE_ARRAY ->
          ArrayCells.array(CellLayout.b(first), heap.blobs().read(object, second));
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

  private static String className(byte[] bytes) {
    String name = new String(bytes, UTF_8);
    boolean possible =
        name.chars()
            .allMatch(
                c ->
                    (Character.isJavaIdentifierPart(c) && !Character.isISOControl(c))
                        || ".[;".indexOf(c) >= 0);
    if (!possible) {
      throw new IllegalArgumentException("\"" + name + "\" is no class name");
    }
    return name;
  }
}
