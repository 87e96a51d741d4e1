package io.pmstore.core.space;

import org.jspecify.annotations.Nullable;

/**
 * Space reserved for one object. The medium has no trace of it until the transaction commits, so a
 * crash leaks nothing. Used by one thread; may be filled again for another object.
 */
public final class Reservation {
  private long address;
  private @Nullable Chunk chunk;
  private int runChunks;

  void fill(long newAddress, @Nullable Chunk newChunk, int newRunChunks) {
    address = newAddress;
    chunk = newChunk;
    runChunks = newRunChunks;
  }

  /** Forgets the space, which is the caller's no more. */
  public void clear() {
    fill(0, null, 0);
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
