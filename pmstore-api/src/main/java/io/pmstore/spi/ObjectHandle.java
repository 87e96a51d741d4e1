package io.pmstore.spi;

import io.pmstore.PmStore.TransactionFunction;
import org.jspecify.annotations.Nullable;

/**
 * One object of the heap. The accessors of generated and enhanced classes read and write through it
 * only.
 *
 * <p>Offsets are bytes from the start of the object and are constants in the generated code. A read
 * inside a transaction returns what the transaction has written, or else a committed value that is
 * consistent with its earlier reads. A read outside a transaction returns the last committed value,
 * which may not be durable yet. A write inside a transaction is part of it. A write outside a
 * transaction is a transaction of its own, durable when the method returns as the store's {@link
 * io.pmstore.Durability} says; it throws the exceptions that {@link io.pmstore.PmStore} lists for
 * methods that write.
 *
 * <p>Unless it says otherwise, a method throws {@link io.pmstore.StoreClosedException} if the store
 * is closed and {@link io.pmstore.RolledBackException} if the transaction that made the object was
 * rolled back. Safe for use by any number of threads.
 */
public abstract class ObjectHandle {
  /** Creates a handle. For the implementation only. */
  protected ObjectHandle() {}

  /**
   * Returns the hash code of an object whose class does not override {@code hashCode}. It is
   * computed from the object's address in the heap, so it stays the same when Java collects the
   * Java object and the program reads the object again, in this JVM or another. Never throws.
   *
   * @return the hash code
   */
  public abstract int identityHash();

  /**
   * Returns the text of an object whose class does not override {@code toString}: its class, the
   * properties that name it, and its address in the heap. This method reads no other object. If the
   * object can no longer be read, the text says so.
   *
   * @param object the object
   * @return the text
   */
  public abstract String describe(PersistentObject object);

  /**
   * Returns what {@code Object.hashCode()} would return for a plain object. Copied code calls this
   * method in place of {@code super.hashCode()}.
   *
   * @param object an object, persistent or plain
   * @return the {@link #identityHash} of a persistent object; the identity hash code of a plain one
   */
  public static int identityHashCode(Object object) {
    ObjectHandle handle = PersistentObject.handleOf(object);
    return handle == null ? System.identityHashCode(object) : handle.identityHash();
  }

  /**
   * Reads a {@code boolean}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract boolean getBoolean(int offset);

  /**
   * Writes a {@code boolean}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putBoolean(int offset, boolean value);

  /**
   * Reads a {@code byte}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract byte getByte(int offset);

  /**
   * Writes a {@code byte}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putByte(int offset, byte value);

  /**
   * Reads a {@code short}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract short getShort(int offset);

  /**
   * Writes a {@code short}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putShort(int offset, short value);

  /**
   * Reads a {@code char}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract char getChar(int offset);

  /**
   * Writes a {@code char}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putChar(int offset, char value);

  /**
   * Reads an {@code int}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract int getInt(int offset);

  /**
   * Writes an {@code int}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putInt(int offset, int value);

  /**
   * Reads a {@code long}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract long getLong(int offset);

  /**
   * Writes a {@code long}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putLong(int offset, long value);

  /**
   * Reads a {@code float}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract float getFloat(int offset);

  /**
   * Writes a {@code float}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putFloat(int offset, float value);

  /**
   * Reads a {@code double}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return its value
   */
  public abstract double getDouble(int offset);

  /**
   * Writes a {@code double}.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param value its new value
   */
  public abstract void putDouble(int offset, double value);

  /**
   * Reads a property that is not primitive: a value, a collection or a reference to a persistent
   * object.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property, which the object layer has put into the generated
   *     class
   * @return its value, or null
   */
  public abstract @Nullable Object getObject(int offset, int property);

  /**
   * Returns a number that changes with each write of a property whose type has arrays. A write of
   * an equal short value may leave it as it is.
   *
   * @param offset the offset of the property in the object, in bytes
   * @return the number; 0 while the object has an older shape than its class
   */
  public abstract long valueVersion(int offset);

  /**
   * Refuses a value that {@link #getObject} returned and that is not an instance of the property's
   * type. Generated code calls this method after it has found that.
   *
   * @param value the value, or null
   * @param property the code of the property, as for {@link #getObject}
   * @return null
   * @throws io.pmstore.StoreDamagedException if there is a value
   */
  public abstract @Nullable Object requireNull(@Nullable Object value, int property);

