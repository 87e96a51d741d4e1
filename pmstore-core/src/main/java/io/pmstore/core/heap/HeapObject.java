package io.pmstore.core.heap;

import io.pmstore.RolledBackException;
import io.pmstore.core.tx.Outcome;
import io.pmstore.core.tx.Transaction;
import io.pmstore.spi.ObjectHandle;
import org.jspecify.annotations.Nullable;

/**
 * The handle of one object of the heap: what the accessors of generated classes call.
 *
 * <p>The handle of an object that is new in a transaction can be used by that transaction only,
 * until it commits; if it rolls back, the handle is dead.
 */
public final class HeapObject extends ObjectHandle implements Outcome {
  private final Heap heap;
  // Set once, when the object is committed; 0 until then.
  private long address;
  private volatile @Nullable Birth birth;

  /** Where an object that is not yet committed is being made. */
  private record Birth(long address, Transaction transaction, long attempt) {}

  private HeapObject(Heap heap, long address, @Nullable Birth birth) {
    this.heap = heap;
    this.address = address;
    this.birth = birth;
  }

  static HeapObject committed(Heap heap, long address) {
    return new HeapObject(heap, address, null);
  }

  static HeapObject uncommitted(Heap heap, long address, Transaction transaction) {
    return new HeapObject(heap, 0, new Birth(address, transaction, transaction.attempt()));
  }

  @Override
  public void committed() {
    Birth born = birth;
    if (born != null) {
      address = born.address();
      birth = null;
    }
  }

  @Override
  public void rolledBack() {
    birth = null;
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
   * The object's address.
   *
   * @return the address, never 0
   * @throws RolledBackException if the transaction that made the object was rolled back
   * @throws IllegalStateException if the object belongs to another thread's transaction that has
   *     not yet committed
   */
  public long address() {
    long a = address;
    return a != 0 ? a : uncommittedAddress();
  }

  private long uncommittedAddress() {
    Birth born = birth;
    if (born == null) {
      if (address != 0) {
        return address;
      }
      throw new RolledBackException(
          "this object was created in a transaction that was rolled back, so it does not exist;"
              + " create it again");
    }
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
              + " use it afterwards");
    }
    return born.address();
  }

  @Override
  public byte getByte(int offset) {
    return heap.getByte(address(), offset);
  }

  @Override
  public void putByte(int offset, byte value) {
    heap.putByte(address(), offset, value);
  }

  @Override
  public short getShort(int offset) {
    return heap.getShort(address(), offset);
  }

  @Override
  public void putShort(int offset, short value) {
    heap.putShort(address(), offset, value);
  }

  @Override
  public char getChar(int offset) {
    return heap.getChar(address(), offset);
  }

  @Override
  public void putChar(int offset, char value) {
    heap.putChar(address(), offset, value);
  }

  @Override
  public int getInt(int offset) {
    return heap.getInt(address(), offset);
  }

  @Override
  public void putInt(int offset, int value) {
    heap.putInt(address(), offset, value);
  }

  @Override
  public long getLong(int offset) {
    return heap.getLong(address(), offset);
  }

  @Override
  public void putLong(int offset, long value) {
    heap.putLong(address(), offset, value);
  }

  @Override
  public boolean getBoolean(int offset) {
    return heap.getByte(address(), offset) != 0;
  }

  @Override
  public void putBoolean(int offset, boolean value) {
    heap.putByte(address(), offset, (byte) (value ? 1 : 0));
  }

  @Override
  public float getFloat(int offset) {
    return Float.intBitsToFloat(heap.getInt(address(), offset));
  }

  @Override
  public void putFloat(int offset, float value) {
    heap.putInt(address(), offset, Float.floatToRawIntBits(value));
  }

  @Override
  public double getDouble(int offset) {
    return Double.longBitsToDouble(heap.getLong(address(), offset));
  }

  @Override
  public void putDouble(int offset, double value) {
    heap.putLong(address(), offset, Double.doubleToRawLongBits(value));
  }

  @Override
  public @Nullable Object getObject(int offset, int property) {
    return heap.readProperty(this, offset, property);
  }

  @Override
  public void putObject(int offset, int property, @Nullable Object value) {
    if (heap.inWritableTransaction()) {
      heap.layer().write(this, offset, property, value);
    } else {
      heap.write(
          () -> {
            heap.layer().write(this, offset, property, value);
            return null;
          });
    }
  }
}
