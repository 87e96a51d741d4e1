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
  /** Receives the images of a file. */
  @FunctionalInterface
  interface Images {
    /**
     * Receives an image.
     *
     * @param position of the file's end marker
     * @param at the index of the block's first byte
     */
    void image(long block, long position, byte[] bytes, int at);
  }

  private final MediumFile file;
  private final Path path;
  private final UUID store;
  private final long number;
  private final boolean base;

  /** Prepares to read a file. */
  SpillReader(MediumFile file, Path path, UUID store, long number, boolean base) {
    this.file = file;
    this.path = path;
    this.store = store;
    this.number = number;
    this.base = base;
  }

  /**
   * Checks all of the file and passes its images on, in order.
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
    ByteBuffer marker = ByteBuffer.allocate(SpillLayout.END).order(ByteOrder.LITTLE_ENDIAN);
    file.read(end, marker.array(), 0, SpillLayout.END);
    if (marker.getInt(0) != -1) {
      throw damaged("it does not end with an end marker");
    }
    long position = marker.getLong(16);
    long chunks = 0;
    long found = 0;
    byte[] bytes = new byte[SpillLayout.CHUNK_MAX];
    ByteBuffer chunk = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (long at = SpillLayout.BEGIN; at < end; chunks++) {
      file.read(at, bytes, 0, (int) Math.min(SpillLayout.CHUNK_HEADER, end - at));
      int count = chunk.getInt(0);
      int length = SpillLayout.CHUNK_HEADER + count * (4 + ImageLayout.BLOCK);
      if (count <= 0 || count > SpillLayout.CHUNK_IMAGES || at + length > end) {
        throw damaged("the chunk at %d has %d images".formatted(at, count));
      }
      file.read(at, bytes, 0, length);
      int crc = SpillLayout.crc(bytes, length, store, number, base, chunks);
      if (chunk.getInt(4) != crc) {
        throw damaged(
            "the chunk at %d has the checksum %08x, not %08x".formatted(at, crc, chunk.getInt(4)));
      }
      int data = SpillLayout.CHUNK_HEADER + 4 * count;
      for (int i = 0; i < count; i++) {
        long block = Integer.toUnsignedLong(chunk.getInt(SpillLayout.CHUNK_HEADER + 4 * i));
        images.image(block, position, bytes, data + i * ImageLayout.BLOCK);
      }
      found += count;
      at += length;
    }
    int crc = SpillLayout.crc(marker.array(), SpillLayout.END, store, number, base, chunks);
    if (marker.getInt(4) != crc || marker.getLong(8) != found) {
      throw damaged(
          "its end marker says %d images and %08x, not %d and %08x"
              .formatted(marker.getLong(8), marker.getInt(4), found, crc));
    }
    return position;
  }

  private StoreDamagedException damaged(String how) {
    return new StoreDamagedException(
        "%s is damaged: %s. It was truncated, replaced or overwritten; restore the store from a backup"
            .formatted(path, how));
  }
}
