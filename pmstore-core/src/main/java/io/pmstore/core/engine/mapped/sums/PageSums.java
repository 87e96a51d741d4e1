package io.pmstore.core.engine.mapped.sums;

import static io.pmstore.core.memory.LittleEndian.INT;
import static io.pmstore.core.memory.LittleEndian.LONG;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.header.FileFault;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.medium.Checksum;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The checksums of the heap file's pages. The checkpoint writes them with the pages. The sum of
 * every page that recovery would not change is right. So all sums are right once the store is open
 * and its first checkpoint has ended, or the store is closed. {@code PageChecks} and verification
 * read them.
 */
public final class PageSums {
  private static final ValueLayout.OfInt SUM =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int CHECKED_AT_ONCE = 1 << 20;

  private static final byte[] ZEROS = new byte[PageSumsLayout.PAGE];

  private final MediumFile file;

  public PageSums(MediumFile file) {
    this.file = file;
  }

  /**
   * Fills an empty file for a new heap of zeros; durable after {@link #sync}.
   *
   * @param made as for {@link #header}
   */
  public static void create(MediumFile file, UUID store, long heapSize, long made)
      throws IOException {
    file.allocate(0, PageSumsLayout.offset(heapSize), false);
    file.write(0, header(store, made), 0, PageSumsLayout.HEADER_SIZE);
  }

  /**
   * Returns the header of the file.
   *
   * @param made when a repair computed the sums, in milliseconds since 1970; 0 if they were written
   *     with their pages
   */
  static byte[] header(UUID store, long made) {
    byte[] header = new byte[PageSumsLayout.HEADER_SIZE];
    LONG.set(header, PageSumsLayout.MAGIC, PageSumsLayout.MAGIC_VALUE);
    INT.set(header, PageSumsLayout.VERSION, PageSumsLayout.VERSION_VALUE);
    LONG.set(header, PageSumsLayout.UUID_HIGH, store.getMostSignificantBits());
    LONG.set(header, PageSumsLayout.UUID_LOW, store.getLeastSignificantBits());
    LONG.set(header, PageSumsLayout.MADE, made);
    INT.set(header, PageSumsLayout.CHECKSUM, Checksum.of(header, 0, PageSumsLayout.CHECKSUM));
    return header;
  }

  /** Returns when a repair computed the sums, or null if they were written with their pages. */
  public @Nullable Instant made() throws IOException {
    byte[] made = new byte[Long.BYTES];
    file.read(PageSumsLayout.MADE, made, 0, made.length);
    long millis = (long) LONG.get(made, 0);
    return millis == 0 ? null : Instant.ofEpochMilli(millis);
  }

  /** Returns the fault in the file's size or header, or null. */
  public @Nullable FileFault findFault(HeapHeader recorded) throws IOException {
    long size = file.size();
    long expected = PageSumsLayout.offset(recorded.heapSize());
    if (size >= PageSumsLayout.HEADER_SIZE) {
      byte[] found = new byte[PageSumsLayout.HEADER_SIZE];
      file.read(0, found, 0, found.length);
      long made = (long) LONG.get(found, PageSumsLayout.MADE);
      if (!Arrays.equals(found, header(recorded.store(), made))) {
        return new FileFault(
            "does not start as the page checksums of store %s do".formatted(recorded.store()),
            (long) LONG.get(found, PageSumsLayout.MAGIC) == PageSumsLayout.MAGIC_VALUE
                && (int) INT.get(found, PageSumsLayout.CHECKSUM)
                    == Checksum.of(found, 0, PageSumsLayout.CHECKSUM));
      }
    }
    return size < expected
        ? new FileFault(
            "has %d bytes; a heap of %d bytes has %d bytes of page checksums"
                .formatted(size, recorded.heapSize(), expected),
            false)
        : null;
  }

  /** Allocates space for the sums of a heap that grows. */
  public void grow(long from, long to) throws IOException {
    file.allocate(PageSumsLayout.offset(from), PageSumsLayout.offset(to), false);
  }

  /** Removes what the file has behind the sums of a heap. */
  public void truncate(long heapSize) throws IOException {
    long size = PageSumsLayout.offset(heapSize);
    if (file.size() > size) {
      file.truncate(size);
    }
  }

  /**
   * Writes the sums of adjacent pages; durable after {@link #sync}.
   *
   * @param address of the first page
   * @param pages their contents, in native memory
   * @param scratch native memory with room for their sums
   */
  public void write(long address, MemorySegment pages, MemorySegment scratch) throws IOException {
    CRC32C crc = new CRC32C();
    long count = pages.byteSize() / PageSumsLayout.PAGE;
    for (long i = 0; i < count; i++) {
      crc.reset();
      crc.update(pages.asSlice(i * PageSumsLayout.PAGE, PageSumsLayout.PAGE).asByteBuffer());
      scratch.set(SUM, i * PageSumsLayout.SUM_SIZE, sum(crc));
    }
    file.write(PageSumsLayout.offset(address), scratch.asSlice(0, count * PageSumsLayout.SUM_SIZE));
  }

  static int sum(CRC32C crc) {
    int value = (int) crc.getValue();
    return value == 0 ? 1 : value;
  }

  public void sync() throws IOException {
    file.sync();
  }

  /** Compares every page of a heap file with its sum. */
  public void verify(MediumFile heap, long heapSize, Engine.FaultVisitor faults)
      throws IOException {
    byte[] pages = new byte[CHECKED_AT_ONCE];
    byte[] sums = new byte[CHECKED_AT_ONCE / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE];
    for (long base = 0; base < heapSize; base += CHECKED_AT_ONCE) {
      int length = (int) Math.min(CHECKED_AT_ONCE, heapSize - base);
      if (length < pages.length) {
        pages = new byte[length];
        sums = new byte[length / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE];
      }
      compare(heap, base, pages, sums, faults);
      faults.compared(base + length);
    }
  }

  /**
   * Compares adjacent pages of a heap file with their sums.
   *
   * @param base address of the first page
   * @param pages receives their contents
   * @param sums receives their sums
   */
  public void compare(
      MediumFile heap, long base, byte[] pages, byte[] sums, Engine.FaultVisitor faults)
      throws IOException {
    heap.read(base, pages, 0, pages.length);
    file.read(PageSumsLayout.offset(base), sums, 0, sums.length);
    CRC32C crc = new CRC32C();
    for (int at = 0; at < pages.length; at += PageSumsLayout.PAGE) {
      long address = base + at;
      if (address < Engine.RESERVED) {
        continue;
      }
      int expected = (int) INT.get(sums, at / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE);
      if (expected == 0) {
        if (!isZero(pages, at)) {
          faults.fault(address, "contents that were never written", "zeros");
        }
        continue;
      }
      crc.reset();
      crc.update(pages, at, PageSumsLayout.PAGE);
      if (expected != sum(crc)) {
        faults.fault(
            address,
            "contents with the checksum %08x".formatted(sum(crc)),
            "contents with the checksum %08x, with which the page was written".formatted(expected));
      }
    }
  }

  private static boolean isZero(byte[] pages, int at) {
    return Arrays.equals(ZEROS, 0, ZEROS.length, pages, at, at + PageSumsLayout.PAGE);
  }
}
