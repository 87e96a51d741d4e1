package io.pmstore.jmh.consensus.versions;

import static io.pmstore.core.engine.FailedOpening.orClose;

import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A mapped file of pages of {@value #PAGE} bytes. Blocks are allocated by moving a pointer through
 * a page; what is larger has consecutive pages. A page is used again when all its blocks are free
 * and {@link #persist} has made that durable.
 *
 * <p>What {@link #persist} has made durable is never overwritten before the next one, but for
 * single words by {@link #overwrite}: after a crash the region is as at the last one. For one
 * thread at a time.
 */
public final class Region implements AutoCloseable {
  static final int PAGE = 1024;

  private static final String FILE = "versions";
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Arena arena = Arena.ofShared();
  private final MediumFile file;
  private final MemorySegment bytes;
  private final int[] live; // bytes in use of each page
  private final BitSet used = new BitSet(); // pages that cannot be allocated
  private final List<Integer> emptied = new ArrayList<>(); // free after the next persist
  private final Set<Long> fresh = new HashSet<>(); // blocks allocated since the last persist
  private long[] dirty = new long[64]; // pairs of offset and end
  private int dirtyCount;
  private long bump; // where the next block of the current page begins
  private long pageEnd;
  private int searchFrom = RegionHeader.BYTES / PAGE;
  private RegionHeader header;

  private Region(MediumFile file, RegionHeader header, long capacity) throws IOException {
    this.file = file;
    this.header = header;
    bytes = file.map(0, capacity, arena);
    live = new int[(int) (capacity / PAGE)];
    used.set(0, RegionHeader.BYTES / PAGE);
  }

  /** Opens the region in a directory; makes it, with a capacity in bytes, at the first time. */
  public static Region open(Medium medium, long capacity) throws IOException {
    if (!medium.list().contains(FILE)) {
      String unfinished = FILE + ".new";
      medium.deleteIfThere(unfinished);
      try (MediumFile made = medium.create(unfinished)) {
        made.allocate(0, capacity, false);
        RegionHeader.EMPTY.write(made);
      }
      medium.rename(unfinished, FILE);
      medium.syncDirectory();
    }
    MediumFile file = medium.open(FILE);
    return orClose(file, () -> new Region(file, RegionHeader.read(file), file.size()));
  }

  RegionHeader header() {
    return header;
  }

  // ---- blocks

  /** Allocates a block; its contents are anything. */
  long allocate(int size) {
    int rounded = rounded(size);
    long at = rounded > PAGE ? pages((rounded + PAGE - 1) / PAGE) : small(rounded);
    count(at, rounded, 1);
    fresh.add(at);
    touch(at, rounded);
    return at;
  }

  private long small(int size) {
    if (bump + size > pageEnd) {
      retire();
      bump = pages(1);
      pageEnd = bump + PAGE;
    }
    long at = bump;
    bump += size;
    return at;
  }

  /** Gives the rest of the current page up. */
  private void retire() {
    if (pageEnd > 0 && live[(int) (pageEnd / PAGE) - 1] == 0) {
      emptied.add((int) (pageEnd / PAGE) - 1);
    }
  }

  private long pages(int count) {
    for (int attempt = 0; attempt < 2; attempt++) {
      int from = used.nextClearBit(searchFrom);
      while (from + count <= live.length) {
        int end = used.nextSetBit(from);
        if (end < 0 || end >= from + count) {
          used.set(from, from + count);
          searchFrom = from + count;
          return (long) from * PAGE;
        }
        from = used.nextClearBit(end);
      }
      searchFrom = RegionHeader.BYTES / PAGE;
    }
    throw new IllegalStateException(
        "the region of %d bytes is full; open it with more".formatted(bytes.byteSize()));
  }

  private static int rounded(int size) {
    return (size + 7) & -8;
  }

  /** Frees a block. What is durable keeps it until the next {@link #persist}. */
  void free(long at, int size) {
    fresh.remove(at);
    count(at, rounded(size), -1);
  }

  /** Returns true if a block was allocated since the last {@link #persist}: it may be changed. */
  boolean isFresh(long at) {
    return fresh.contains(at);
  }

  /** Marks a block as used, when the region is opened. */
  void markUsed(long at, int size) {
    int rounded = rounded(size);
    used.set((int) (at / PAGE), (int) ((at + rounded - 1) / PAGE) + 1);
    count(at, rounded, 1);
  }

  private void count(long at, int size, int sign) {
    long end = at + size;
    for (long from = at; from < end; ) {
      int page = (int) (from / PAGE);
      long to = Math.min(end, (long) (page + 1) * PAGE);
      live[page] += sign * (int) (to - from);
      if (live[page] == 0 && (page + 1L) * PAGE != pageEnd) {
        emptied.add(page);
      }
      from = to;
    }
  }

  public long usedBytes() {
    return Arrays.stream(live).asLongStream().sum();
  }

  // ---- contents

  long getLong(long at) {
    return bytes.get(LONG, at);
  }

  int getInt(long at) {
    return bytes.get(INT, at);
  }

  byte[] get(long at, int length) {
    byte[] copy = new byte[length];
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, copy, 0, length);
    return copy;
  }

  void getWords(long at, long[] to, int words) {
    MemorySegment.copy(bytes, LONG, at, to, 0, words);
  }

  /** Stores to a fresh block. */
  void putLong(long at, long value) {
    bytes.set(LONG, at, value);
  }

  void putInt(long at, int value) {
    bytes.set(INT, at, value);
  }

  void put(long at, byte[] from) {
    MemorySegment.copy(from, 0, bytes, ValueLayout.JAVA_BYTE, at, from.length);
  }

  void putWords(long at, long[] from, int words) {
    MemorySegment.copy(from, 0, bytes, LONG, at, words);
  }

  /** Changes an aligned word of any block; after a crash it is the old or the new one. */
  void overwrite(long at, long value) {
    bytes.set(LONG, at, value);
    touch(at, 8);
  }

  private void touch(long at, int size) {
    if (dirtyCount > 0 && dirty[dirtyCount - 1] == at) {
      dirty[dirtyCount - 1] = at + size;
      return;
    }
    if (dirtyCount == dirty.length) {
      dirty = Arrays.copyOf(dirty, 2 * dirtyCount);
    }
    dirty[dirtyCount] = at;
    dirty[dirtyCount + 1] = at + size;
    dirtyCount += 2;
  }

  /** Makes all changes durable, together with what they are. */
  void persist(long term, long applied, long last, long root) throws IOException {
    for (int i = 0; i < dirtyCount; i += 2) {
      file.write(dirty[i], bytes.asSlice(dirty[i], dirty[i + 1] - dirty[i]));
    }
    file.sync();
    RegionHeader next = new RegionHeader(header.sequence() + 1, term, applied, last, root);
    next.write(file);
    header = next;
    dirtyCount = 0;
    fresh.clear();
    for (int page : emptied) {
      if (live[page] == 0 && (page + 1L) * PAGE != pageEnd) {
        used.clear(page);
      }
    }
    emptied.clear();
  }

  /** Closes the file; what was not persisted is lost. */
  @Override
  public void close() throws IOException {
    file.close();
    arena.close();
  }
}
