package io.pmstore.core.engine.mapped;

import io.pmstore.core.log.LogPosition;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;

/**
 * Stores to the heap's memory, and brings the heap file up to date with it. Not safe for use by
 * several threads.
 */
final class Checkpointer {
  private final MediumFile heap;
  private final HeapMemory memory;
  private final HeaderFile header;
  private final DirtyRanges dirty;

  Checkpointer(StoreFiles files) {
    this.heap = files.heap();
    this.memory = files.memory();
    this.header = files.header();
    this.dirty = new DirtyRanges(files.medium().writeBackUnit());
  }

  /** Changes a range of the heap's memory: the one gate through which it changes. */
  void apply(long address, byte[] source, int offset, int length) {
    // Noted first: if the store is cut short, what it did is not forgotten.
    dirty.mark(address, length);
    heap.store(memory, address, source, offset, length);
  }

  /** The bytes that the next checkpoint will write. */
  long dirtyBytes() {
    return dirty.bytes();
  }

  /**
   * Makes the heap file hold everything applied, durably. All log records of it are durable
   * already.
   *
   * @param epoch in which the log goes on
   * @param next the first record that will not be in the heap
   * @param closed true if there will be none
   */
  void checkpoint(long epoch, LogPosition next, boolean closed) throws IOException {
    dirty.forEachRun((address, length) -> heap.writeBack(memory, address, length));
    heap.sync();
    header.write(header.current().withCheckpoint(epoch, next, closed));
    dirty.forEachRun((address, length) -> heap.release(memory, address, length));
    dirty.clear();
  }
}
