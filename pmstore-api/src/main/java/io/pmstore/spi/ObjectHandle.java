package io.pmstore.spi;

import io.pmstore.PmStore.TransactionFunction;
import org.jspecify.annotations.Nullable;

/**
 * One object of the heap, as the accessors of generated classes see it: the only gate for their
 * reads and writes.
 *
 * <p>Offsets are bytes from the start of the object and are constants in the generated code. A read
 * inside a transaction shows the transaction's own writes and otherwise a committed state that is
 * consistent with its earlier reads; a read outside shows the last committed value, which may not
 * be durable yet. A write inside a transaction is part of it; a write outside is a transaction of
 * its own, durable when the method returns as the store's {@link io.pmstore.Durability} says.
 *
 * <p>Every method throws {@link io.pmstore.StoreClosedException} when the store is closed and
 * {@link io.pmstore.RolledBackException} when the transaction that made the object was rolled back.
 * Safe for use by any number of threads.
 */
public abstract class ObjectHandle {
  /** Creates a handle; for the implementation only. */
  protected ObjectHandle() {}

  /**
   * The hash code of an object whose class does not override {@code hashCode}: that of its place in
   * the heap, so it stays when the Java object is collected and the object is read again, in this
   * JVM or another. Never throws.
   *
   * @return the hash code
   */
  public abstract int identityHash();

  /**
   * The text of an object whose class does not override {@code toString}: its class, the properties
   * that name it, and its place in the heap. It reads nothing of other objects, and says so where
   * the object can no longer be read.
   *
   * @param object the object
   * @return the text
   */
  public abstract String describe(PersistentObject object);

  /**
   * What {@code super.hashCode()} stands for in copied code where it means that of {@code Object}.
   *
   * @param object an object, persistent or plain
   * @return the {@link #identityHash} of a persistent object; of a plain one that of the Java
   *     object
   */
  public static int identityHashCode(Object object) {
    ObjectHandle handle = PersistentObject.handleOf(object);
    return handle == null ? System.identityHashCode(object) : handle.identityHash();
  }

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
   * Returns a number that tells whether a property of a type with arrays was written: it changes
   * with each write, unless that writes an equal short value.
   *
   * @param offset where the property stands in the object, in bytes
   * @return the number; 0 while the object has an older shape than its class
   */
  public abstract long valueVersion(int offset);

  /**
   * Refuses what {@link #getObject} returned where that is no instance of the property's type.
   *
   * @param value the value, or null
   * @param property what was given to {@link #getObject}
   * @return null
   * @throws io.pmstore.StoreDamagedException if there is a value
   */
  public abstract @Nullable Object requireNull(@Nullable Object value, int property);

  /**
   * Shows the collection that {@link #getObject} returned as an object of the property's type, a
   * class such as {@code ArrayList}.
   *
   * @param value the collection, or null
   * @param property what was given to {@link #getObject}
   * @param type the property's type
   * @return an instance of the type, the same one for the same collection as long as either is in
   *     use; null for null
   * @throws io.pmstore.ClassRefusedException if the type cannot show a collection of this kind
   * @throws io.pmstore.StoreDamagedException if the value is no collection
   */
  public abstract @Nullable Object fitting(@Nullable Object value, int property, Class<?> type);

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

  /**
   * Makes a new object with the values of this one, in the current transaction or one of its own.
   *
   * @param original the Java object that has this handle
   * @return a new persistent object of the same class, which nothing refers to yet; it refers to
   *     the same objects and collections, and its fields that are not kept have the same values
   */
  public abstract Object cloned(Object original);

  /**
   * Makes a plain copy, as {@link io.pmstore.PmStore#copy(Object)} does.
   *
   * @param original the Java object that has this handle
   * @return a plain object, with plain copies of all that the original reaches
   */
  public abstract Object plainCopy(Object original);

  /**
   * Returns true if a method that writes needs a transaction of its own.
   *
   * @return false inside a transaction or a snapshot of the store
   */
  public abstract boolean isOutsideTransactions();

  /**
   * Returns true if the calling thread cannot write: in a snapshot, in a transaction that only
   * reads, and where the store is only read.
   *
   * @return false if a setter works
   */
  public abstract boolean isReadOnly();

  /**
   * Runs a method that writes: as it is inside a transaction or a snapshot, and outside as one
   * transaction, which its exceptions roll back.
   *
   * @param body what the method does; may run more than once
   * @param changesInPlace whether the method may change values of properties in place, such as
   *     elements of arrays; what it changes is written with its transaction
   * @return what the body returned
   * @throws Exception what the body threw
   */
  public abstract @Nullable Object run(
      TransactionFunction<@Nullable Object, Exception> body, boolean changesInPlace)
      throws Exception;

  /**
   * Returns true if this thread runs a method that may change values in place, as {@link #run} was
   * told.
   *
   * @return false if what is changed in such a value would be lost
   */
  public abstract boolean isChangingInPlace();
}
