package io.pmstore.core.heap;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store, by address: what the object layer reads and writes.
 *
 * <p>An object is named by its address, a multiple of 8; 0 is null. A field is named by its offset
 * in bytes from the object's start, naturally aligned, the first one at {@link
 * ObjectLayout#HEADER}. A read inside a transaction shows the transaction's own writes and
 * otherwise a state consistent with its earlier reads; a read outside shows the last committed
 * value of that one field. A write outside a transaction is one of its own.
 *
 * <p>Safe for use by any number of threads. Every method throws {@link StoreClosedException} once
 * the store is closed and {@link StoreFailedException} once it has failed.
 */
public final class Heap {
  private final Engine engine;
  private final HeapMemory memory;
  private final Transactions transactions;
  private final Directory directory = new Directory(this);
  private final Blobs blobs = new Blobs(this);
  private final ObjectLayer layer;
  private volatile boolean closed;

  /**
   * Puts a heap on an engine; a new engine gets an empty heap.
   *
   * @param engine the bytes; closed by {@link #close}
   * @param durability when a transaction is acknowledged
   * @param layer makes the object layer
   */
  @SuppressWarnings("this-escape") // the layer gets a heap that lacks nothing but the layer itself
  public Heap(Engine engine, Durability durability, Function<Heap, ObjectLayer> layer) {
    this.engine = engine;
    this.memory = engine.memory();
    Directory.initialize(engine);
    this.transactions = new Transactions(engine, new Allocator(engine), durability);
    this.layer = layer.apply(this);
  }

  /**
   * The layer that turns this heap's objects into Java objects.
   *
   * @return the layer
   */
  public ObjectLayer layer() {
    return layer;
  }

  /**
   * The bytes of the heap as they are now, for whoever walks it: no transaction's own writes, and
   * no guard against changes meanwhile.
   *
   * @return the memory, for reading only
   */
  public HeapMemory memory() {
    return memory;
  }

  /**
   * Compares the stored bytes with their checksums, before the first transaction since the opening.
   *
   * @param faults takes what is not as it was written
   */
  public void verifyBytes(Engine.FaultVisitor faults) {
    engine.verify(faults);
  }

  // ---- fields

