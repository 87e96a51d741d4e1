package io.pmstore;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;

/**
 * The codec of {@link ValueCodec#ofSerializable}.
 *
 * @param <T> the class of the values
 */
final class SerializedCodec<T extends Serializable> implements ValueCodec<T> {
  /** Finds classes with the class loader of the values' class, not with the caller's. */
  private static final class Input extends ObjectInputStream {
    private final ClassLoader loader;

    Input(InputStream from, ClassLoader loader) throws IOException {
      super(from);
      this.loader = loader;
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass found)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(found.getName(), false, loader);
      } catch (ClassNotFoundException e) {
        return super.resolveClass(found); // a primitive type
      }
    }
  }

  private final String name;
  private final Class<T> type;

  SerializedCodec(String name, Class<T> type) {
    this.name = name;
    this.type = type;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public byte[] encode(T value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (NotSerializableException e) {
      throw new IllegalArgumentException(
          "a value of %s cannot be serialized: its part of class %s is not java.io.Serializable; mark the field that refers to it transient, or give %s another codec"
              .formatted(value.getClass().getName(), e.getMessage(), type.getName()),
          e);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "a value of %s cannot be serialized: %s".formatted(value.getClass().getName(), e), e);
    }
    return bytes.toByteArray();
  }

  @Override
  public T decode(int version, byte[] bytes) {
    try (ObjectInputStream in = new Input(new ByteArrayInputStream(bytes), type.getClassLoader())) {
      return type.cast(in.readObject());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(
          "a serialized value of %s cannot be read: %s; run the program with the classes that wrote it, or with ones that Java serialization finds compatible"
              .formatted(type.getName(), e),
          e);
    }
  }
}
