package io.pmstore.core.engine.mapped;

import io.pmstore.StoreDamagedException;
import io.pmstore.core.engine.Engine;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * The checksums of the heap file's pages. The checkpoint writes them with the pages; they are right
 * for every page that no log record will change in a recovery, so for all once a store is open and
 * its first checkpoint done, or closed. Nothing but verification reads them.
 */
final class PageSums {
  private static final ValueLayout.OfInt SUM =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int CHECKED_AT_ONCE = 1 << 20;

  private final MediumFile file;

  PageSums(MediumFile file) {
    this.file = file;
  }

  /** Fills an empty file for a new heap of zeros; durable after {@link #sync}. */
  static void create(MediumFile file, UUID store, long heapSize) throws IOException {
    file.allocate(0, PageSumsLayout.offset(heapSize), false);
    file.write(0, header(store), 0, PageSumsLayout.HEADER_SIZE);
  }

  private static byte[] header(UUID store) {
    byte[] header = new byte[PageSumsLayout.HEADER_SIZE];
    LONG.set(header, PageSumsLayout.MAGIC, PageSumsLayout.MAGIC_VALUE);
    INT.set(header, PageSumsLayout.VERSION, PageSumsLayout.VERSION_VALUE);
    LONG.set(header, PageSumsLayout.UUID_HIGH, store.getMostSignificantBits());
    LONG.set(header, PageSumsLayout.UUID_LOW, store.getLeastSignificantBits());
    CRC32C crc = new CRC32C();
    crc.update(header, 0, PageSumsLayout.CHECKSUM);
    INT.set(header, PageSumsLayout.CHECKSUM, (int) crc.getValue());
    return header;
  }

  /** Refuses a file that is not that of a store's heap. */
  void check(Path directory, HeapHeader recorded) throws IOException {
    long size = file.size();
    long expected = PageSumsLayout.offset(recorded.heapSize());
    if (size < expected) {
      throw new StoreDamagedException(
          "%s has %d bytes; a heap of %d bytes has %d bytes of page checksums. It was truncated or replaced; restore the directory from a backup"
              .formatted(directory.resolve(file.name()), size, recorded.heapSize(), expected));
    }
    byte[] found = new byte[PageSumsLayout.HEADER_SIZE];
    file.read(0, found, 0, found.length);
    if (!Arrays.equals(found, header(recorded.store()))) {
      throw new StoreDamagedException(
          "%s does not start as the page checksums of store %s do: it was overwritten, or belongs to another store; restore the directory from a backup"
              .formatted(directory.resolve(file.name()), recorded.store()));
    }
  }

  /** Makes room for the sums of a heap that grows. */
  void grow(long from, long to) throws IOException {
    file.allocate(PageSumsLayout.offset(from), PageSumsLayout.offset(to), false);
  }

  /** Gives up what the file has behind the sums of a heap. */
  void truncate(long heapSize) throws IOException {
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
  void write(long address, MemorySegment pages, MemorySegment scratch) throws IOException {
    CRC32C crc = new CRC32C();
    long count = pages.byteSize() / PageSumsLayout.PAGE;
    for (long i = 0; i < count; i++) {
      crc.reset();
      crc.update(pages.asSlice(i * PageSumsLayout.PAGE, PageSumsLayout.PAGE).asByteBuffer());
      scratch.set(SUM, i * PageSumsLayout.SUM_SIZE, sum(crc));
    }
    file.write(PageSumsLayout.offset(address), scratch.asSlice(0, count * PageSumsLayout.SUM_SIZE));
  }

  private static int sum(CRC32C crc) {
    int value = (int) crc.getValue();
    return value == 0 ? 1 : value;
  }

  void sync() throws IOException {
    file.sync();
  }

  /** Compares every page of a heap file with its sum. */
  void verify(MediumFile heap, long heapSize, Engine.FaultVisitor faults) throws IOException {
    byte[] pages = new byte[CHECKED_AT_ONCE];
    byte[] sums = new byte[CHECKED_AT_ONCE / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE];
    CRC32C crc = new CRC32C();
    for (long base = 0; base < heapSize; base += CHECKED_AT_ONCE) {
      heap.read(base, pages, 0, pages.length);
      file.read(PageSumsLayout.offset(base), sums, 0, sums.length);
      for (int at = 0; at < pages.length; at += PageSumsLayout.PAGE) {
        long address = base + at;
        if (address < Engine.RESERVED) {
          continue;
        }
        int expected = (int) INT.get(sums, at / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE);
        crc.reset();
        crc.update(pages, at, PageSumsLayout.PAGE);
        if (expected == 0) {
          if (!isZero(pages, at)) {
            faults.fault(address, "contents that were never written", "zeros");
          }
        } else if (expected != sum(crc)) {
          faults.fault(
              address,
              "contents with the checksum %08x".formatted(sum(crc)),
              "contents with the checksum %08x, with which the page was written"
                  .formatted(expected));
        }
      }
    }
  }

  private static boolean isZero(byte[] pages, int at) {
    for (int i = at; i < at + PageSumsLayout.PAGE; i++) {
      if (pages[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
