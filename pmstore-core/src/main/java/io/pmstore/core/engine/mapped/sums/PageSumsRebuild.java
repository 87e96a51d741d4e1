package io.pmstore.core.engine.mapped.sums;

import static io.pmstore.core.memory.LittleEndian.INT;

import io.pmstore.core.engine.Engine;
import io.pmstore.core.engine.mapped.header.HeapHeader;
import io.pmstore.core.medium.MediumException;
import io.pmstore.core.medium.MediumFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Creates a new file of page checksums for a heap that does not change. Sums that an older file
 * still has are kept, whether they match their page or not: verification compares them. The other
 * sums are computed from the pages.
 *
 * <p>A zero in the older file counts as lost. Zeros are what most lost data leaves, and they would
 * mean a page that was never written.
 */
public final class PageSumsRebuild {
  private static final int AT_ONCE = 1 << 20;

  private final MediumFile heap;
  private final @Nullable MediumFile older;
  private final long olderSize;
  private final CRC32C crc = new CRC32C();
  private long kept;
  private long computed;

  /**
   * Prepares a rebuild.
   *
   * @param older what is left of the sums, or null
   */
  public PageSumsRebuild(MediumFile heap, @Nullable MediumFile older) throws IOException {
    this.heap = heap;
    this.older = older;
    this.olderSize = older == null ? 0 : older.size();
  }

  /** Returns the number of sums taken from the older file. */
  public long kept() {
    return kept;
  }

  /** Returns the number of computed sums. */
  public long computed() {
    return computed;
  }

  /**
   * Fills an empty file, durably.
   *
   * @param made the time of the repair, in milliseconds since 1970
   */
  public void write(MediumFile file, HeapHeader recorded, long made) throws IOException {
    PageSums.create(file, recorded.store(), recorded.heapSize(), made);
    for (long base = 0; base < recorded.heapSize(); base += AT_ONCE) {
      int length = (int) Math.min(AT_ONCE, recorded.heapSize() - base);
      byte[] sums = sums(base, length);
      file.write(PageSumsLayout.offset(base), sums, 0, sums.length);
    }
    file.sync();
  }

  private byte[] sums(long base, int length) throws IOException {
    byte[] pages = new byte[length];
    heap.read(base, pages, 0, length);
    byte[] sums = olderSums(base, length / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE);
    for (int at = 0; at < length; at += PageSumsLayout.PAGE) {
      int sum = at / PageSumsLayout.PAGE * PageSumsLayout.SUM_SIZE;
      if (base + at < Engine.RESERVED) {
        INT.set(sums, sum, 0);
      } else if ((int) INT.get(sums, sum) != 0) {
        kept++;
      } else {
        crc.reset();
        crc.update(pages, at, PageSumsLayout.PAGE);
        INT.set(sums, sum, PageSums.sum(crc));
        computed++;
      }
    }
    return sums;
  }

  /** Returns the sums of the older file, with zeros for missing ones. */
  private byte[] olderSums(long base, int length) throws IOException {
    byte[] sums = new byte[length];
    long from = PageSumsLayout.offset(base);
    int there = Math.clamp(olderSize - from, 0, length);
    there -= there % PageSumsLayout.SUM_SIZE;
    if (older != null && there > 0) {
      try {
        older.read(from, sums, 0, there);
      } catch (MediumException e) {
        if (!e.isDeviceError()) {
          throw e;
        }
        Arrays.fill(sums, (byte) 0); // the disk has lost them
      }
    }
    return sums;
  }
}
