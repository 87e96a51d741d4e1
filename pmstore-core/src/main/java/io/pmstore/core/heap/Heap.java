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
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import io.pmstore.core.tx.View;
import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The objects of a store, by address: what the object layer reads and writes. Owns the engine, the
 * transactions and the object layer, and closes them.
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
  /** The permits of {@link #copies}. */
  static final int COPIES_MAX = Integer.MAX_VALUE;

  /** A permit for each open {@link HeapSnapshot}, and all of them while the heap shrinks. */
  final Semaphore copies = new Semaphore(COPIES_MAX, true);

  /**
   * How long threads wait for another one's transaction that has made an object. On a busy machine
   * a disk may need many seconds for what that one waits for, such as room for the heap.
   */
  long birthNanosMax = TimeUnit.MINUTES.toNanos(1);

  private final Directory directory = new Directory(this);
  private final Blobs blobs = new Blobs(this);
  private final Bodies bodies = new Bodies(this);
  private final Reclamation reclamation = new Reclamation(this);
  private final HeapReplica replica = new HeapReplica(this);
  private final ObjectLayer layer;
  private volatile boolean closed;
  private volatile String name = "";

  /**
   * Puts a heap on an engine; a new engine gets an empty heap.
   *
   * @param engine the bytes; {@link #close} closes it
   * @param durability when a transaction is acknowledged that does not say so itself
   * @param layer makes the object layer
   */
  public Heap(Engine engine, Durability durability, Function<Heap, ObjectLayer> layer) {
    this(engine, durability, new SingleWrites(true), layer);
  }

  /**
   * Puts a heap on an engine; a new engine gets an empty heap.
   *
   * @param engine the bytes; {@link #close} closes it
   * @param durability when a transaction is acknowledged that does not say so itself
   * @param singleWrites the rule for writes outside transactions
   * @param layer makes the object layer
   */
  @SuppressWarnings("this-escape") // the layer gets a heap that lacks only the layer
  public Heap(
      Engine engine,
      Durability durability,
      SingleWrites singleWrites,
      Function<Heap, ObjectLayer> layer) {
    super(engine, transactions(engine, durability), singleWrites);
    this.layer = layer.apply(this);
    transactions.rules().javaObjects(this.layer::pinning, this.layer::forget);
  }

  private static Transactions transactions(Engine engine, Durability durability) {
    Directory.initialize(engine); // first, because the allocator reads the heap
    ReferenceMaps maps = new ReferenceMaps();
    CoreLayout.addReferences(maps);
    return new Transactions(engine, new LinkRules(maps, new Allocator(engine)), durability);
  }

  /** Returns the layer that turns this heap's objects into Java objects. */
  public ObjectLayer layer() {
    return layer;
  }

  /** Returns the named roots and the entries of the type catalogue. */
  public Directory directory() {
    return directory;
  }

  /** Returns the byte strings that objects refer to. */
  public Blobs blobs() {
    return blobs;
  }

  /** Returns where the fields of objects are that may have moved. */
  public Bodies bodies() {
    return bodies;
  }

  /** Returns what a collector uses to free objects of this heap. */
  public Reclamation reclamation() {
    return reclamation;
  }

  public HeapReplica replica() {
    return replica;
  }

  /**
   * Returns where the objects of each shape have references. The caller that defines or reads a
   * shape adds its map before the first object of the shape is made or read.
   */
  public ReferenceMaps referenceMaps() {
    return transactions.rules().maps();
  }

  /**
   * Keeps a Java object alive until the current transaction has ended, because the transaction
   * makes a reference to the object that it pins.
   *
   * @param object the Java object
   * @throws IllegalStateException outside a transaction
   */
  public void keepAlive(Object object) {
    required().keepAlive(object);
  }

  /**
   * Returns if the Java heap has room for what an operation of the current transaction gathers
   * before its first write.
   *
   * @param bytes that the operation is about to take
   * @param elements that it has gathered
   * @throws io.pmstore.TransactionTooLargeException if there is no room even without garbage
   * @throws IllegalStateException outside a transaction
   */
  public void requireRoom(long bytes, long elements) {
    required().requireRoom(bytes, elements);
  }

  /**
   * Returns true if a Java object may be made now for an object that the current transaction or
   * snapshot has read, because no commit has freed it since. Waits for nothing. The caller holds
   * the lock under which it then makes the Java object visible to {@link ObjectLayer#pinning}.
   *
   * @param object its address
   * @return false if the transaction has to read it again
   * @throws IllegalStateException outside transactions and snapshots
   */
  public boolean mayBePinned(long object) {
    return inside().mayBePinned(object);
  }

  /**
   * Informs the collector that a Java object has been made for an object that the current
   * transaction or snapshot has read. An object that the transaction itself has made is kept by its
   * commit then, also without references. Called when {@link ObjectLayer#pinning} finds the Java
   * object, and before any other code gets it.
   *
   * @param object its address
   * @throws IllegalStateException outside transactions and snapshots
   */
  public void becamePinned(long object) {
    LinkListener listener = transactions.rules().listener();
    if (inside().hasMade(object)) {
      required().setVisible(object); // the commit informs of new objects
    } else if (listener.isMarking()) {
      listener.linked(object);
    }
  }

  /**
   * Returns true if an object starts at an address, as the current transaction or snapshot sees it;
   * a transaction then depends on that. For addresses that do not come from a reference.
   *
   * @param address a former address of an object
   * @return false if no object starts there; true if that object does, or a later one
   * @throws IllegalStateException outside transactions and snapshots
   */
  public boolean isAllocated(long address) {
    return inside().hasMade(address)
        || ExtentLayout.isAllocated(address, memory.size(), word -> getLong(word, 0));
  }

  /**
   * Returns the bytes of the heap as they are now, for walks, which only read: without the current
   * transaction's writes, and without protection against changes meanwhile.
   */
  public HeapMemory memory() {
    return memory;
  }

  /**
   * Compares the stored bytes with their checksums. Called before the first transaction since the
   * opening.
   *
   * @param faults gets what differs
   */
  public void verifyBytes(Engine.FaultVisitor faults) {
    engine.verify(faults);
  }

  /**
   * Returns when a repair computed the checksums of the stored bytes, or null if they were written
   * with the bytes, or there are none.
   */
  public @Nullable Instant checksumsMade() {
    return engine.checksumsMade();
  }

  /** Sets what recordings call the store: its directory. */
  public void recordAs(String directory) {
    name = directory;
    transactions.events().of(directory, this::className);
  }

  /** Returns what recordings call the store: its directory, or nothing if that was not set. */
  public String name() {
    return name;
  }

  private String className(long object) {
    return object + ObjectLayout.HEADER > memory.writableBytes()
        ? "" // of an end that was cut off
        : layer.className(ObjectLayout.shapeId(memory.getLong(object)));
  }

  /** Returns how often commits have waited for room since the opening. */
  public long commitWaits() {
    return engine.commitWaits();
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
    return required().allocate(required(shapeId), 0, size);
  }

  /**
   * Makes an object of zeros in the current transaction, with a handle that dies if the transaction
   * rolls back.
   *
   * @param shapeId its shape, not 0
   * @param size its size in bytes, header included
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
    transaction.putBytes(object.identity(), ObjectLayout.HEADER, fields, 0, fields.length);
    return object;
  }

  /** Returns all bytes behind the header of an object, as {@link #newObject(int, byte[])} takes. */
  public byte[] fields(long object) {
    View view = view();
    int size = ObjectLayout.size(getLong(view, object, 0));
    byte[] fields = new byte[size - ObjectLayout.HEADER];
    read(view, object, ObjectLayout.HEADER, fields, fields.length);
    return fields;
  }

  /**
   * Returns the id of a shape that is to be written.
   *
   * @throws IllegalArgumentException if no object of a class can have it
   */
  static int required(int shapeId) {
    if (shapeId <= ObjectLayout.SHAPE_CORE) {
      throw new IllegalArgumentException(
          "found shape %d for an object that is to be written, expected one that the type catalogue has"
              .formatted(shapeId));
    }
    return shapeId;
  }

  private HeapObject newObject(Transaction transaction, int shapeId, int size) {
    long address = transaction.allocate(required(shapeId), 0, size);
    transaction.setVisible(address);
    HeapObject object = HeapObject.uncommitted(this, address, transaction);
    transaction.onOutcome(object);
    return object;
  }

  /** Returns a handle of the object at an address, which exists. */
  public HeapObject object(long address) {
    return HeapObject.committed(this, address);
  }

  /**
   * Returns a handle of an object whose class has older shapes.
   *
   * @param home the address that references to it hold, not 0
   * @param currentShape the shape that its class has today
   * @return a handle that reads and writes it as one of that shape
   */
  public HeapObject evolving(long home, int currentShape) {
    return HeapObject.evolving(this, home, currentShape);
  }

  /** Returns the id of the shape of the object at an address. */
  public int shapeId(long object) {
    return ObjectLayout.shapeId(getLong(object, 0));
  }

  /** Returns the size of the object at an address: its bytes, header included. */
  public int size(long object) {
    return ObjectLayout.size(getLong(object, 0));
  }

  /**
   * Returns true if the store was opened for reading only, or is a replica: every write throws
   * {@link io.pmstore.StoreReadOnlyException}.
   */
  public boolean isReadOnly() {
    return transactions.isReadOnly();
  }

  /**
   * Returns true if the calling thread is in a transaction that can write, which a consistent read
   * and a snapshot cannot.
   */
  public boolean isWritable() {
    return transactions.isWritable();
  }

  /**
   * Throws if the store was opened for reading only, or is a replica.
   *
   * @throws io.pmstore.StoreReadOnlyException if every write is refused
   */
  public void checkWritable() {
    transactions.checkWritable();
  }

  // ---- transactions

  /**
   * Runs an operation of the store in the current transaction or a new one, as {@link
   * io.pmstore.PmStore#transaction} says.
   *
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T transaction(
      TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.operation(body);
  }

  /**
   * Does the same for an operation that a getter needs: a new transaction waits for nothing to
   * become durable, as getters outside transactions do not.
   */
  public <T extends @Nullable Object, X extends Exception> T transactionOfRead(
      TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.operationOfRead(body);
  }

  /**
   * Runs a body of the program in the current transaction or a new one, as {@link
   * io.pmstore.PmStore#transaction(Durability, io.pmstore.PmStore.TransactionFunction)} says.
   *
   * @param durability when the transaction is acknowledged; null if the body does not say
   * @param body the reads and writes; may run more than once
   * @throws X what it threw; nothing was written
   */
  public <T extends @Nullable Object, X extends Exception> T transaction(
      @Nullable Durability durability, TransactionFunction<T, X> body) throws X {
    checkOpen();
    T result = transactions.run(durability, body);
    return result != null && view() == null ? layer().stored(result) : result;
  }

  /** Makes all durable that was committed, as {@link io.pmstore.PmStore#sync} says. */
  public void sync() {
    checkOpen();
    transactions.sync();
  }

  /**
   * Runs a body that sees one state of the heap, as {@link io.pmstore.PmStore#snapshot} says.
   *
   * @param body the reads; runs once
   * @throws X what it threw
   */
  public <T extends @Nullable Object, X extends Exception> T snapshot(
      TransactionFunction<T, X> body) throws X {
    checkOpen();
    return transactions.snapshot(body);
  }

  /**
   * Throws if the heap cannot be used.
   *
   * @throws StoreClosedException if it is closed
   * @throws StoreFailedException if it has failed
   */
  public void checkUsable() {
    checkOpen();
    engine.checkUsable();
  }

  /** Throws {@link StoreClosedException} if the store is closed or closing. */
  public void checkNotClosing() {
    transactions.checkOpen();
  }

  /** Returns true if new transactions and snapshots begin now. */
  public boolean isAdmitting() {
    return transactions.admission().isOpen();
  }

  /** Waits while new transactions and snapshots are held back. */
  public void awaitRelease() {
    transactions.admission().await();
  }

  /**
   * Holds new transactions and snapshots back, and waits for those that run, as {@link
   * io.pmstore.core.engine.EngineHost#holdBack} says.
   *
   * @param nanos how long to hold the new ones back meanwhile
   * @return true if none runs, and new ones wait for {@link #release}
   */
  public boolean holdBack(long nanos) {
    return transactions.holdBack(nanos);
  }

  /** Ends {@link #holdBack}; does nothing if nothing is held back. */
  public void release() {
    transactions.admission().release();
  }

  /**
   * Opens a snapshot for a copy of the whole heap.
   *
   * @return the current state; the caller closes it
   * @throws IllegalStateException inside a transaction or a snapshot
   */
  public HeapSnapshot openSnapshot() {
    checkOpen();
    return HeapSnapshot.open(this);
  }

  /**
   * Runs reads that see one state of the store: in the current transaction, or in one of their own
   * that waits for nothing to become durable. If they have to write something first, they run as a
   * transaction.
   *
   * @param body the reads; may run more than once
   */
  public <T extends @Nullable Object> T read(Supplier<T> body) {
    checkOpen();
    if (transactions.view() != null) {
      return body.get();
    }
    try {
      return transactions.read(body::get);
    } catch (WriteNeededException e) {
      return transaction(body::get);
    }
  }

  /**
   * Runs reads that see one committed state of the store, apart from the current transaction or
   * snapshot: they do not see what it wrote, and it does not depend on what they read.
   *
   * @param body the reads; may run more than once
   */
  public <T extends @Nullable Object> T readApart(Supplier<T> body) {
    checkOpen();
    return transactions.readIndependently(body::get);
  }

  /** Returns true if the calling thread is in a transaction or a snapshot of this store. */
  public boolean inTransaction() {
    return transactions.view() != null;
  }

  /**
   * Returns true if an open snapshot may show an object that a record from outside has freed.
   * Called while that record is being applied, or later.
   *
   * @param position of the record
   */
  public boolean mayBeShown(long position) {
    return transactions.snapshots().mayShow(position);
  }

  /**
   * Returns true if the calling thread is in a snapshot that was opened before a commit.
   *
   * @param commit its position
   */
  public boolean inSnapshotBefore(long commit) {
    View view = transactions.view();
    return view != null && view.isBefore(commit);
  }

  /** Returns true if the calling thread is in a snapshot, where nothing that it reads changes. */
  public boolean inSnapshot() {
    return transactions.inSnapshot();
  }

  /** Returns true if the calling thread is in a transaction of this store that can write. */
  boolean isInWritableTransaction() {
    return transactions.isInWritable();
  }

  /**
   * Returns true if the calling thread is in a transaction. For a caller that is about to write.
   *
   * @return true inside a transaction of this store
   * @throws IllegalStateException in a snapshot
   */
  public boolean inWritableTransaction() {
    return transactions.current() != null;
  }

  /**
   * Runs an action if the current transaction, or this attempt at it, rolls back, or if an
   * exception leaves the current snapshot.
   *
   * @param action what to do; must not throw
   */
  public void onRollback(Runnable action) {
    inside()
        .onOutcome(
            new Outcome() {
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
   * Has the body of the current transaction run again, because of what another transaction commits.
   * Does nothing outside a transaction and in a snapshot.
   */
  public void conflict() {
    if (transactions.view() instanceof Transaction transaction) {
      transaction.conflict();
    }
  }

  /**
   * Runs an action when the current transaction has committed, or the current snapshot ends.
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
            });
  }

  private View inside() {
    View view = transactions.view();
    return view == null ? required() : view;
  }

  /**
   * Waits for running transactions, makes everything committed durable and closes the engine.
   * Closing twice is harmless.
   *
   * @throws IllegalStateException if called inside a transaction
   */
  public synchronized void close() {
    if (closed) {
      engine.close(); // has more to end if another heap was to take its place, and could not
      return;
    }
    transactions.close();
    try {
      engine.stop();
    } finally {
      closed = true;
      try {
        layer.close();
      } finally {
        engine.close();
      }
    }
  }

  /** Returns true once the heap is closed. */
  boolean isClosed() {
    return closed;
  }

  @Override
  void checkOpen() {
    if (closed) {
      engine.checkUsable(); // says more of the reason, if the engine is closed too
      throw new StoreClosedException(
          "the store is closed; open it again, and read its objects from there");
    }
  }
}
