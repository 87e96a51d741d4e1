package io.pmstore;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.function.Function;

/**
 * Turns the values of a class that pmstore does not know into bytes and back: a type of money, a
 * point on a map, a date of another library. {@link PmStoreOptions#valueType} gives it to a store.
 *
 * <pre>{@code
 * PmStoreOptions.defaults()
 *     .valueType(DateTime.class, ValueCodec.ofText("joda.DateTime", DateTime::toString, DateTime::parse));
 * }</pre>
 *
 * <p>The bytes must hold everything that {@code equals} compares: each write decodes what it has
 * encoded, and throws if the result is not equal to the value or not of its class. (If the class
 * does not override {@code equals}, the decoded value must encode to the same bytes.)
 *
 * <p>The store keeps each value as a whole. A getter decodes a new value at each call, so changing
 * a mutable value in place writes nothing; set it again. A value may be a key of a map or an
 * element of a set if its class overrides {@code equals} and {@code hashCode}, and computes the
 * hash code from its contents, so that it is the same in the next run; it may be in a sorted one if
 * it is {@link Comparable}.
 *
 * <p>Any number of threads may use a codec at the same time. It must not use the store.
 *
 * @param <T> the class of the values
 */
public interface ValueCodec<T> {
  /**
   * Returns the name by which the store knows the type, for ever. The class may be renamed; the
   * name stays.
   *
   * @return the name, not empty, the same at every call
   */
  String name();

  /**
   * Returns the version of the encoding. A codec that encodes in another way must have a higher
   * version, and must still {@linkplain #decode decode} what earlier versions have encoded.
   *
   * @return the version, 1 or more, the same at every call; 1 unless overridden
   */
  default int version() {
    return 1;
  }

  /**
   * Encodes a value.
   *
   * @param value the value, never null
   * @return its bytes, not null
   */
  byte[] encode(T value);

  /**
   * Decodes a value.
   *
   * @param version the version of the codec that encoded it, at most {@link #version}
   * @param bytes what {@link #encode} of that version returned
   * @return the value, not null
   */
  T decode(int version, byte[] bytes);

  /**
   * Returns a codec, of version 1, for values that have a text form.
   *
   * @param <T> the class of the values
   * @param name the name by which the store knows the type
   * @param toText makes a value's text, in Unicode without lone surrogates
   * @param ofText makes the value of a text
   * @return the codec
   */
  static <T> ValueCodec<T> ofText(
      String name, Function<T, String> toText, Function<String, T> ofText) {
    Objects.requireNonNull(name);
    Objects.requireNonNull(toText);
    Objects.requireNonNull(ofText);
    return new ValueCodec<>() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public byte[] encode(T value) {
        try {
          ByteBuffer utf8 =
              StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(toText.apply(value)));
          byte[] bytes = new byte[utf8.remaining()];
          utf8.get(bytes);
          return bytes;
        } catch (CharacterCodingException e) {
          throw new IllegalArgumentException("the text of the value is no Unicode: " + value, e);
        }
      }

      @Override
      public T decode(int version, byte[] bytes) {
        return ofText.apply(new String(bytes, StandardCharsets.UTF_8));
      }
    };
  }

  /**
   * Returns a codec, of version 1, that keeps values by Java serialization: for a class that no
   * store knows and no enhancer can change, such as one that extends {@link java.util.Date} and has
   * fields of its own. It keeps objects of subclasses too.
   *
   * <p>What Java serialization says of a class then holds for its values: a class without a {@code
   * serialVersionUID} cannot be changed, and one whose fields have changed reads old values as
   * {@link java.io.ObjectInputStream} does. Opening a store that somebody else has written is like
   * reading a stream that somebody else has written: restrict the classes with a {@linkplain
   * java.io.ObjectInputFilter.Config#setSerialFilter filter}. A text is smaller, and can be read
   * without the class: prefer {@link #ofText} where the class has one.
   *
   * @param <T> the class of the values
   * @param name the name by which the store knows the type
   * @param type the class of the values; its class loader finds all classes of a value
   * @return the codec. Its {@code encode} throws an {@link IllegalArgumentException} that names the
   *     class of a part that is not {@link Serializable}. Its {@code decode} throws an {@link
   *     IllegalStateException} if a class is missing or has changed
   */
  static <T extends Serializable> ValueCodec<T> ofSerializable(String name, Class<T> type) {
    return new SerializedCodec<>(Objects.requireNonNull(name), Objects.requireNonNull(type));
  }
}
