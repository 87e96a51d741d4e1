package io.pmstore.oms.targets;

import com.intel.pmem.llpl.AnyHeap;
import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import com.intel.pmem.llpl.Transaction;
import com.intel.pmem.llpl.TransactionException;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/**
 * An open pool, and the little of LLPL that is needed of it.
 *
 * <p>The pool is LLPL's {@link Heap}: in its transactions a new block is written without undo, and
 * an old one after one snapshot of all that changes. A {@code TransactionalHeap} takes a snapshot
 * for each setter or range, needs more calls into native code for a new block, and goes on without
 * undo when that has no room.
 */
final class LlplRawPool implements AutoCloseable {
  // LLPL keeps it to its own package.
  private static final MethodHandle CLOSE;

  static {
    try {
      CLOSE =
          MethodHandles.privateLookupIn(AnyHeap.class, MethodHandles.lookup())
              .findVirtual(AnyHeap.class, "close", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final Heap heap;

  private LlplRawPool(Heap heap) {
    this.heap = heap;
  }

  /**
   * Opens a pool; PMDK rolls back what was not committed. A new one gets its name when it is whole,
   * because PMDK cannot open what a kill left of one being made.
   */
  static LlplRawPool open(Path file, long size) {
    try {
      if (!Files.exists(file)) {
        create(file, size);
      }
      return new LlplRawPool(Heap.openHeap(file.toString()));
    } catch (IOException | HeapException | TransactionException e) {
      throw new TargetException("cannot open the pool " + file, e);
    }
  }

  private static void create(Path file, long size) throws IOException {
    Path directory = Files.createDirectories(file.toAbsolutePath().getParent());
    Path made = directory.resolve(file.getFileName() + ".new");
    Files.deleteIfExists(made);
    Heap heap = Heap.createHeap(made.toString(), size);
    Transaction.create(heap, () -> heap.setRoot(LlplRawIndex.create(heap)));
    close(heap);
    sync(made, StandardOpenOption.WRITE);
    Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
    sync(directory, StandardOpenOption.READ);
  }

  private static void sync(Path path, StandardOpenOption mode) throws IOException {
    try (FileChannel channel = FileChannel.open(path, mode)) {
      channel.force(true);
    }
  }

  /** The handle of the index. */
  long root() {
    return heap.getRoot();
  }

  MemoryBlock block(long handle) {
    return heap.memoryBlockFromHandle(handle);
  }

  /** Makes a block of zeros, in the running transaction. Its contents need no snapshot. */
  MemoryBlock allocate(long size) {
    return heap.allocateMemoryBlock(size, true);
  }

  /**
   * Runs a transaction of PMDK, which is durable on return and rolled back by an exception.
   *
   * @param body must let out whatever LLPL throws
   */
  <T> T transaction(Supplier<T> body) {
    return Transaction.create(heap, body);
  }

  /** Ends the mapping: reading any block afterwards would end the process. */
  @Override
  public void close() {
    close(heap);
  }

  private static void close(Heap heap) {
    try {
      CLOSE.invokeExact((AnyHeap) heap);
    } catch (Throwable e) {
      throw new IllegalStateException("LLPL cannot close a pool", e);
    }
  }
}
