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
 * <p>The bytes must hold everything that {@code equals} compares. Each write decodes what it has
 * encoded, and throws {@link NotPersistableException} if the result is not equal to the value or
 * not of its class. (If the class does not override {@code equals}, the decoded value must encode
 * to the same bytes.)
 *
 * <p>The store keeps each value as a whole. A getter decodes a new value at each call, so changing
 * a mutable value in place writes nothing; set it again. A value may be a key of a map or an
 * element of a set if its class overrides {@code equals} and {@code hashCode}, and computes the
 * hash code from its contents, so that it is the same in the next run. It may be a key or an
 * element of a sorted collection if it is {@link Comparable}.
 *
 * <p>If a codec throws an unchecked exception or returns null, a write throws {@link
 * NotPersistableException} and a read throws {@link PmStoreException}, with the exception of the
 * codec as its cause.
 *
 * <p>Any number of threads may call a codec at the same time. A codec must not use the store.
 *
 * @param <T> the class of the values
 */
public interface ValueCodec<T> {
  /**
   * Returns the name under which the store records the type. The name stays the same for the life
   * of the store, even if the class is renamed.
   *
   * @return the name, not empty, the same at every call
   */
  String name();

  /**
   * Returns the version of the encoding. If you change the encoding, increase the version. The
   * codec must still {@linkplain #decode decode} what earlier versions have encoded. A program
   * whose codec has a lower version than a stored value cannot read that value: it gets a {@link
   * ClassRefusedException}.
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
   * @param version the version of the codec that encoded the value, from 1 to {@link #version}
   * @param bytes what {@link #encode} of that version returned
   * @return the value, not null
   */
  T decode(int version, byte[] bytes);

  /**
   * Returns a codec of version 1 for values that have a text form.
   *
   * @param <T> the class of the values
   * @param name the name under which the store records the type
   * @param toText returns the text of a value
   * @param ofText returns the value of a text
   * @return the codec. Its {@code encode} throws {@link IllegalArgumentException} if a text has a
   *     lone surrogate
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
   * Returns a codec of version 1 that keeps values by Java serialization: for a class that pmstore
   * does not know and the enhancer cannot change, such as one that extends {@link java.util.Date}
   * and has fields of its own. It keeps objects of subclasses too.
   *
   * <p>The rules of Java serialization then hold for the class: a class without a {@code
   * serialVersionUID} cannot be changed, and one whose fields have changed reads old values as
   * {@link java.io.ObjectInputStream} does. A store from an untrusted source is as dangerous as a
   * serialized stream from an untrusted source: restrict the classes with a {@linkplain
   * java.io.ObjectInputFilter.Config#setSerialFilter filter}. Prefer {@link #ofText} if the class
   * has a text form: a text is smaller and can be read without the class.
   *
   * @param <T> the class of the values
   * @param name the name under which the store records the type
   * @param type the class of the values; its class loader finds all classes of a value
   * @return the codec. Its {@code encode} throws an {@link IllegalArgumentException} that names the
   *     class of a part that is not {@link Serializable}. Its {@code decode} throws an {@link
   *     IllegalStateException} if a class is missing or has changed
   */
  static <T extends Serializable> ValueCodec<T> ofSerializable(String name, Class<T> type) {
    return new SerializedCodec<>(Objects.requireNonNull(name), Objects.requireNonNull(type));
  }
}
