package io.pmstore.core.space;

import org.jspecify.annotations.Nullable;

/**
 * Space that a transaction has set aside for one object. Nothing of it is on the medium until the
 * transaction that uses it commits, so a crash leaks nothing.
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

  /**
   * The address of the object.
   *
   * @return a multiple of 8
   */
  public long address() {
    return address;
  }

  @Nullable Chunk chunk() {
    return chunk;
  }

  int runChunks() {
    return runChunks;
  }
}