  /**
   * Reads a {@code byte}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @return its value
   */
  public byte getByte(long object, int offset) {
    Transaction transaction = transactions.current();
    try {
      return transaction == null
          ? memory.getByte(object + offset)
          : transaction.getByte(object, offset);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Writes a {@code byte}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @param value its new value
   */
  public void putByte(long object, int offset, byte value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      transaction(
          () -> {
            putByte(object, offset, value);
            return null;
          });
      return;
    }
    try {
      transaction.putByte(object, offset, value);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a {@code short}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @return its value
   */
  public short getShort(long object, int offset) {
    Transaction transaction = transactions.current();
    try {
      return transaction == null
          ? memory.getShort(object + offset)
          : transaction.getShort(object, offset);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Writes a {@code short}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @param value its new value
   */
  public void putShort(long object, int offset, short value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      transaction(
          () -> {
            putShort(object, offset, value);
            return null;
          });
      return;
    }
    try {
      transaction.putShort(object, offset, value);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a {@code char}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @return its value
   */
  public char getChar(long object, int offset) {
    Transaction transaction = transactions.current();
    try {
      return transaction == null
          ? memory.getChar(object + offset)
          : transaction.getChar(object, offset);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Writes a {@code char}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @param value its new value
   */
  public void putChar(long object, int offset, char value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      transaction(
          () -> {
            putChar(object, offset, value);
            return null;
          });
      return;
    }
    try {
      transaction.putChar(object, offset, value);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a {@code int}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @return its value
   */
  public int getInt(long object, int offset) {
    Transaction transaction = transactions.current();
    try {
      return transaction == null
          ? memory.getInt(object + offset)
          : transaction.getInt(object, offset);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Writes a {@code int}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @param value its new value
   */
  public void putInt(long object, int offset, int value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      transaction(
          () -> {
            putInt(object, offset, value);
            return null;
          });
      return;
    }
    try {
      transaction.putInt(object, offset, value);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a {@code long}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @return its value
   */
  public long getLong(long object, int offset) {
    Transaction transaction = transactions.current();
    try {
      return transaction == null
          ? memory.getLong(object + offset)
          : transaction.getLong(object, offset);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Writes a {@code long}.
   *
   * @param object the object's address
   * @param offset the field's offset
   * @param value its new value
   */
  public void putLong(long object, int offset, long value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      transaction(
          () -> {
            putLong(object, offset, value);
            return null;
          });
      return;
    }
    try {
      transaction.putLong(object, offset, value);
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  void read(long object, int offset, byte[] target, int length) {
    Transaction transaction = transactions.current();
    try {
      if (transaction == null) {
        memory.read(object + offset, target, 0, length);
      } else {
        transaction.read(object, offset, target, length);
      }
    } catch (NullPointerException | IndexOutOfBoundsException | IllegalStateException e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Adds to a counter without reading it, so that two transactions that add do not conflict. The
   * word must be used by this method and {@link #counter} only.
   *
   * @param object the address of the object it is in
   * @param offset of the counter's 8 bytes
   * @param n what to add
   */
  public void addToCounter(long object, int offset, long n) {
    required().addToCounter(object, offset, n);
  }

  /**
   * Reads a counter. A transaction that does depends on it.
   *
   * @param object the address of the object it is in
   * @param offset of the counter's 8 bytes
   * @return its value
   */
  public long counter(long object, int offset) {
    Transaction transaction = transactions.current();
    return transaction == null ? getLong(object, offset) : transaction.counter(object, offset);
  }

  // ---- objects

  /**
   * Makes an object of zeros in the current transaction.
   *
   * @param shapeId its shape, not 0
   * @param size its size in bytes, header included, at most {@link ObjectLayout#SIZE_MAX}; rounded
   *     up to a multiple of 8
   * @return its address, which is valid if the transaction commits
   * @throws IllegalStateException outside a transaction
   * @throws io.pmstore.StoreFullException if there is no room
   */
  public long allocate(int shapeId, int size) {
    return required().allocate(shapeId, 0, size);
  }

  /**
   * Makes an object of zeros in the current transaction, with a handle that dies if the transaction
   * rolls back.
   *
   * @param shapeId its shape, not 0
   * @param size its size in bytes, header included
   * @return its handle
   * @throws IllegalStateException outside a transaction
   * @throws io.pmstore.StoreFullException if there is no room
   */
  public HeapObject newObject(int shapeId, int size) {
    Transaction transaction = required();
    HeapObject object =
        HeapObject.uncommitted(this, transaction.allocate(shapeId, 0, size), transaction);
    transaction.onOutcome(object);
    return object;
  }

  /**
   * The handle of an object that exists.
   *
   * @param address the object's address, not 0
   * @return a handle
   */
  public HeapObject object(long address) {
    return HeapObject.committed(this, address);
  }

  /**
   * The shape of an object.
   *
   * @param object its address
   * @return its shape id
   */
  public int shapeId(long object) {
    return ObjectLayout.shapeId(getLong(object, 0));
  }

  /**
   * The size of an object.
   *
   * @param object its address
   * @return its bytes, header included
   */
  public int size(long object) {
    return ObjectLayout.size(getLong(object, 0));
  }

  /**
   * Stores bytes that never change, in the current transaction.
   *
   * @param content the bytes
   * @return the address of the blob
   * @throws IllegalStateException outside a transaction
   */
  public long newBlob(byte[] content) {
    return blobs.create(required(), content);
  }

  /**
   * Reads bytes that never change.
   *
   * @param blob the address of the blob
   * @return a copy of them
   * @throws StoreDamagedException if there is no blob
   */
  public byte[] blob(long blob) {
    return blobs.read(blob);
  }

  // ---- roots and catalogue

  /**
   * The root of a name.
   *
   * @param name the name
   * @return the address of the root object, or 0 if there is none
   */
  public long root(String name) {
    return directory.root(name);
  }

  /**
   * Names a root.
   *
   * @param name the name
   * @param object the address of the root object, or 0 for none
   */
  public void setRoot(String name, long object) {
    transaction(
        () -> {
          directory.setRoot(required(), name, object);
          return null;
        });
  }

  /**
   * The entries of the type catalogue, which the object layer encodes. Read apart from the current
   * transaction, like they are written: it need not run again because a class was new.
   *
   * @return the entries, in the order in which they were added
   */
  public List<byte[]> catalogueEntries() {
    checkOpen();
    return transactions.runIndependently(directory::catalogueEntries);
  }

  /**
   * Adds an entry to the type catalogue, in a transaction of its own: it stays if the current one
   * rolls back.
   *
   * @param entry the entry
   */
  public void addCatalogueEntry(byte[] entry) {
    transactions.runIndependently(
        () -> {
          directory.addCatalogueEntry(required(), entry);
          return null;
        });
  }

  // ---- transactions

  /**
   * Runs a body in the current transaction or a new one, as {@link io.pmstore.PmStore#transaction}
   * says.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T transaction(
      TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.run(body);
  }

  /**
   * Runs reads that see one state of the store: in the current transaction, or else in one of their
   * own that waits for nothing.
   *
   * @param <T> the type of the result
   * @param body the reads; may run more than once
   * @return what it returned
   */
  public <T extends @Nullable Object> T read(Supplier<T> body) {
    checkOpen();
    return transactions.read(body::get);
  }

  /**
   * Says whether the calling thread is in a transaction.
   *
   * @return true inside a transaction of this store
   */
  public boolean inTransaction() {
    return transactions.current() != null;
  }

  /**
   * Has something done if the current transaction, or this attempt at it, rolls back.
   *
   * @param action what to do; must not throw
   */
  public void onRollback(Runnable action) {
    required()
        .onOutcome(
            new Outcome() {
              @Override
              public void committed() {}

              @Override
              public void rolledBack() {
                action.run();
              }
            });
  }

  /**
   * Has something done when the current transaction is committed.
   *
   * @param action what to do; must not throw
   */
  public void onCommit(Runnable action) {
    required()
        .onOutcome(
            new Outcome() {
              @Override
              public void committed() {
                action.run();
              }

              @Override
              public void rolledBack() {}
            });
  }

  @Nullable Transaction currentTransaction() {
    return transactions.current();
  }

  /**
   * Reads a property through the layer so that what it is made of belongs together: validated by
   * the transaction, or, outside one, read again until the object did not change meanwhile.
   */
  @Nullable Object readProperty(HeapObject object, int offset, int property) {
    if (transactions.current() != null) {
      return layer.read(object, offset, property);
    }
    long address = object.address();
    while (true) {
      long version = transactions.version(address);
      try {
        Object value = layer.read(object, offset, property);
        if (transactions.isUnchanged(address, version)) {
          return value;
        }
      } catch (RuntimeException e) {
        if (transactions.isUnchanged(address, version)) {
          throw e;
        }
      }
    }
  }

  /**
   * Waits for running transactions, makes everything committed durable and closes the engine.
   * Closing twice does nothing more.
   *
   * @throws IllegalStateException if called inside a transaction
   */
  public synchronized void close() {
    if (closed) {
      return;
    }
    transactions.close();
    closed = true;
    try {
      layer.close();
    } finally {
      engine.close();
    }
  }

  private Transaction required() {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      checkOpen();
      throw new IllegalStateException("this is only possible inside a transaction");
    }
    return transaction;
  }

  private void checkOpen() {
    if (closed) {
      throw new StoreClosedException("the store is closed");
    }
  }

  /** Turns what the JVM's own checks throw into what happened. */
  private RuntimeException explain(RuntimeException e, long object, int offset) {
    checkOpen();
    engine.checkUsable();
    if (e instanceof IllegalStateException || object == 0) {
      return e;
    }
    return new StoreDamagedException(
        "a read or write at heap address "
            + object
            + " + "
            + offset
            + " is outside the heap of "
            + memory.size()
            + " bytes, or outside its object; restore the store from a backup",
        e);
  }
}
