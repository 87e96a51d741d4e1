package io.pmstore.core.heap;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.RolledBackException;
import io.pmstore.core.engine.Backoff;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one object of the heap, which the accessors of generated classes call. Safe for use
 * by any number of threads.
 *
 * <p>Until a transaction commits, only it can use the handle of an object that it has made; other
 * threads wait for its end, for a while. If it rolls back, the handle is dead.
 *
 * <p>An <i>evolving</i> handle is that of an object that may have an older shape than its class has
 * today, committed or in some view. It reads the object's header each time; the layer reads an
 * object of an older shape, and upgrades it before a write. The handle settles, and is an ordinary
 * one from then on, when no view can see an older shape any more.
 */
public final class HeapObject extends ObjectHandle implements Outcome {
  /**
   * How long a transaction waits for the one that has made the object, before it lets go of what it
   * has made itself.
   */
  private static final long ATTEMPT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(10);

  private final Heap heap;
  // The address of the fields once it is final; 0 until then, and once a replica has freed them.
  private long address;
  private volatile @Nullable State state;

  /** The state of a handle that is not an ordinary one; null for those. */
  private sealed interface State {}

  /** An object whose transaction has not yet committed. */
  private static final class Birth implements State {
    private final long address;
    private final Transaction transaction;
    private final long attempt;
    private volatile long awaitedSince; // in nanoseconds, by other threads; 0 until one waits

    Birth(long address, Transaction transaction) {
      this.address = address;
      this.transaction = transaction;
      this.attempt = transaction.attempt();
    }
  }

  /**
   * An object with its home and the shape that its class has today. Stays the state if the handle
   * settles at another address than the home.
   */
  private record Evolving(long home, int shape) implements State {}

  /** An object whose transaction was rolled back, and its class if that is known. */
  private record Dead(long address, @Nullable Class<?> type) implements State {}

  /**
   * An object that a record from outside has freed: views of a state before it show the object.
   *
   * @param before the state then
   * @param address of the fields, if it was final then; else 0
   * @param position of the record
   */
  private record Freed(@Nullable Evolving before, long address, long position) implements State {
    long home() {
      return before == null ? address : before.home();
    }
  }

  private HeapObject(Heap heap, long address, @Nullable State state) {
    this.heap = heap;
    this.address = address;
    this.state = state;
  }

  static HeapObject committed(Heap heap, long address) {
    return new HeapObject(heap, address, null);
  }

  static HeapObject uncommitted(Heap heap, long address, Transaction transaction) {
    return new HeapObject(heap, 0, new Birth(address, transaction));
  }

  static HeapObject evolving(Heap heap, long home, int shape) {
    Evolving evolving = new Evolving(home, shape);
    HeapObject object = new HeapObject(heap, 0, evolving);
    object.settle(evolving);
    return object;
  }

  @Override
  public void committed() {
    if (state instanceof Birth born) {
      settleAt(born.address);
      state = null;
    }
  }

  @Override
  public void rolledBack() {
    if (state instanceof Birth born) {
      state = new Dead(born.address, heap.layer().rolledBack(this, born.address));
    } else if (!(state instanceof Dead)) {
      state = null;
    }
  }

  /**
   * Ends the handle, because a record from outside has freed the object: every use throws from now
   * on, except in views of a state before the record. Called before another record changes the
   * object's space.
   *
   * @param position of the record
   */
  public synchronized void freedElsewhere(long position) {
    state = new Freed(state instanceof Evolving evolving ? evolving : null, address, position);
    VarHandle.releaseFence(); // a thread that finds no address finds the state
    address = 0;
    VarHandle.fullFence(); // so does one that finds what later records write
  }

  /** Returns the heap of the object. */
  public Heap heap() {
    return heap;
  }

  /**
   * Returns the object's home, the address that references to it hold. It never changes.
   *
   * @return the address, never 0
   * @throws RolledBackException if the transaction that made the object was rolled back
   * @throws IllegalStateException if the object belongs to another thread's transaction that has
   *     not yet committed
   */
  public long identity() {
    return switch (state) {
      case Evolving evolving -> evolving.home();
      case Freed freed -> shown(freed).home();
      case null, default -> address();
    };
  }

