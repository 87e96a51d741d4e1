package io.pmstore.tiered;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads a spill or a base that the header says to be whole. */
final class SpillReader {
  /** Receives the images of a file, from any thread. */
  interface Images {
    /**
     * Receives an image.
     *
     * @param position of the file's end marker
     * @param at the index of the block's first byte
     */
    void image(long block, long position, byte[] bytes, int at);

    /** Notes that bytes of the file were read. */
    default void loaded(long bytes) {}
  }

  private final MediumFile file;
  private final Path path;
  private final UUID store;
  private final long number;
  private final boolean base;
  private final LoadTasks tasks;
  private final ThreadLocal<byte[]> buffers =
      ThreadLocal.withInitial(() -> new byte[SpillLayout.CHUNK_MAX]);

  /**
   * Prepares to read a file.
   *
   * @param tasks runs the parts of it
   */
  SpillReader(MediumFile file, Path path, UUID store, long number, boolean base, LoadTasks tasks) {
    this.file = file;
    this.path = path;
    this.store = store;
    this.number = number;
    this.base = base;
    this.tasks = tasks;
  }

  /**
   * Checks all of the file and passes its images on. Each block has one; they come in any order,
   * and from several threads.
   *
   * @return the position of the end marker
   * @throws StoreDamagedException if anything is not as it was written
   */
  long read(Images images) throws IOException {
    long end = file.size() - SpillLayout.END;
    if (end < SpillLayout.BEGIN) {
      throw damaged("it has %d bytes".formatted(file.size()));
    }
    byte[] begin = new byte[SpillLayout.BEGIN];
    file.read(0, begin, 0, begin.length);
    @Nullable String fault = SpillLayout.beginFault(begin, store, number, base);
    if (fault != null) {
      throw damaged(fault);
    }
    ByteBuffer marker = ByteBuffer.wrap(endMarker(end)).order(ByteOrder.LITTLE_ENDIAN);
    long position = marker.getLong(16);
    long chunks = 0;
    long found = 0;
    ByteBuffer head = ByteBuffer.allocate(SpillLayout.CHUNK_HEADER).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = SpillLayout.BEGIN; at < end; chunks++) {
      file.read(at, head.array(), 0, (int) Math.min(SpillLayout.CHUNK_HEADER, end - at));
      int count = head.getInt(0);
      int length = SpillLayout.CHUNK_HEADER + count * (4 + ImageLayout.BLOCK);
      if (count <= 0 || count > SpillLayout.CHUNK_IMAGES || at + length > end) {
        throw damaged("the chunk at %d has %d images".formatted(at, count));
      }
      long chunk = chunks;
      long start = at;
      tasks.run(() -> readChunk(start, length, chunk, position, images));
      found += count;
      at += length;
    }
    tasks.await();
    int crc = SpillLayout.crc(marker.array(), SpillLayout.END, store, number, base, chunks);
    if (marker.getInt(4) != crc || marker.getLong(8) != found) {
      throw damaged(
          "its end marker says %d images and %08x, not %d and %08x"
              .formatted(marker.getLong(8), marker.getInt(4), found, crc));
    }
    return position;
  }

  /**
   * Reads the position of the end marker, and checks nothing else.
   *
   * @throws StoreDamagedException if there is no end marker
   */
  long position() throws IOException {
    long end = file.size() - SpillLayout.END;
    if (end < SpillLayout.BEGIN) {
      throw damaged("it has %d bytes".formatted(file.size()));
    }
    return ByteBuffer.wrap(endMarker(end)).order(ByteOrder.LITTLE_ENDIAN).getLong(16);
  }

  private byte[] endMarker(long at) throws IOException {
    byte[] marker = new byte[SpillLayout.END];
    file.read(at, marker, 0, marker.length);
    if (ByteBuffer.wrap(marker).getInt(0) != -1) {
      throw damaged("it does not end with an end marker");
    }
    return marker;
  }

  private void readChunk(long at, int length, long number, long position, Images images)
      throws IOException {
    byte[] bytes = buffers.get();
    ByteBuffer chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    file.read(at, bytes, 0, length);
    int crc = SpillLayout.crc(bytes, length, store, this.number, base, number);
    if (chunk.getInt(4) != crc) {
      throw damaged(
          "the chunk at %d has the checksum %08x, not %08x".formatted(at, crc, chunk.getInt(4)));
    }
    int count = (length - SpillLayout.CHUNK_HEADER) / (4 + ImageLayout.BLOCK);
    int data = SpillLayout.CHUNK_HEADER + 4 * count;
    for (int i = 0; i < count; i++) {
      long block = Integer.toUnsignedLong(chunk.getInt(SpillLayout.CHUNK_HEADER + 4 * i));
      images.image(block, position, bytes, data + i * ImageLayout.BLOCK);
    }
    images.loaded(length);
  }

  private StoreDamagedException damaged(String how) {
    return new StoreDamagedException(
        "%s is damaged: %s. It was truncated, replaced or overwritten; restore the store from a backup"
            .formatted(path, how));
  }
}
