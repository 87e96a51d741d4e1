package io.pmstore.llpl;

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryAccessor;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import io.pmstore.StoreFullException;
import io.pmstore.core.memory.NativeCalls;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;

/**
 * An open pool, with the operations of LLPL that the engine needs. No other class calls LLPL.
 *
 * <p>The pool is LLPL's {@link Heap}. Its writes are raw, and its {@code addToTransaction} throws
 * if the undo log cannot grow (a {@code TransactionalHeap} would continue and write without a log).
 * This class lets every exception of LLPL inside a transaction propagate: if it continued, PMDK
 * would abort the process.
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
  private static final MethodHandle POOL_ADDRESS;
  private static final MethodHandle PAYLOAD_ADDRESS;
  private static final MethodHandle TRANSACTION_ACTIVE;

  static {
    try {
      MethodHandles.Lookup lookup =
          MethodHandles.privateLookupIn(AnyHeap.class, MethodHandles.lookup());
      CLOSE = lookup.findVirtual(AnyHeap.class, "close", MethodType.methodType(void.class));
      POOL_ADDRESS =
          lookup.findVirtual(AnyHeap.class, "poolHandle", MethodType.methodType(long.class));
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

  final Heap heap;

  LlplPool(Heap heap) {
    this.heap = heap;
  }

  /**
   * Makes a pool.
   *
   * @param file that does not exist, or describes the files of the pool
   * @param size of the pool and the file in bytes; 0 for one that is described
   * @throws StoreFullException if PMDK cannot make it
   */
  static LlplPool create(Path file, long size) {
    try {
      return new LlplPool(Heap.createHeap(file.toString(), size));
    } catch (HeapException e) {
      throw new StoreFullException(
          "PMDK cannot make a pool in %s: %s; free some space, or make PmStoreOptions.llplPoolSize smaller"
              .formatted(file.getParent(), e.getMessage()),
          e);
    }
  }

  /**
   * Makes a pool that {@link #extend} makes larger.
   *
   * @param set what describes it; its first part is there, all zeros
   */
  static LlplPool create(PoolSet set) {
    Pmdk.separateWorkingDirectory();
    LlplPool made = create(set.file(), 0);
    Pmdk.keepFromGrowing(made.address());
    return made;
  }

  /**
   * Opens a pool that {@link #extend} makes larger, as {@link #open(Path)} does one of a file.
   *
   * @param set what describes it
   */
  static LlplPool open(PoolSet set) {
    Pmdk.separateWorkingDirectory();
    LlplPool opened = open(set.file());
    Pmdk.keepFromGrowing(opened.address());
    return opened;
  }

  /**
   * Opens a pool; PMDK rolls back what was not committed.
   *
   * @param file the pool, already found to be one: PMDK trusts what it maps
   */
  static LlplPool open(Path file) {
    return new LlplPool(Heap.openHeap(file.toString()));
  }

  /** Where the pool is mapped; PMDK knows it by that. */
  private long address() {
    try {
      return (long) POOL_ADDRESS.invokeExact((AnyHeap) heap);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }

  /**
   * Has PMDK take the next part of the pool. Outside transactions.
   *
   * @param size of the part's file
   * @return false if it did not; {@link Pmdk#error} says why, and trying again does harm
   */
  boolean extend(long size) {
    return Pmdk.extend(address(), size);
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
      throw NativeCalls.unexpected(e);
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
      throw NativeCalls.unexpected(e);
    }
  }

  /** Closes the pool: what was mapped is no longer there, and reading it would end the process. */
  void close() {
    try {
      CLOSE.invokeExact((AnyHeap) heap);
    } catch (Throwable e) {
      throw NativeCalls.unexpected(e);
    }
  }
}
