package io.pmstore.spi;

import org.jspecify.annotations.Nullable;

/**
 * One object of the heap, as the accessors of generated classes see it: the only gate for their
 * reads and writes.
 *
 * <p>Offsets are bytes from the start of the object and are constants in the generated code. A read
 * inside a transaction shows the transaction's own writes and otherwise a committed state that is
 * consistent with its earlier reads; a read outside shows the last committed value. A write inside
 * a transaction is part of it; a write outside is a transaction of its own, durable when the method
 * returns as the store's {@link io.pmstore.Durability} says.
 *
 * <p>Every method throws {@link io.pmstore.StoreClosedException} when the store is closed and
 * {@link io.pmstore.RolledBackException} when the transaction that made the object was rolled back.
 * Safe for use by any number of threads.
 */
public abstract class ObjectHandle {
  /** Creates a handle; for the implementation only. */
  protected ObjectHandle() {}

  /**
   * Reads a {@code boolean}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract boolean getBoolean(int offset);

  /**
   * Writes a {@code boolean}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putBoolean(int offset, boolean value);

  /**
   * Reads a {@code byte}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract byte getByte(int offset);

  /**
   * Writes a {@code byte}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putByte(int offset, byte value);

  /**
   * Reads a {@code short}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract short getShort(int offset);

  /**
   * Writes a {@code short}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putShort(int offset, short value);

  /**
   * Reads a {@code char}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract char getChar(int offset);

  /**
   * Writes a {@code char}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putChar(int offset, char value);

  /**
   * Reads a {@code int}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract int getInt(int offset);

  /**
   * Writes a {@code int}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putInt(int offset, int value);

  /**
   * Reads a {@code long}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract long getLong(int offset);

  /**
   * Writes a {@code long}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putLong(int offset, long value);

  /**
   * Reads a {@code float}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract float getFloat(int offset);

  /**
   * Writes a {@code float}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putFloat(int offset, float value);

  /**
   * Reads a {@code double}.
   *
   * @param offset where it stands in the object, in bytes
   * @return its value
   */
  public abstract double getDouble(int offset);

  /**
   * Writes a {@code double}.
   *
   * @param offset where it stands in the object, in bytes
   * @param value its new value
   */
  public abstract void putDouble(int offset, double value);

  /**
   * Reads a property that is not primitive: a value, a collection or a reference to a persistent
   * object.
   *
   * @param offset where it stands in the object, in bytes
   * @param property what the object layer needs to know of the property, as it put it into the
   *     generated code
   * @return its value, or null
   */
  public abstract @Nullable Object getObject(int offset, int property);

  /**
   * Writes a property that is not primitive; a plain object of a persistent class, or a plain
   * collection, is converted.
   *
   * @param offset where it stands in the object, in bytes
   * @param property what the object layer needs to know of the property, as it put it into the
   *     generated code
   * @param value its new value, or null
   * @throws io.pmstore.NotPersistableException if the value, or one that it reaches, cannot be
   *     stored
   */
  public abstract void putObject(int offset, int property, @Nullable Object value);
}