  @Override
  public int identityHash() {
    long home =
        switch (state) {
          case null -> address;
          case Birth born -> born.address;
          case Evolving evolving -> evolving.home();
          case Dead dead -> dead.address();
          case Freed freed -> freed.home();
        };
    return Long.hashCode(home);
  }

  /**
   * Returns where the object's fields are in the current transaction or snapshot, or else in the
   * committed state. The shape in the header there says how they are laid out.
   *
   * @return the address, never 0
   * @throws RolledBackException if the transaction that made the object was rolled back
   * @throws IllegalStateException if the object belongs to another thread's transaction that has
   *     not yet committed
   */
  public long address() {
    long a = address;
    return a != 0 ? a : unsettledAddress();
  }

  /**
   * Returns where to write the object's fields in the current transaction: like {@link #address},
   * but upgrades the object first if it has an older shape.
   */
  public long addressToWrite() {
    long a = address();
    return isEvolving() && !isCurrent(heap.shapeId(a)) ? heap.layer().upgrade(this) : a;
  }

  /**
   * Returns true if the object may have an older shape than its class has today, in the current
   * view or another; false once the handle has settled, and for objects of classes with one shape
   * only.
   */
  public boolean isEvolving() {
    return address == 0 && evolving() != null;
  }

  private @Nullable Evolving evolving() {
    return switch (state) {
      case Evolving evolving -> evolving;
      case Freed freed -> freed.address() == 0 ? freed.before() : null;
      case null, default -> null;
    };
  }

  /**
   * Returns true if a shape is the one that the object's class has today.
   *
   * @param shapeId the object's shape, as the header at {@link #address} has it
   * @return false if it is an older one
   */
  public boolean isCurrent(int shapeId) {
    Evolving evolving = evolving();
    return evolving == null || evolving.shape() == shapeId;
  }

  /**
   * Tells the handle which shape its class has today. A replica may have made the handle before the
   * store had that shape.
   */
  public synchronized void evolvesTo(int shape) {
    if (state instanceof Evolving evolving && evolving.shape() != shape) {
      state = new Evolving(evolving.home(), shape);
    }
  }

  private long unsettledAddress() {
    return switch (state) {
      case null -> settledAddress();
      case Dead _ -> settledAddress();
      case Freed freed ->
          shown(freed).address() != 0 ? freed.address() : heap.bodies().body(freed.home());
      case Birth born -> birthplace(born);
      case Evolving evolving -> {
        long body = heap.bodies().body(evolving.home());
        if (evolving.shape() == heap.shapeId(body)) {
          settle(evolving);
        }
        yield body;
      }
    };
  }

  /** Returns what was freed if the current view shows it. */
  private Freed shown(Freed freed) {
    if (!heap.inSnapshotBefore(freed.position())) {
      throw new IllegalStateException(
          "this object does not exist any more: the leader of the replicated store has freed it. On"
              + " any other node, use an object only in the snapshot that has read it; read it"
              + " again from a root");
    }
    return freed;
  }

  private long settledAddress() {
    if (address == 0) {
      Class<?> type = state instanceof Dead dead ? dead.type() : null;
      throw new RolledBackException(
          "%s was created in a transaction that was rolled back, so it does not exist; create it again"
              .formatted(type == null ? "this object" : "this object of class " + type.getName()));
    }
    return address;
  }

  private long birthplace(Birth born) {
    Transaction maker = born.transaction;
    boolean here = maker == heap.view();
    if (!here) {
      // A thread that reads a reference to the new object can get here before the handle is told.
      maker.awaitCommit();
      if (address != 0 || isSettledInTime(born)) {
        return settledAddress();
      }
    }
    if (!here || born.attempt != maker.attempt()) {
      throw new IllegalStateException(
          "this object was created in another thread's transaction, which has not committed yet;"
              + " use it after that transaction has ended");
    }
    return born.address;
  }

  /**
   * Waits for the end of the transaction that has made the object: several threads may have a plain
   * object that one of them makes persistent. A transaction that waits for long runs again, because
   * the other one may wait for an object that this one has made. All of it has a bound, because the
   * body of the other one may wait for this thread.
   */
  private boolean isSettledInTime(Birth born) {
    long began = System.nanoTime();
    if (born.awaitedSince == 0) {
      born.awaitedSince = began;
    }
    Backoff backoff = new Backoff();
    while (state == born) {
      long now = System.nanoTime();
      if (now - born.awaitedSince > heap.birthNanosMax) {
        return false;
      }
      if (now - began > ATTEMPT_NANOS_MAX) {
        heap.conflict();
      }
      backoff.pause();
    }
    if (state instanceof Dead) {
      heap.conflict(); // the object may be a plain one again
    }
    return true;
  }

