package io.pmstore.core.crash;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.pmstore.crash.DiskFile;
import io.pmstore.crash.SparseBytes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Mapped bytes of a {@link DiskFile}. A private mapping keeps changed pages apart from the file.
 * Its other pages, and all pages of a shared mapping, show the file.
 *
 * <p>Tests open thousands of stores, so the memory is reused; only used pages are cleared for that.
 */
final class Mapping {
  private static final int PAGE = SparseBytes.PAGE;
  private static final MemorySegment ZEROS = Arena.global().allocate(PAGE);
  private static final Map<Long, Deque<MemorySegment>> UNUSED = new HashMap<>();

  private final DiskFile file;
  private final long offset;
  private final long size;
  private final boolean isPrivate;
  private final MemorySegment memory;
  private final BitSet used = new BitSet();
  private final BitSet copied = new BitSet();

  Mapping(DiskFile file, long offset, long size, boolean isPrivate) {
    this.file = file;
    this.offset = offset;
    this.size = size;
    this.isPrivate = isPrivate;
    this.memory = take(size);
    file.bytes()
        .forEachPage(
            (at, bytes) -> {
              if (at >= offset && at < offset + size) {
                int n = (int) Math.min(bytes.length, offset + size - at);
                MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, at - offset, n);
                used.set(page(at));
              }
            });
  }

  private static MemorySegment take(long size) {
    synchronized (UNUSED) {
      Deque<MemorySegment> unused = UNUSED.get(size);
      if (unused != null && !unused.isEmpty()) {
        return unused.pop();
      }
    }
    return Arena.global().allocate(size, PAGE);
  }

  /**
   * The bytes; the memory is used again when the arena is closed.
   *
   * @param unmapped told of that before
   */
  @SuppressWarnings("restricted") // gives memory another life time
  MemorySegment bytes(Arena arena, Runnable unmapped) {
    return memory.reinterpret(
        arena,
        closed -> {
          unmapped.run();
          giveBack();
        });
  }

  private void giveBack() {
    for (int page = used.nextSetBit(0); page >= 0; page = used.nextSetBit(page + 1)) {
      memory.asSlice((long) page * PAGE, PAGE).fill((byte) 0);
    }
    synchronized (UNUSED) {
      UNUSED.computeIfAbsent(size, s -> new ArrayDeque<>()).push(memory);
    }
  }

  DiskFile file() {
    return file;
  }

  long offset() {
    return offset;
  }

  boolean covers(long from, long length) {
    return from >= offset && from + length <= offset + size;
  }

  /** The part of a range that is mapped here: its length, from its start on. */
  long overlap(long from, long length) {
    return from >= offset && from < offset + size ? Math.min(length, offset + size - from) : 0;
  }

  private int page(long at) {
    return (int) ((at - offset) / PAGE);
  }

  /** Words were stored to the memory. */
  void stored(long from, long length) {
    for (int page = page(from); page <= page(from + length - 1); page++) {
      if (isPrivate) {
        copied.set(page);
      }
      if (!used.get(page) && memory.asSlice((long) page * PAGE, PAGE).mismatch(ZEROS) >= 0) {
        used.set(page);
      }
    }
  }

  /** The file was written: shows it where nothing was stored. */
  void fileWritten(long from, long length) {
    for (long at = from - from % PAGE; at < from + length; at += PAGE) {
      if (covers(at, PAGE) && !copied.get(page(at))) {
        show(at);
      }
    }
  }

  /** The file was cut at a place: drops what was stored behind it, as the kernel does. */
  void truncated(long end) {
    if (end >= offset + size) {
      return;
    }
    int first = page(Math.max(end, offset));
    for (int page = used.nextSetBit(first); page >= 0; page = used.nextSetBit(page + 1)) {
      memory.asSlice((long) page * PAGE, PAGE).fill((byte) 0);
    }
    used.clear(first, Math.max(first, used.length()));
    copied.clear(first, Math.max(first, copied.length()));
  }

  /** Shows the file again; returns the first page whose bytes thereby change, or -1. */
  long release(long from, long length) {
    long changed = -1;
    for (long at = from; at < from + length; at += PAGE) {
      byte[] stored = new byte[PAGE];
      MemorySegment.copy(memory, JAVA_BYTE, at - offset, stored, 0, PAGE);
      copied.clear(page(at));
      byte[] shown = show(at);
      if (changed < 0 && !Arrays.equals(stored, shown)) {
        changed = at;
      }
    }
    return changed;
  }

  private byte[] show(long at) {
    byte[] bytes = new byte[PAGE];
    file.read(at, bytes, 0, PAGE);
    MemorySegment.copy(bytes, 0, memory, JAVA_BYTE, at - offset, PAGE);
    used.set(page(at));
    return bytes;
  }

  /** The pages that may hold something else than zeros, by their offsets in the file. */
  void addUsedPages(Set<Long> pages) {
    used.stream().forEach(page -> pages.add(offset + (long) page * PAGE));
  }
}
