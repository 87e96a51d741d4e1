package io.pmstore.llpl;

import static io.pmstore.core.engine.FailedOpening.closeAfter;

import io.pmstore.StoreDamagedException;
import io.pmstore.StoreFormatException;
import io.pmstore.core.medium.AccessRights;
import io.pmstore.core.medium.FileMedium;
import io.pmstore.core.medium.Medium;
import io.pmstore.core.medium.MediumFile;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a pool that is not open: one file, or the parts of a growing pool, one after the
 * other.
 *
 * <p>The last part of a growing pool may lack its {@linkplain PartMark mark}. Either PMDK has added
 * the part to the pool and the mark must still be written, or PMDK has not and the part is left
 * over from an attempt to grow. PMDK's own count of the bytes shows which of these is true.
 */
final class PoolParts implements AutoCloseable {
  // Where PMDK's descriptor has the start and the size of the heap.
  private static final long HEAP_OFFSET_AT = 0x1410;
  private static final long HEAP_SIZE_AT = 0x1820;
  private static final String SUFFIX = ".pmem";

  private final Path pool;
  private final List<Part> parts = new ArrayList<>();
  private @Nullable Path leftOver;

  /**
   * A part.
   *
   * @param channel to read it
   * @param start of the part in the pool
   * @param length of what PMDK maps
   * @param mark behind it, if it has one
   */
  record Part(Path file, FileChannel channel, long start, long length, @Nullable PartMark mark) {}

  private PoolParts(Path pool) {
    this.pool = pool;
  }

  /** The file of a growing pool's part. */
  static Path file(Path pool, int number) {
    return pool.resolve("%06d%s".formatted(number, SUFFIX));
  }

  /**
   * Makes the file of a part: allocated and durable zeros. Its name is not durable. If this fails,
   * no file exists.
   *
   * @param part the file; an existing one is replaced
   * @param size of the file in bytes
   */
  static void make(Path part, long size, AccessRights rights) throws IOException {
    Files.deleteIfExists(part);
    Medium directory = new FileMedium(Objects.requireNonNull(part.getParent()), rights);
    try (MediumFile file = directory.create(part.getFileName().toString())) {
      file.allocate(0, size, false);
    } catch (Throwable e) {
      Files.deleteIfExists(part);
      throw e;
    }
  }

  /**
   * Opens the files for reading.
   *
   * @param pool the file, or the directory of the parts
   * @throws StoreDamagedException if one is missing, of a wrong size, or another one
   */
  static PoolParts open(Path pool, PoolHeader header) throws IOException {
    PoolParts parts = new PoolParts(pool);
    try {
      if (header.growing()) {
        parts.openAll(header);
      } else {
        parts.openSingle(header);
      }
      return parts;
    } catch (Throwable e) {
      closeAfter(e, parts);
      throw e;
    }
  }

  private void openSingle(PoolHeader header) throws IOException {
    add(pool, false);
    if (size() != header.poolSize()) {
      throw new StoreDamagedException(
          "%s has %d bytes, its header says %d: it is truncated or foreign; restore it from a backup"
              .formatted(pool, size(), header.poolSize()));
    }
  }

  private void openAll(PoolHeader header) throws IOException {
    if (!Files.isDirectory(pool)) {
      throw new StoreDamagedException(
          "%s is a file, its header is that of a directory with a growing pool; restore it from a backup"
              .formatted(pool));
    }
    int count = count();
    for (int i = 0; i < count; i++) {
      Path file = file(pool, i);
      if (!Files.exists(file)) {
        throw damaged(file, "it is missing");
      }
      add(file, true);
      check(header, i, count);
    }
    settleLast();
    if (size() > header.poolSize()) {
      throw damaged(
          pool, "it has %d bytes, its header says %d".formatted(size(), header.poolSize()));
    }
  }

  /** How many parts there should be: PMDK takes every file of this suffix for one. */
  private int count() throws IOException {
    try (Stream<Path> entries = Files.list(pool)) {
      List<String> names =
          entries
              .map(entry -> entry.getFileName().toString())
              .filter(name -> name.endsWith(SUFFIX))
              .sorted()
              .toList();
      int count = 0;
      for (String name : names) {
        if (!name.matches("[0-9]{6}\\.pmem")) {
          throw new StoreFormatException(
              "%s holds %s, which is no part of this pool; move it away".formatted(pool, name));
        }
        count = Integer.parseInt(name.substring(0, 6)) + 1;
      }
      if (count == 0) {
        throw damaged(file(pool, 0), "it is missing");
      }
      return count;
    }
  }

