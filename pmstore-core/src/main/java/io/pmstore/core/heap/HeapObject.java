package io.pmstore.core.heap;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.RolledBackException;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.spi.ObjectHandle;
import io.pmstore.spi.PersistentObject;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one object of the heap: what the accessors of generated classes call.
 *
 * <p>The handle of an object that is new in a transaction can be used by that transaction only,
 * until it commits; if it rolls back, the handle is dead.
 *
 * <p>An <i>evolving</i> handle is one of an object that may have an older shape than its class has
 * today, committed or in somebody's view: it looks at the object's header each time, has an older
 * one read by the layer, and has it upgraded before it writes. It becomes an ordinary one when
 * nobody can see an older shape any more.
 */
public final class HeapObject extends ObjectHandle implements Outcome {
  private final Heap heap;
  // Where the fields are, once that is settled; 0 until then. Set once.
  private long address;
  private volatile @Nullable State state;

  /** What else there is to know of an object that is no ordinary one. */
  private sealed interface State {}

  /** Where an object that is not yet committed is being made. */
  private record Birth(long address, Transaction transaction, long attempt) implements State {}

  /**
   * An object whose references hold the address of its home, and the shape of today. Stays when the
   * fields are settled elsewhere.
   */
  private record Evolving(long home, int shape) implements State {}

  /** Where an object was being made whose transaction was rolled back. */
  private record Dead(long address) implements State {}

  private HeapObject(Heap heap, long address, @Nullable State state) {
    this.heap = heap;
    this.address = address;
    this.state = state;
  }

  static HeapObject committed(Heap heap, long address) {
    return new HeapObject(heap, address, null);
  }

  static HeapObject uncommitted(Heap heap, long address, Transaction transaction) {
    return new HeapObject(heap, 0, new Birth(address, transaction, transaction.attempt()));
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
      settleAt(born.address());
      state = null;
    }
  }

  @Override
  public void rolledBack() {
    state = state instanceof Birth born ? new Dead(born.address()) : null;
  }

  /**
   * The heap that the object is in.
   *
   * @return the heap
   */
  public Heap heap() {
    return heap;
  }

  /**
   * The address that references to the object hold: the same for ever.
   *
   * @return the address, never 0
   * @throws RolledBackException if the transaction that made the object was rolled back
   * @throws IllegalStateException if the object belongs to another thread's transaction that has
   *     not yet committed
   */
  public long identity() {
    return state instanceof Evolving evolving ? evolving.home() : address();
  }

  @Override
  public int identityHash() {
    long home =
        switch (state) {
          case null -> address;
          case Birth born -> born.address();
          case Evolving evolving -> evolving.home();
          case Dead dead -> dead.address();
        };
    return Long.hashCode(home);
  }

  /**
   * Where the object's fields are now, in the current transaction or snapshot or else as committed,
   * laid out as the shape in the header there says.
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
   * Where to write the object's fields, in the current transaction: like {@link #address}, but the
   * object is upgraded first if it has an older shape.
   *
   * @return the address of an object of the shape of today
   */
  public long addressToWrite() {
    long a = address();
    return isEvolving() && !isCurrent(heap.shapeId(a)) ? heap.layer().upgrade(this) : a;
  }

  /**
   * Says whether the object may have an older shape than its class has today, in the current
   * transaction or snapshot, or another.
   *
   * @return false once it has not, and for objects of classes that have had one shape only
   */
  public boolean isEvolving() {
    return address == 0 && state instanceof Evolving;
  }

  /**
   * Says whether a shape is the one that the object's class has today.
   *
   * @param shapeId the object's shape, as the header at {@link #address} has it
   * @return false if it is an older one
   */
  public boolean isCurrent(int shapeId) {
    return !(state instanceof Evolving evolving) || evolving.shape() == shapeId;
  }

  private long unsettledAddress() {
    return switch (state) {
      case null -> settledAddress();
      case Dead _ -> settledAddress();
      case Birth born -> birthplace(born);
      case Evolving evolving -> {
        long body = heap.body(evolving.home());
        if (evolving.shape() == heap.shapeId(body)) {
          settle(evolving);
        }
        yield body;
      }
    };
  }

  private long settledAddress() {
    if (address == 0) {
      throw new RolledBackException(
          "this object was created in a transaction that was rolled back, so it does not exist;"
              + " create it again");
    }
    return address;
  }

  private long birthplace(Birth born) {
    Transaction maker = born.transaction();
    boolean here = maker == heap.currentView();
    if (!here) {
      // Whoever reads a reference to what a commit has made can be here before the handle is told.
      maker.awaitCommit();
      if (address != 0) {
        return address;
      }
    }
    if (!here || born.attempt() != maker.attempt()) {
      throw new IllegalStateException(
          "this object was created in another thread's transaction, which has not committed yet;"
              + " use it after that transaction has ended");
    }
    return born.address();
  }

  /** Makes an evolving handle an ordinary one, if it can be one now. */
  void settle() {
    if (state instanceof Evolving evolving && address == 0) {
      settle(evolving);
    }
  }

  private void settle(Evolving evolving) {
    long body = heap.bodies().settledBody(evolving.home(), evolving.shape());
    if (body != 0) {
      settleAt(body);
      if (body == evolving.home()) {
        state = null;
      }
    }
  }

  private void settleAt(long body) {
    VarHandle.releaseFence(); // who sees the address sees what is there
    address = body;
  }

  private long readUnsettled(int offset, Width width) {
    return state instanceof Evolving evolving
        ? heap.bodies().readBits(this, evolving.home(), evolving.shape(), offset, width)
        : width.read(heap, unsettledAddress(), offset);
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
    return a != 0 ? heap.getByte(a, offset) : (byte) readUnsettled(offset, Width.BYTE);
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
    return a != 0 ? heap.getShort(a, offset) : (short) readUnsettled(offset, Width.SHORT);
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
    return a != 0 ? heap.getChar(a, offset) : (char) readUnsettled(offset, Width.CHAR);
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
    return a != 0 ? heap.getInt(a, offset) : (int) readUnsettled(offset, Width.INT);
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
    return a != 0 ? heap.getLong(a, offset) : readUnsettled(offset, Width.LONG);
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
    long a = address;
    return (a != 0 ? heap.getByte(a, offset) : readUnsettled(offset, Width.BYTE)) != 0;
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
    long a = address;
    return Float.intBitsToFloat(
        a != 0 ? heap.getInt(a, offset) : (int) readUnsettled(offset, Width.INT));
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
    long a = address;
    return Double.longBitsToDouble(
        a != 0 ? heap.getLong(a, offset) : readUnsettled(offset, Width.LONG));
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
    return heap.readProperty(this, offset, property);
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
  public boolean isOutsideTransactions() {
    return heap.currentView() == null;
  }

  @Override
  public boolean isReadOnly() {
    return heap.isReadOnly() || (heap.currentView() != null && !heap.isWritable());
  }

  @Override
  public @Nullable Object run(
      TransactionFunction<@Nullable Object, Exception> body, boolean changesInPlace)
      throws Exception {
    TransactionFunction<@Nullable Object, Exception> whole =
        changesInPlace ? () -> heap.layer().changingInPlace(body) : body;
    return heap.currentView() == null ? heap.layer().stored(heap.method(whole)) : whole.run();
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