  /** Makes an evolving handle an ordinary one if no view can see an older shape any more. */
  void settle() {
    if (state instanceof Evolving evolving && address == 0) {
      settle(evolving);
    }
  }

  private void settle(Evolving evolving) {
    long body = heap.bodies().settledBody(evolving.home(), evolving.shape());
    if (body != 0) {
      settle(evolving, body);
    }
  }

  private synchronized void settle(Evolving evolving, long body) {
    if (evolving.equals(state)) { // else a record has freed the object
      settleAt(body);
      if (body == evolving.home()) {
        state = null;
      }
    }
  }

  private void settleAt(long body) {
    VarHandle.releaseFence(); // a thread that sees the address also sees the object
    address = body;
  }

  /**
   * Returns true if what was read at an address is the object's: in a replica a record may have
   * freed the object meanwhile, and another one have used its space.
   */
  private boolean isStillAt(long a) {
    VarHandle.loadLoadFence();
    return address == a;
  }

  private long readUnsettled(int offset, Width width) {
    checkShown();
    Evolving evolving = evolving();
    long bits =
        evolving != null
            ? heap.bodies().readBits(this, evolving.home(), evolving.shape(), offset, width)
            : width.read(heap, unsettledAddress(), offset);
    checkShown();
    return bits;
  }

  private void checkShown() {
    if (state instanceof Freed freed) {
      shown(freed);
    }
  }

  private void writeUnsettled(int offset, Width width, long bits) {
    if (!(state instanceof Evolving)) {
      width.write(heap, unsettledAddress(), offset, bits);
      return;
    }
    heap.write(
        () -> {
          width.write(heap, addressToWrite(), offset, bits);
          return true;
        });
  }

  @Override
  public byte getByte(int offset) {
    long a = address;
    if (a != 0) {
      byte value = heap.getByte(a, offset);
      if (isStillAt(a)) {
        return value;
      }
    }
    return (byte) readUnsettled(offset, Width.BYTE);
  }

  @Override
  public void putByte(int offset, byte value) {
    long a = address;
    if (a != 0) {
      heap.putByte(a, offset, value);
    } else {
      writeUnsettled(offset, Width.BYTE, value);
    }
  }

  @Override
  public short getShort(int offset) {
    long a = address;
    if (a != 0) {
      short value = heap.getShort(a, offset);
      if (isStillAt(a)) {
        return value;
      }
    }
    return (short) readUnsettled(offset, Width.SHORT);
  }

  @Override
  public void putShort(int offset, short value) {
    long a = address;
    if (a != 0) {
      heap.putShort(a, offset, value);
    } else {
      writeUnsettled(offset, Width.SHORT, value);
    }
  }

  @Override
  public char getChar(int offset) {
    long a = address;
    if (a != 0) {
      char value = heap.getChar(a, offset);
      if (isStillAt(a)) {
        return value;
      }
    }
    return (char) readUnsettled(offset, Width.CHAR);
  }

  @Override
  public void putChar(int offset, char value) {
    long a = address;
    if (a != 0) {
      heap.putChar(a, offset, value);
    } else {
      writeUnsettled(offset, Width.CHAR, value);
    }
  }

  @Override
  public int getInt(int offset) {
    long a = address;
    if (a != 0) {
      int value = heap.getInt(a, offset);
      if (isStillAt(a)) {
        return value;
      }
    }
    return (int) readUnsettled(offset, Width.INT);
  }

  @Override
  public void putInt(int offset, int value) {
    long a = address;
    if (a != 0) {
      heap.putInt(a, offset, value);
    } else {
      writeUnsettled(offset, Width.INT, value);
    }
  }

  @Override
  public long getLong(int offset) {
    long a = address;
    if (a != 0) {
      long value = heap.getLong(a, offset);
      if (isStillAt(a)) {
        return value;
      }
    }
    return readUnsettled(offset, Width.LONG);
  }

