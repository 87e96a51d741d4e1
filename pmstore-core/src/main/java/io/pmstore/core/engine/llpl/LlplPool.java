package io.pmstore.core.engine.llpl;

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.MemoryAccessor;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;

/**
 * An open pool, and the little of LLPL that the engine needs: the one class that calls it.
 *
 * <p>The pool is LLPL's {@link Heap}, whose writes are raw and whose {@code addToTransaction}
 * throws when the undo log cannot grow (a {@code TransactionalHeap} would go on and write
 * unlogged). Everything that LLPL throws inside a transaction is let out: going on would make PMDK
 * abort the process.
 *
 * <p>Not final, so that tests can make single calls fail.
 */
class LlplPool {
  /**
   * LLPL's name for the kind of pool that {@link Heap} makes, kept by PMDK in the pool's
   * descriptor.
   */
  static final String LAYOUT = "llpl_heap";

  // LLPL keeps these to its own package.
  private static final MethodHandle CLOSE;
  private static final MethodHandle PAYLOAD_ADDRESS;
  private static final MethodHandle TRANSACTION_ACTIVE;

  static {
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(AnyHeap.class, MethodHandles.lookup());
      CLOSE = lookup.findVirtual(AnyHeap.class, "close", MethodType.methodType(void.class));
      PAYLOAD_ADDRESS =
          lookup.findVirtual(
              MemoryAccessor.class,
              "payloadAddress",
              MethodType.methodType(long.class, long.class));
      TRANSACTION_ACTIVE =
          lookup.findStatic(
              Transaction.class, "isTransactionActive", MethodType.methodType(boolean.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The pool as LLPL has it. */
  final Heap heap;

  LlplPool(Heap heap) {
    this.heap = heap;
  }

  /**
   * Makes a pool.
   *
   * @param file that does not exist
   * @param size of the pool and the file in bytes
   */
  static LlplPool create(Path file, long size) {
    return new LlplPool(Heap.createHeap(file.toString(), size));
  }

  /**
   * Opens a pool; PMDK rolls back what was not committed.
   *
   * @param file the pool, already found to be one: PMDK trusts what it maps
   */
  static LlplPool open(Path file) {
    return new LlplPool(Heap.openHeap(file.toString()));
  }

  /** The handle that the pool's owner stored, or 0. */
  long root() {
    return heap.getRoot();
  }

  /** Stores the pool's root handle, as a transaction of its own or as part of the running one. */
  void setRoot(long handle) {
    heap.setRoot(handle);
  }

  /** Allocates a block of zeros, as part of the running transaction. */
  MemoryBlock allocate(long size) {
    return heap.allocateMemoryBlock(size, true);
  }

  /** Gives a block back, as part of the running transaction. */
  void free(MemoryBlock block) {
    block.free(true);
  }

  /**
   * Finds a block by its handle.
   *
   * @throws com.intel.pmem.llpl.HeapException if no such block can be there
   * @throws IllegalArgumentException if the handle is outside the pool
   */
  MemoryBlock block(long handle) {
    return heap.memoryBlockFromHandle(handle);
  }

  /** Where the contents of a block are mapped until the pool is closed. */
  long address(MemoryBlock block) {
    try {
      return (long) PAYLOAD_ADDRESS.invokeExact((MemoryAccessor) block, 0L);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /**
   * Runs a transaction: all that its body added is durable when this returns, and rolled back when
   * this throws.
   *
   * @param body must not wait for anything, and must let out what LLPL throws
   */
  void transaction(Runnable body) {
    Transaction.create(heap, body);
  }

  /** Takes the snapshot of a part of a block that the running transaction is about to change. */
  void addToTransaction(MemoryBlock block, long offset, long length) {
    block.addToTransaction(offset, length);
  }

  /** Makes a part of a block durable that was written without a snapshot. */
  void flush(MemoryBlock block, long offset, long length) {
    block.flush(offset, length);
  }

  /** Whether this thread is inside a transaction, of whatever pool. */
  static boolean inTransaction() {
    try {
      return (boolean) TRANSACTION_ACTIVE.invokeExact();
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  /** Closes the pool: what was mapped is no longer there, and reading it would end the process. */
  void close() {
    try {
      CLOSE.invokeExact((AnyHeap) heap);
    } catch (Throwable e) {
      throw rethrow(e);
    }
  }

  private static RuntimeException rethrow(Throwable thrown) {
    switch (thrown) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(thrown); // none of these methods declares an exception
    }
  }
}