  private void add(Path file, boolean marked) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    long length = channel.size();
    PartMark mark = null;
    if (marked) {
      length &= -PoolSpace.PAGE;
      mark = PartMark.read(channel, length);
    }
    parts.add(new Part(file, channel, size(), length, mark));
  }

  private void check(PoolHeader header, int number, int count) throws IOException {
    Part part = parts.get(number);
    PartMark mark = part.mark;
    if (mark == null) {
      boolean cut = part.channel.size() < part.length + PartMark.SIZE;
      if (number == 0 || number < count - 1 || !cut) {
        throw damaged(
            part.file,
            "it has %d bytes and does not end with the mark of a part: it is truncated or foreign"
                .formatted(part.channel.size()));
      }
    } else if (!mark.uuid().equals(header.uuid()) || mark.number() != number) {
      throw damaged(
          part.file,
          "it is part %d of store %s, not part %d of store %s"
              .formatted(mark.number(), mark.uuid(), number, header.uuid()));
    } else if (mark.length() != part.length || part.channel.size() != part.length + PartMark.SIZE) {
      throw damaged(
          part.file,
          "it has %d bytes, its mark says %d"
              .formatted(part.channel.size(), mark.length() + PartMark.SIZE));
    }
  }

  /** Finds out what the last part is, and whether all are there that PMDK will look for. */
  private void settleLast() throws IOException {
    long end = number(HEAP_OFFSET_AT) + number(HEAP_SIZE_AT);
    Part last = parts.getLast();
    if (end == last.start && last.mark == null && last.channel.size() == last.length) {
      leftOver = last.file;
      parts.removeLast();
      last.channel.close();
    }
    if (end != size() || number(HEAP_OFFSET_AT) != PoolSpace.HEAP_OFFSET) {
      throw damaged(
          last.mark == null ? last.file : file(pool, parts.size()),
          "the parts should have %d bytes, as %s says; up to this one they have %d"
              .formatted(end, file(pool, 0), size()));
    }
  }

  private static StoreDamagedException damaged(Path file, String what) {
    return new StoreDamagedException(
        "%s is damaged: %s; restore the store from a backup".formatted(file, what));
  }

  private long number(long position) throws IOException {
    return ByteBuffer.wrap(read(position, Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  /** The bytes of the pool. */
  long size() {
    if (parts.isEmpty()) {
      return 0;
    }
    Part last = parts.getLast();
    return last.start + last.length;
  }

  /** How many parts PMDK has taken. */
  int partCount() {
    return parts.size();
  }

  /** What is left over from an attempt to grow, if there is anything: to be deleted. */
  @Nullable Path leftOver() {
    return leftOver;
  }

  /** The mark that the last part should have, if it has none; it is whole apart from that. */
  @Nullable PartMark missingMark(PoolHeader header) {
    Part last = parts.getLast();
    return header.growing() && last.mark == null
        ? new PartMark(header.uuid(), parts.size() - 1, last.length)
        : null;
  }

  /**
   * Reads bytes of the pool.
   *
   * @param position in the pool
   * @param length how many; all must be there
   */
  byte[] read(long position, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    for (Part part : parts) {
      long end = part.start + part.length;
      while (bytes.hasRemaining() && position + bytes.position() < end) {
        long at = position + bytes.position();
        int most = (int) Math.min(bytes.remaining(), end - at);
        int read = part.channel.read(bytes.slice(bytes.position(), most), at - part.start);
        if (read < 0) {
          throw new EOFException("%s ends at %d".formatted(part.file, at - part.start));
        }
        bytes.position(bytes.position() + read);
      }
    }
    if (bytes.hasRemaining()) {
      throw new EOFException("%s ends at %d".formatted(pool, size()));
    }
    return bytes.array();
  }

  @Override
  public void close() throws IOException {
    for (Part part : parts) {
      part.channel.close();
    }
  }
}
