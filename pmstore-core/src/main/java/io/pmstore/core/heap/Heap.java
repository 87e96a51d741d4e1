package io.pmstore.core.heap;

import io.pmstore.Durability;
import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreFailedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.space.Allocator;
import io.pmstore.core.space.ExtentLayout;
import io.pmstore.core.space.ObjectLayout;
import io.pmstore.core.space.ReferenceMaps;
import io.pmstore.core.tx.LinkListener;
import io.pmstore.core.tx.LinkRules;
import io.pmstore.core.tx.OpenSnapshot;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import io.pmstore.core.tx.View;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
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
public final class Heap extends HeapFields {
  private final Directory directory = new Directory(this);
  private final Blobs blobs = new Blobs(this);
  private final Bodies bodies = new Bodies(this);
  private final Reclamation reclamation = new Reclamation(this);
  private final ObjectLayer layer;
  private volatile boolean closed;

  /**
   * Puts a heap on an engine; a new engine gets an empty heap.
   *
   * @param engine the bytes; closed by {@link #close}
   * @param durability when a transaction is acknowledged that does not say so itself
   * @param layer makes the object layer
   */
  public Heap(Engine engine, Durability durability, Function<Heap, ObjectLayer> layer) {
    this(engine, durability, new SingleWrites(true), layer);
  }

  /**
   * Puts a heap on an engine; a new engine gets an empty heap.
   *
   * @param engine the bytes; closed by {@link #close}
   * @param durability when a transaction is acknowledged that does not say so itself
   * @param singleWrites what becomes of writes outside transactions
   * @param layer makes the object layer
   */
  @SuppressWarnings("this-escape") // the layer gets a heap that lacks nothing but the layer itself
  public Heap(
      Engine engine,
      Durability durability,
      SingleWrites singleWrites,
      Function<Heap, ObjectLayer> layer) {
    super(engine, transactions(engine, durability), singleWrites);
    this.layer = layer.apply(this);
    transactions.rules().javaObjects(this.layer::pinning);
  }

