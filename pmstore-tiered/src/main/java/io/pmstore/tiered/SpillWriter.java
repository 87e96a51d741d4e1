package io.pmstore.tiered;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import io.pmstore.core.memory.HeapMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/**
 * Writes a spill or a base: the begin marker, chunks of blocks, and the end marker. The file counts
 * when the header names it, which is after all of it is durable. Space is allocated before it is
 * written to. One thread uses it.
 */
final class SpillWriter implements AutoCloseable {
  private final MediumFile file;
  private final UUID store;
  private final long number;
  private final boolean base;
  private final ByteBuffer chunk =
      ByteBuffer.allocate(SpillLayout.CHUNK_MAX).order(ByteOrder.LITTLE_ENDIAN);
  private long chunks;
  private long images;
  private long size = SpillLayout.BEGIN;
  private long allocated;

  private SpillWriter(MediumFile file, UUID store, long number, boolean base) {
    this.file = file;
    this.store = store;
    this.number = number;
    this.base = base;
  }

  /** Creates the file. An existing one with its name is left from an interrupted spill. */
  static SpillWriter create(Medium medium, UUID store, long number, boolean base)
      throws IOException {
    String name = base ? TieredLayout.base(number) : TieredLayout.spill(number);
    medium.deleteIfThere(name);
    SpillWriter writer = new SpillWriter(medium.create(name), store, number, base);
    try {
      writer.allocate(SpillLayout.BEGIN);
      writer.file.write(0, SpillLayout.begin(store, number, base), 0, SpillLayout.BEGIN);
      return writer;
    } catch (Throwable e) {
      closeAfter(e, writer);
      throw e;
    }
  }

  private void allocate(long to) throws IOException {
    if (to > allocated) {
      file.allocate(allocated, to, false);
      allocated = to;
    }
  }

  /**
   * Adds the present contents of blocks.
   *
   * @param blocks of which the first {@code count} are added
   */
  void add(HeapMemory memory, long[] blocks, int count) throws IOException {
    int full = (count + SpillLayout.CHUNK_IMAGES - 1) / SpillLayout.CHUNK_IMAGES;
    long bytes =
        (long) full * SpillLayout.CHUNK_HEADER + (long) count * (Integer.BYTES + ImageLayout.BLOCK);
    allocate(size + bytes);
    for (int from = 0; from < count; from += SpillLayout.CHUNK_IMAGES) {
      addChunk(memory, blocks, from, Math.min(SpillLayout.CHUNK_IMAGES, count - from));
    }
  }

  private void addChunk(HeapMemory memory, long[] blocks, int from, int count) throws IOException {
    chunk.clear().putInt(count).putInt(0);
    for (int i = from; i < from + count; i++) {
      chunk.putInt((int) blocks[i]);
    }
    int data = chunk.position();
    int first = 0; // of blocks that follow each other in the heap
    for (int i = 1; i <= count; i++) {
      if (i == count || blocks[from + i] != blocks[from + i - 1] + 1) {
        memory.read(
            blocks[from + first] << ImageLayout.BLOCK_SHIFT,
            chunk.array(),
            data + first * ImageLayout.BLOCK,
            (i - first) * ImageLayout.BLOCK);
        first = i;
      }
    }
    append(data + count * ImageLayout.BLOCK);
    images += count;
  }

  private void append(int length) throws IOException {
    chunk.putInt(4, SpillLayout.crc(chunk.array(), length, store, number, base, chunks++));
    allocate(size + length);
    file.write(size, chunk.array(), 0, length);
    size += length;
  }

  /**
   * Writes the end marker.
   *
   * @param position of the last commit that the blocks may have changes of
   */
  void end(long position) throws IOException {
    chunk.clear().putInt(-1).putInt(0).putLong(images).putLong(position);
    append(SpillLayout.END);
  }

  /** Makes all of the file durable. */
  void sync() throws IOException {
    file.sync();
  }

  /** Returns the bytes of the file. */
  long size() {
    return size;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
