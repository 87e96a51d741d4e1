package io.pmstore.core.space;

import io.pmstore.core.memory.HeapMemory;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The loaded slot chunks, by address. Look-ups take no lock; changes are made under the allocator's
 * monitor.
 */
final class LoadedChunks {
  private volatile @Nullable AtomicReferenceArray<@Nullable Chunk>[] extents = newArray(8);

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
  private static @Nullable AtomicReferenceArray<@Nullable Chunk>[] newArray(int length) {
    return new AtomicReferenceArray[length];
  }

  /** Returns the loaded chunk that contains an address, or null. */
  @Nullable Chunk find(long address) {
    int extent = (int) (address >>> HeapMemory.EXTENT_SHIFT);
    @Nullable AtomicReferenceArray<@Nullable Chunk>[] all = extents;
    AtomicReferenceArray<@Nullable Chunk> chunks = extent < all.length ? all[extent] : null;
    return chunks == null ? null : chunks.get(number(address));
  }

  void add(Chunk chunk) {
    int extent = (int) (chunk.address >>> HeapMemory.EXTENT_SHIFT);
    @Nullable AtomicReferenceArray<@Nullable Chunk>[] all = extents;
    if (extent >= all.length) {
      all = Arrays.copyOf(all, Math.max(extent + 1, all.length * 2));
      extents = all;
    }
    AtomicReferenceArray<@Nullable Chunk> chunks = all[extent];
    if (chunks == null) {
      chunks = new AtomicReferenceArray<>(ExtentLayout.CHUNKS);
      all[extent] = chunks;
      extents = all; // volatile write: publishes to look-ups, which take no lock
    }
    chunks.set(number(chunk.address), chunk);
  }

  void remove(Chunk chunk) {
    AtomicReferenceArray<@Nullable Chunk> chunks =
        extents[(int) (chunk.address >>> HeapMemory.EXTENT_SHIFT)];
    if (chunks != null) {
      chunks.set(number(chunk.address), null);
    }
  }

  void clear() {
    extents = newArray(8);
  }

  private static int number(long address) {
    return (int) (address & (HeapMemory.EXTENT_SIZE - 1)) >>> ExtentLayout.CHUNK_SHIFT;
  }
}