  private static Transactions transactions(Engine engine, Durability durability) {
    Directory.initialize(engine); // first: the allocator looks at what is there
    ReferenceMaps maps = new ReferenceMaps();
    CoreLayout.addReferences(maps);
    return new Transactions(engine, new LinkRules(maps, new Allocator(engine)), durability);
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
   * What a collector does to this heap.
   *
   * @return the heap's reclamation
   */
  public Reclamation reclamation() {
    return reclamation;
  }

  /**
   * Where the objects of each shape hold references. Whoever knows shapes adds theirs, before the
   * first object of the shape is made or read.
   *
   * @return the maps of this heap
   */
  public ReferenceMaps referenceMaps() {
    return transactions.rules().maps();
  }

  /**
   * Has the current transaction keep a Java object alive until it has ended, because it makes a
   * reference to the object of the heap for which it stands.
   *
   * @param object the Java object
   * @throws IllegalStateException outside a transaction
   */
  public void keepAlive(Object object) {
    required().keepAlive(object);
  }

  /**
   * Says whether a Java object may be made now for an object of the heap that the current
   * transaction or snapshot has read: it has not been freed since. Waits for nothing. To be asked
   * under the lock under which the Java object is then added to those that {@link
   * ObjectLayer#pinning} finds.
   *
   * @param object its address
   * @return false if the transaction has to read it again
   * @throws IllegalStateException outside transactions and snapshots
   */
  public boolean mayBePinned(long object) {
    return inside().mayBePinned(object);
  }

  /**
   * Notes that a Java object has been made for an object that the current transaction or snapshot
   * has read. To be called when {@link ObjectLayer#pinning} finds it, and before anybody else gets
   * it.
   *
   * @param object its address
   * @throws IllegalStateException outside transactions and snapshots
   */
  public void becamePinned(long object) {
    LinkListener listener = transactions.rules().listener();
    if (listener.isMarking() && !inside().hasMade(object)) { // what is new, the commit tells
      listener.linked(object);
    }
  }

  /**
   * Says whether an object is at an address, as the current transaction or snapshot sees it; a
   * transaction then depends on it. For addresses that do not come from a reference.
   *
   * @param address what was the address of an object
   * @return false if none begins there; else that one, or another that came after it
   * @throws IllegalStateException outside transactions and snapshots
   */
  public boolean isAllocated(long address) {
    return inside().hasMade(address)
        || ExtentLayout.isAllocated(address, memory.size(), word -> getLong(word, 0));
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

  /**
   * When a repair has computed the checksums of the stored bytes.
   *
   * @return the time, or null if they were written with the bytes, or there are none
   */
  public @Nullable Instant checksumsMade() {
    return engine.checksumsMade();
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
    return newObject(required(), shapeId, size);
  }

  /**
   * Makes an object with given fields, otherwise like {@link #newObject(int, int)}.
   *
   * @param shapeId its shape, not 0
   * @param fields all bytes behind its header
   */
  public HeapObject newObject(int shapeId, byte[] fields) {
    Transaction transaction = required();
    HeapObject object = newObject(transaction, shapeId, ObjectLayout.HEADER + fields.length);
    transaction.fill(object.identity(), ObjectLayout.HEADER, fields, 0, fields.length);
    return object;
  }

  /** Returns all bytes behind the header of an object, as {@link #newObject(int, byte[])} takes. */
  public byte[] fields(long object) {
    int size = ObjectLayout.size(getLong(object, 0));
    byte[] fields = new byte[size - ObjectLayout.HEADER];
    read(object, ObjectLayout.HEADER, fields, fields.length);
    return fields;
  }

  private HeapObject newObject(Transaction transaction, int shapeId, int size) {
    long address = transaction.allocate(shapeId, 0, size);
    transaction.setVisible(address);
    HeapObject object = HeapObject.uncommitted(this, address, transaction);
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
   * The handle of an object whose class had other shapes before the one of today.
   *
   * @param home the address that references to it hold, not 0
   * @param currentShape the shape that its class has today
   * @return a handle that reads and writes it as one of that shape
   */
  public HeapObject evolving(long home, int currentShape) {
    return HeapObject.evolving(this, home, currentShape);
  }

  /**
   * Says which shape marks the objects whose fields are elsewhere. To be called before the first
   * object is read that may have moved, and before any moves.
   *
   * @param shapeId the id of the shape {@link ForwarderLayout#CLASS_NAME}
   */
  public void forwarder(int shapeId) {
    bodies.forwarder(shapeId);
  }

  /**
   * Where the fields of an object are, and the header with its shape and their size.
   *
   * @param home the address that references to it hold
   * @return the same address, or that to which the object has moved
   */
  public long body(long home) {
    return bodies.body(home);
  }

  /**
   * Moves an object's fields to a new place, in the current transaction. References to it stay as
   * they are.
   *
   * @param home the address that references to it hold
   * @param shapeId the shape of the new place
   * @param size its size in bytes, header included
   * @return the new place, all zeros behind the header
   * @throws IllegalStateException outside a transaction, or before {@link #forwarder} was called
   * @throws io.pmstore.StoreFullException if there is no room
   */
  public long move(long home, int shapeId, int size) {
    return bodies.move(home, shapeId, size);
  }

  /**
   * Gives an object another shape, in the current transaction. Its size, and all of its bytes
   * behind the header, stay as they are.
   *
   * @param object its address, where its fields are
   * @param shapeId the shape, of no more bytes than the object has
   * @throws IllegalStateException outside a transaction
   */
  public void reshape(long object, int shapeId) {
    bodies.reshape(object, shapeId);
  }

  Bodies bodies() {
    return bodies;
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
   * @throws io.pmstore.StoreDamagedException if there is no blob
   */
  public byte[] blob(long blob) {
    return blobs.read(blob);
  }

  /**
   * Says whether the store was opened for reading only.
   *
   * @return true if every write throws {@link io.pmstore.StoreReadOnlyException}
   */
  public boolean isReadOnly() {
    return engine.isReadOnly();
  }

  /**
   * Says whether the calling thread can write where it is.
   *
   * @return true inside a transaction, but not inside a consistent read or a snapshot
   */
  public boolean isWritable() {
    return transactions.isWritable();
  }

  /**
   * Says that the store can be changed, by returning.
   *
   * @throws io.pmstore.StoreReadOnlyException if it was opened for reading only
   */
  public void checkWritable() {
    engine.checkWritable();
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
   * Adds entries to the type catalogue, in one transaction of its own: they stay if the current one
   * rolls back.
   *
   * @param entries their contents, in their order
   * @throws io.pmstore.StoreReadOnlyException if the store is open for reading only
   */
  public void addCatalogueEntries(List<byte[]> entries) {
    transactions.runIndependently(
        () -> {
          for (byte[] entry : entries) {
            directory.addCatalogueEntry(required(), entry);
          }
          return null;
        });
  }

  // ---- transactions

  /**
   * Runs an operation of the store in the current transaction or a new one, as {@link
   * io.pmstore.PmStore#transaction} says.
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
    return transactions.operation(body);
  }

  /**
   * Runs a body of the program in the current transaction or a new one, as {@link
   * io.pmstore.PmStore#transaction(Durability, io.pmstore.PmStore.TransactionFunction)} says.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param durability when the transaction is acknowledged; null if the body does not say
   * @param body the reads and writes; may run more than once
   * @return what it returned
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T transaction(
      @Nullable Durability durability, TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.run(durability, body);
  }

  /**
   * Runs a body that sees one state of the heap, as {@link io.pmstore.PmStore#snapshot} says.
   *
   * @param <T> the type of the result
   * @param <X> what the body may throw
   * @param body the reads; runs once
   * @return what it returned
   * @throws X what it threw
   */
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.snapshot(body);
  }

  /**
   * Says, by returning, that the heap can be used.
   *
   * @throws StoreClosedException if it is closed
   * @throws StoreFailedException if it has failed
   */
  public void checkUsable() {
    checkOpen();
    engine.checkUsable();
  }

  /**
   * Opens a snapshot for whoever copies the whole heap.
   *
   * @return the state that is current now, all of it durable; to be closed
   * @throws IllegalStateException inside a transaction or a snapshot
   */
  public OpenSnapshot openSnapshot() {
    checkOpen();
    if (transactions.view() != null) {
      throw new IllegalStateException(
          "a copy has what is committed, so none is made inside a transaction or a snapshot; make"
              + " it outside");
    }
    OpenSnapshot snapshot = transactions.openSnapshot();
    try {
      engine.sync(snapshot.position());
      return snapshot;
    } catch (Throwable t) {
      snapshot.close();
      throw t;
    }
  }

  /**
   * Copies an extent as it was when a snapshot was opened.
   *
   * @param snapshot the snapshot
   * @param extent the number of the extent
   * @param copy gets its bytes
   * @throws StoreClosedException if somebody wants the heap closed, which waits for the snapshot
   * @throws StoreFailedException if the engine has failed before the copy was made
   */
  public void copyExtent(OpenSnapshot snapshot, int extent, MemorySegment copy) {
    transactions.checkOpen();
    try {
      engine.checkStored((long) extent << HeapMemory.EXTENT_SHIFT, HeapMemory.EXTENT_SIZE);
      snapshot.copyExtent(extent, copy);
      // A commit that made the engine fail has left half of itself, and no image any more.
      engine.checkUsable();
    } catch (NullPointerException | IllegalStateException e) {
      engine.checkUsable(); // the memory may just have been taken away
      throw e;
    }
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
   * Runs reads that see one committed state of the store, apart from the current transaction or
   * snapshot: without what it wrote, and it does not depend on what they read.
   *
   * @param <T> the type of the result
   * @param body the reads; may run more than once
   * @return what it returned
   */
  public <T extends @Nullable Object> T readApart(Supplier<T> body) {
    checkOpen();
    return transactions.readIndependently(body::get);
  }

  /**
   * Says whether the calling thread is in a transaction or a snapshot.
   *
   * @return true inside one of this store
   */
  public boolean inTransaction() {
    return transactions.view() != null;
  }

  /**
   * Says whether the calling thread is in a snapshot, where nothing it reads changes.
   *
   * @return true inside one of this store
   */
  public boolean inSnapshot() {
    return transactions.inSnapshot();
  }

  /**
   * Says whether the calling thread is in a transaction, for whoever is about to write.
   *
   * @return true inside a transaction of this store
   * @throws IllegalStateException in a snapshot
   */
  public boolean inWritableTransaction() {
    return transactions.current() != null;
  }

  /**
   * Has something done if the current transaction, or this attempt at it, rolls back, or when an
   * exception leaves the current snapshot.
   *
   * @param action what to do; must not throw
   */
  public void onRollback(Runnable action) {
    inside()
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
   * Runs an action when the body of the current transaction has ended, before its commit. The
   * action may read and write as the body did, and ask for more.
   *
   * @param action what to do; what it throws rolls the transaction back
   * @throws IllegalStateException outside a transaction
   */
  public void beforeCommit(Runnable action) {
    required().beforeCommit(action);
  }

  /**
   * Has something done when the current transaction is committed, or the current snapshot ends.
   *
   * @param action what to do; must not throw
   */
  public void onCommit(Runnable action) {
    inside()
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

  private View inside() {
    View view = transactions.view();
    return view == null ? required() : view;
  }

  @Nullable View currentView() {
    return transactions.view();
  }

  /**
   * Reads a property through the layer so that what it is made of belongs together: validated by
   * the transaction, or, outside one, read again until the object did not change meanwhile.
   */
  @Nullable Object readProperty(HeapObject object, int offset, int property) {
    if (transactions.view() != null) {
      return layer.read(object, offset, property);
    }
    long home = object.identity();
    while (true) {
      long version = transactions.version(home);
      long body = object.address();
      long bodyVersion = body == home ? version : transactions.version(body);
      try {
        Object value = layer.read(object, offset, property);
        if (bodies.isUnchanged(home, version, body, bodyVersion)) {
          return value;
        }
      } catch (RuntimeException | OutOfMemoryError e) { // bytes can say any length
        if (bodies.isUnchanged(home, version, body, bodyVersion)) {
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

  @Override
  void checkOpen() {
    if (closed) {
      throw new StoreClosedException(
          "the store is closed; open it again, and read its objects from there");
    }
  }
}