  @Override
  public void putLong(int offset, long value) {
    long a = address;
    if (a != 0) {
      heap.putLong(a, offset, value);
    } else {
      writeUnsettled(offset, Width.LONG, value);
    }
  }

  @Override
  public boolean getBoolean(int offset) {
    return getByte(offset) != 0;
  }

  @Override
  public void putBoolean(int offset, boolean value) {
    long a = address;
    if (a != 0) {
      heap.putByte(a, offset, (byte) (value ? 1 : 0));
    } else {
      writeUnsettled(offset, Width.BYTE, value ? 1 : 0);
    }
  }

  @Override
  public float getFloat(int offset) {
    return Float.intBitsToFloat(getInt(offset));
  }

  @Override
  public void putFloat(int offset, float value) {
    long a = address;
    if (a != 0) {
      heap.putInt(a, offset, Float.floatToRawIntBits(value));
    } else {
      writeUnsettled(offset, Width.INT, Float.floatToRawIntBits(value));
    }
  }

  @Override
  public double getDouble(int offset) {
    return Double.longBitsToDouble(getLong(offset));
  }

  @Override
  public void putDouble(int offset, double value) {
    long a = address;
    if (a != 0) {
      heap.putLong(a, offset, Double.doubleToRawLongBits(value));
    } else {
      writeUnsettled(offset, Width.LONG, Double.doubleToRawLongBits(value));
    }
  }

  @Override
  public @Nullable Object getObject(int offset, int property) {
    return heap.bodies().readProperty(this, offset, property);
  }

  @Override
  public long valueVersion(int offset) {
    long a = address();
    return isEvolving() && !isCurrent(heap.shapeId(a))
        ? 0
        : 31 * heap.getLong(a, offset) + heap.getLong(a, offset + Long.BYTES);
  }

  @Override
  public @Nullable Object requireNull(@Nullable Object value, int property) {
    if (value != null) {
      throw heap.layer().otherType(this, property, value);
    }
    return null;
  }

  @Override
  public @Nullable Object fitting(@Nullable Object value, int property, Class<?> type) {
    return value == null ? null : heap.layer().fitting(this, property, value, type);
  }

  @Override
  public void putObject(int offset, int property, @Nullable Object value) {
    if (heap.inWritableTransaction()) {
      heap.layer().write(this, offset, property, value, false);
    } else {
      heap.write(
          () -> {
            heap.layer().write(this, offset, property, value, true);
            return null;
          });
    }
  }

  @Override
  public Object cloned(Object original) {
    return heap.layer().cloned(this, original);
  }

  @Override
  public Object plainCopy(Object original) {
    return heap.layer().copy(original, reached -> true);
  }

  @Override
  public boolean isOutsideTransactions() {
    return heap.view() == null;
  }

  @Override
  public boolean isInWritableTransaction() {
    return !heap.isReadOnly() && heap.isInWritableTransaction();
  }

  @Override
  public void onRollback(Runnable action) {
    if (isInWritableTransaction()) {
      heap.onRollback(action);
    }
  }

  @Override
  public void beforeCommit(Runnable action) {
    heap.beforeCommit(action);
  }

  @Override
  public boolean isClosed() {
    return heap.isClosed();
  }

  @Override
  public boolean isReadOnly() {
    return heap.isReadOnly() || (heap.view() != null && !heap.isWritable());
  }

  @Override
  public @Nullable Object run(
      TransactionFunction<@Nullable Object, Exception> body, boolean changesInPlace)
      throws Exception {
    TransactionFunction<@Nullable Object, Exception> whole =
        changesInPlace ? () -> heap.layer().changingInPlace(body) : body;
    return heap.view() == null ? heap.layer().stored(heap.method(whole)) : whole.run();
  }

  @Override
  public @Nullable Object runWithOwnTransactions(
      TransactionFunction<@Nullable Object, Exception> body) throws Exception {
    return heap.layer().changingInPlace(body);
  }

  @Override
  public boolean follow(int offset, int property, Object value) {
    return heap.isWritable()
        && !(isEvolving() && !isCurrent(heap.shapeId(address())))
        && heap.layer().follow(this, offset, property, value);
  }

  @Override
  public String describe(PersistentObject object) {
    return heap.layer().describe(this, object);
  }

  @Override
  public boolean isChangingInPlace() {
    return heap.layer().isChangingInPlace();
  }
}
