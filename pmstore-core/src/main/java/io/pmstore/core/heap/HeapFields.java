package io.pmstore.core.heap;

import io.pmstore.PmStore.TransactionFunction;
import io.pmstore.StoreClosedException;
import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.memory.HeapMemory;
import io.pmstore.core.memory.MappedFiles;
import io.pmstore.core.tx.Transaction;
import io.pmstore.core.tx.Transactions;
import io.pmstore.core.tx.View;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The part of a heap that reads and writes fields: in the calling thread's transaction or snapshot,
 * or else the committed values. Safe for use by any number of threads.
 *
 * <p>{@code object} is the address of an object, {@code offset} that of a field in it, in bytes.
 * Getters and setters stay small, so that the JIT compiler inlines them: all that may go wrong is
 * in {@link #explain}.
 */
abstract class HeapFields {
  private static final long NO_HEADER = -1;

  final Engine engine;
  final HeapMemory memory;
  final Transactions transactions;
  private final SingleWrites singleWrites;

  HeapFields(Engine engine, Transactions transactions, SingleWrites singleWrites) {
    this.singleWrites = singleWrites;
    this.engine = engine;
    this.memory = engine.memory();
    this.transactions = transactions;
  }

  /** Throws {@link StoreClosedException} if the heap is closed. */
  abstract void checkOpen();

  /** Reads a {@code byte}. */
  public final byte getByte(long object, int offset) {
    View view = transactions.view();
    try {
      return view == null ? memory.getByte(object + offset) : view.getByte(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Writes a {@code byte}. */
  public final void putByte(long object, int offset, byte value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      alone(() -> putByte(object, offset, value));
      return;
    }
    try {
      transaction.putByte(object, offset, value);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Reads a {@code short}. */
  public final short getShort(long object, int offset) {
    View view = transactions.view();
    try {
      return view == null ? memory.getShort(object + offset) : view.getShort(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Writes a {@code short}. */
  public final void putShort(long object, int offset, short value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      alone(() -> putShort(object, offset, value));
      return;
    }
    try {
      transaction.putShort(object, offset, value);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Reads a {@code char}. */
  public final char getChar(long object, int offset) {
    View view = transactions.view();
    try {
      return view == null ? memory.getChar(object + offset) : view.getChar(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Writes a {@code char}. */
  public final void putChar(long object, int offset, char value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      alone(() -> putChar(object, offset, value));
      return;
    }
    try {
      transaction.putChar(object, offset, value);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Reads an {@code int}. */
  public final int getInt(long object, int offset) {
    View view = transactions.view();
    try {
      return view == null ? memory.getInt(object + offset) : view.getInt(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Writes an {@code int}. */
  public final void putInt(long object, int offset, int value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      alone(() -> putInt(object, offset, value));
      return;
    }
    try {
      transaction.putInt(object, offset, value);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Reads a {@code long}. */
  public final long getLong(long object, int offset) {
    View view = transactions.view();
    try {
      return view == null ? memory.getLong(object + offset) : view.getLong(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /** Writes a {@code long}. */
  public final void putLong(long object, int offset, long value) {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      alone(() -> putLong(object, offset, value));
      return;
    }
    try {
      transaction.putLong(object, offset, value);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a committed {@code long}, apart from any transaction or snapshot of the calling thread.
   */
  final long committedLong(long object, int offset) {
    return getLong(null, object, offset);
  }

  /**
   * Returns the calling thread's transaction or snapshot, or null. An operation that reads several
   * fields asks once, and gives it to each read.
   */
  public final @Nullable View view() {
    return transactions.view();
  }

  /**
   * Reads an {@code int} in a view.
   *
   * @param view what {@link #view} returned in the same body
   */
  public final int getInt(@Nullable View view, long object, int offset) {
    try {
      return view == null ? memory.getInt(object + offset) : view.getInt(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads a {@code long} in a view.
   *
   * @param view what {@link #view} returned in the same body
   */
  public final long getLong(@Nullable View view, long object, int offset) {
    try {
      return view == null ? memory.getLong(object + offset) : view.getLong(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  /**
   * Reads the beginning of an object, which brings it into the processor's cache. A caller that
   * will read the object, but something else before, fetches it first: the processor then loads
   * both at the same time, and not one after the other.
   *
   * @param object an address, or any other number
   */
  public final void fetch(long object) {
    if (memory.hasWord(object) && getLong(null, object, 0) == NO_HEADER) {
      Thread.onSpinWait(); // without a use of the header, the compiler drops the read
    }
  }

  final void read(@Nullable View view, long object, int offset, byte[] target, int length) {
    try {
      if (view == null) {
        memory.read(object + offset, target, 0, length);
      } else {
        view.read(object, offset, target, length);
      }
    } catch (RuntimeException | InternalError e) {
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
  public final void addToCounter(long object, int offset, long n) {
    Transaction transaction = required();
    if (!memory.hasWord(object + offset)) { // nothing reads it before the commit
      throw outside(object, offset, null);
    }
    transaction.addToCounter(object, offset, n);
  }

  /**
   * Reads a counter. A transaction that reads it depends on it.
   *
   * @param object the address of the object it is in
   * @param offset of the counter's 8 bytes
   * @return its value
   */
  public final long counter(long object, int offset) {
    View view = transactions.view();
    if (view == null) {
      return getLong(object, offset);
    }
    try {
      return view.counter(object, offset);
    } catch (RuntimeException | InternalError e) {
      throw explain(e, object, offset);
    }
  }

  private void alone(Runnable write) {
    write(
        () -> {
          write.run();
          return true;
        });
  }

  /**
   * Runs an operation that writes: in the current transaction, or in one of its own.
   *
   * @param operation the writes; may run more than once
   * @throws IllegalStateException in a snapshot, or as {@link #beginWrite} says
   */
  public final <T extends @Nullable Object> T write(Supplier<T> operation) {
    if (transactions.current() != null) {
      return operation.get();
    }
    beginWrite();
    return transactions.operation(operation::get);
  }

  /**
   * Checks that a write may begin. Outside a transaction it will be one of its own.
   *
   * @throws StoreClosedException if the heap is closed
   * @throws IllegalStateException if the heap refuses writes outside transactions, or in a snapshot
   */
  public final void beginWrite() {
    if (transactions.current() == null) {
      checkOpen();
      singleWrites.begin();
    }
  }

  /**
   * Runs a method of an object as a new transaction. It counts as one write if it writes anything.
   */
  final @Nullable Object method(TransactionFunction<@Nullable Object, Exception> body)
      throws Exception {
    checkOpen();
    return transactions.method(body, singleWrites::begin);
  }

  final Transaction required() {
    Transaction transaction = transactions.current();
    if (transaction == null) {
      checkOpen();
      throw new IllegalStateException(
          "this needs a transaction, and none runs in this thread; put it into"
              + " store.transaction(...)");
    }
    return transaction;
  }

  /**
   * Returns the exception for a failed access, given what the access threw. The JVM's own checks
   * throw for a reference that leads out of the heap or is not aligned, for closed memory and for a
   * fault in mapped memory; any other exception is returned as it is.
   */
  final RuntimeException explain(Throwable thrown, long object, int offset) {
    if (!(thrown instanceof NullPointerException
        || thrown instanceof IllegalArgumentException // a reference that is not aligned
        || thrown instanceof IndexOutOfBoundsException
        || thrown instanceof IllegalStateException
        || thrown instanceof InternalError)) {
      return (RuntimeException) thrown;
    }
    checkOpen();
    engine.checkUsable();
    if (thrown instanceof InternalError error) {
      if (MappedFiles.isFault(error)) {
        return engine.fail(error);
      }
      throw error;
    }
    RuntimeException e = (RuntimeException) thrown;
    return e instanceof IllegalStateException ? e : outside(object, offset, e);
  }

  private StoreDamagedException outside(long object, int offset, @Nullable RuntimeException cause) {
    return new StoreDamagedException(
        "a read or write at heap address "
            + object
            + " + "
            + offset
            + " is outside the heap of "
            + memory.size()
            + " bytes, outside its object or not aligned; restore the store from a backup",
        cause);
  }
}
