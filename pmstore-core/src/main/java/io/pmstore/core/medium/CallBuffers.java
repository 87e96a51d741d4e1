package io.pmstore.core.medium;

import io.pmstore.core.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Reusable native memory for calls of the C library. Thread-safe: a buffer belongs to the caller of
 * {@link #take} until {@link #give}.
 */
final class CallBuffers {
  private static final int KEPT = 4;
  private static final int BYTES_MIN = 4096;
  private static final int BYTES_MAX = 1 << 20;

  private final AtomicReferenceArray<@Nullable Buffer> kept = new AtomicReferenceArray<>(KEPT);

  /** Memory for one call; the garbage collector frees it. */
  static final class Buffer {
    private final MemorySegment state = Arena.ofAuto().allocate(NativeCalls.CALL_STATE);
    private MemorySegment bytes = Arena.ofAuto().allocate(BYTES_MIN);

    private Buffer() {}

    /** Returns the segment that receives the error number. */
    MemorySegment state() {
      return state;
    }

    /** Returns at least {@code size} bytes with undefined contents. */
    MemorySegment bytes(int size) {
      if (bytes.byteSize() < size) {
        bytes = Arena.ofAuto().allocate(Math.max(size, Math.min(BYTES_MAX, size * 2L)));
      }
      return bytes;
    }
  }

  Buffer take() {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getOpaque(i) != null) {
        Buffer buffer = kept.getAndSet(i, null);
        if (buffer != null) {
          return buffer;
        }
      }
    }
    return new Buffer();
  }

  /** Keeps a buffer for a later call, or drops it if enough are kept. */
  void give(Buffer buffer) {
    for (int i = 0; i < KEPT; i++) {
      if (kept.getOpaque(i) == null && kept.compareAndSet(i, null, buffer)) {
        return;
      }
    }
  }
}
