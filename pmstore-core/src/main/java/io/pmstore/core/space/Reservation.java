package io.pmstore.core.space;

import org.jspecify.annotations.Nullable;

/**
 * Space reserved for one object. The medium has no trace of it until the transaction commits, so a
 * crash leaks nothing.
 */
public final class Reservation {
  private final long address;
  private final @Nullable Chunk chunk;
  private final int runChunks;

  Reservation(long address, @Nullable Chunk chunk, int runChunks) {
    this.address = address;
    this.chunk = chunk;
    this.runChunks = runChunks;
  }

  /** Returns the address of the object, a multiple of 8. */
  public long address() {
    return address;
  }

  /** Returns the bytes of the slot or run. */
  public int bytes() {
    return chunk == null
        ? runChunks << ExtentLayout.CHUNK_SHIFT
        : SizeClasses.size(chunk.sizeClass);
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  int runChunks() {
    return runChunks;
  }
}