  /**
   * Returns the collection that {@link #getObject} returned as an instance of the property's type,
   * a class such as {@code ArrayList}.
   *
   * @param value the collection, or null
   * @param property the code of the property, as for {@link #getObject}
   * @param type the property's type
   * @return an instance of the type, the same one for the same collection as long as either is in
   *     use; null for null
   * @throws io.pmstore.ClassRefusedException if the type cannot show a collection of this kind
   * @throws io.pmstore.StoreDamagedException if the value is no collection
   */
  public abstract @Nullable Object fitting(@Nullable Object value, int property, Class<?> type);

  /**
   * Writes a property that is not primitive. This method converts a plain object of a persistent
   * class, and a plain collection, with everything that they reach.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property, which the object layer has put into the generated
   *     class
   * @param value its new value, or null
   * @throws io.pmstore.NotPersistableException if the value, or one that it reaches, cannot be
   *     stored
   */
  public abstract void putObject(int offset, int property, @Nullable Object value);

  /**
   * Creates an object with the values of this one, in the current transaction or in one of its own.
   *
   * @param original the Java object that has this handle
   * @return a new persistent object of the same class, to which nothing refers yet. It refers to
   *     the same objects and collections, and its transient fields have the same values
   */
  public abstract Object cloned(Object original);

  /**
   * Creates a plain copy, as {@link io.pmstore.PmStore#copy(Object)} does, which has the exceptions
   * too.
   *
   * @param original the Java object that has this handle
   * @return a plain object, with plain copies of everything that the original reaches
   */
  public abstract Object plainCopy(Object original);

  /**
   * Returns true if a method that writes needs a transaction of its own.
   *
   * @return false inside a transaction or a snapshot of the store
   */
  public abstract boolean isOutsideTransactions();

  /**
   * Returns true if the calling thread is in a transaction of the object's store that can write.
   * Never throws, also if the thread is in a transaction of another store.
   *
   * @return false if it is in none, or in a snapshot
   */
  public abstract boolean isInWritableTransaction();

  /**
   * Registers an action that the current transaction runs if it rolls back, or if this attempt at
   * it does. Does nothing if the thread is in no transaction of the store that can write.
   *
   * @param action what to do; must not throw
   */
  public abstract void onRollback(Runnable action);

  /**
   * Registers an action that the current transaction runs when its body has ended, before it
   * commits. The action may read and write as the body may; what it throws rolls the transaction
   * back.
   *
   * @param action what to do
   * @throws IllegalStateException if the thread is in no transaction of the store
   */
  public abstract void beforeCommit(Runnable action);

  /**
   * Returns true if the store of the object was closed, so that nothing can use the object any
   * more. Never throws.
   *
   * @return false as long as the store is open
   */
  public abstract boolean isClosed();

  /**
   * Returns true if the calling thread cannot write: it is in a snapshot or in a transaction that
   * only reads, or the store is open for reading only.
   *
   * @return false if a setter works
   */
  public abstract boolean isReadOnly();

  /**
   * Runs a method that writes. Inside a transaction or a snapshot the body runs as a part of it.
   * Outside, it runs as one transaction, which an exception of the body rolls back.
   *
   * @param body the code of the method; may run more than once
   * @param changesInPlace true if the method may change values of properties in place, such as
   *     elements of arrays; the store then writes such changes with the transaction
   * @return what the body returned
   * @throws Exception what the body threw
   */
  public abstract @Nullable Object run(
      TransactionFunction<@Nullable Object, Exception> body, boolean changesInPlace)
      throws Exception;

  /**
   * Runs a method that has transactions of its own, and may change values of properties in place.
   * The store writes the changes with the transaction in which the method has read the value.
   *
   * @param body the code of the method
   * @return what the body returned
   * @throws Exception what the body threw
   * @throws IllegalStateException if the body changed a value that it had read in a snapshot or
   *     outside of transactions, so that the change is lost
   */
  public abstract @Nullable Object runWithOwnTransactions(
      TransactionFunction<@Nullable Object, Exception> body) throws Exception;

  /**
   * Tells the current transaction to write, when its body has ended, what a value of a property
   * holds then. Until then, reading the property returns the value.
   *
   * @param offset the offset of the property in the object, in bytes
   * @param property the code of the property, as for {@link #getObject}
   * @param value what {@link #getObject} has returned, or {@link #putObject} has written, last
   * @return false if the transaction already does so for another value of the property, if the
   *     object has an older shape than its class, or if the thread is in no transaction that can
   *     write
   */
  public abstract boolean follow(int offset, int property, Object value);

  /**
   * Returns true if the calling thread runs a method that may change values in place: one for which
   * {@link #run} was called with {@code changesInPlace}, or {@link #runWithOwnTransactions}.
   *
   * @return false if a change in such a value would be lost
   */
  public abstract boolean isChangingInPlace();
}
